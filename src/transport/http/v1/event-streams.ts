/** `/v1/events`: everybody who watches gets what happens from then on. */
import type { FastifyReply } from 'fastify';
import { watch } from '../../../operations/events.js';
import { Refused, type House } from '../../../operations/operation.js';
import { SseStream, type SseSettings } from '../sse.js';

/** Streams at once; for people and programs that look after mcpx, not for clients. */
const MOST = 100;

export class EventStreams {
  readonly #streams = new Set<SseStream>();

  constructor(
    private readonly house: House,
    private readonly settings: SseSettings,
  ) {}

  /** Takes the reply over. Throws `Refused` where there is no room. */
  open(reply: FastifyReply): void {
    if (this.#streams.size >= MOST) throw new Refused(503, `${MOST} streams are open already`);
    const stream = new SseStream(reply, this.settings, this.house.core.diagnostics);
    this.#streams.add(stream);
    stream.flush();
    const leave = watch(this.house, (event) => stream.event(JSON.stringify(event)));
    stream.onClose(() => {
      leave();
      this.#streams.delete(stream);
    });
  }

  endAll(): void {
    for (const stream of [...this.#streams]) stream.end();
  }
}
