/** Whatever is sent to `/v1`: it is answered, it says what is wrong, and nothing else is the worse for it. */
import fc from 'fast-check';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { operated } from '../support/operations.js';

function shop(): LocalBackend {
  const backend = new LocalBackend('shop');
  backend.addTool({ name: 'order' }, () => 'ordered');
  return backend;
}

const POSTS = ['/v1/tools/shop_order/call', '/v1/questions/x/answer', '/v1/questions/x/decline'];
const GETS = ['/v1/health', '/v1/tools', '/v1/questions/x', '/v1/artifacts/x', '/v1/backends'];

const hostileBody = fc.oneof(
  fc.json(),
  fc.string({ maxLength: 50 }),
  fc.constantFrom(
    '{"__proto__":{"name":"mcpx_list_backends"}}',
    '{"constructor":{"prototype":{}}}',
    '{"name":"mcpx_list_backends"}',
    '['.repeat(4000),
    `{"arguments":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
    '{"arguments":{},"arguments":7}',
    '\uFEFF{}',
    'null',
  ),
);

describe('/v1', () => {
  it('answers every body with a status that is not its own fault', async () => {
    const { post, get } = await operated([shop()]);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POSTS), hostileBody, async (path, body) => {
        const { status, text, body: problem } = await post(path, body);
        expect(status, `${path} ${body} ${text}`).toBeLessThan(500);
        if (status !== 200)
          expect(problem).toMatchObject({ status, detail: expect.stringMatching(/./) as string });
      }),
      { numRuns: 150 },
    );
    expect((await get('/v1/health')).status).toBe(200);
  });

  it('answers every path and query', async () => {
    const { get } = await operated([shop()]);
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('..', '%', '%2e%2e', '%00', '__proto__', 'toString', 'shop_order/call'),
    );
    const encoded = part.map((text) => (text.includes('%') ? text : encodeURIComponent(text)));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...GETS), encoded, encoded, async (path, more, query) => {
        for (const url of [`${path}/${more}`, `${path}?${query}`, `${path}?query=${query}`]) {
          const { status, text } = await get(url);
          expect(status, `${url} ${text}`).toBeLessThan(500);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('outlives clients that go away in the middle of a request', async () => {
    const { origin, get } = await operated([shop()]);
    const { port } = new URL(origin);
    for (const cut of [10, 60, 120]) {
      const socket = connect(Number(port), '127.0.0.1');
      const head = 'POST /v1/tools/shop_order/call HTTP/1.1\r\nHost: localhost\r\n';
      const rest = 'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"argu';
      await new Promise<void>((resolve) =>
        socket.write((head + rest).slice(0, cut), () => resolve()),
      );
      socket.destroy();
    }
    expect((await get('/v1/health')).status).toBe(200);
  });
});
