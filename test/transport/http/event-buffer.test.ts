import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { EventBuffer } from '../../../src/transport/http/event-buffer.js';

const appended = fc.array(
  fc.record({
    stream: fc.nat({ max: 3 }),
    text: fc.option(fc.string({ maxLength: 30 }), { nil: undefined }),
    delivered: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);
const bounds = fc.record({
  maxKeptEvents: fc.integer({ min: 1, max: 20 }),
  maxKeptBytes: fc.integer({ min: 1, max: 200 }),
});

it('keeps the latest events within its bounds, each on its own stream, and counts what is lost', () => {
  fc.assert(
    fc.property(appended, bounds, (events, settings) => {
      const diagnostics = new Diagnostics();
      const buffer = new EventBuffer(settings, diagnostics);
      const all = events.map(({ stream, text, delivered }) =>
        buffer.append(stream, text, delivered),
      );
      const kept = all.filter(({ stream, number }) => buffer.has(stream, number));

      expect(kept.at(-1)).toBe(all.at(-1));
      expect(kept).toEqual(all.slice(all.length - kept.length));
      expect(kept.length).toBeLessThanOrEqual(settings.maxKeptEvents);
      const bytes = kept.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ''), 0);
      if (kept.length > 1) expect(bytes).toBeLessThanOrEqual(settings.maxKeptBytes);

      const lost = all.slice(0, all.length - kept.length);
      const unseen = lost.filter(({ delivered }) => !delivered).length;
      expect(diagnostics.count('event-lost')).toBe(unseen);

      for (const stream of [0, 1, 2, 3]) {
        const own = kept.filter((event) => event.stream === stream);
        expect(buffer.after(stream, 0)).toEqual(own.filter(({ text }) => text !== undefined));
        expect(buffer.undelivered(stream)).toEqual(own.filter(({ delivered }) => !delivered));
      }
    }),
  );
});
