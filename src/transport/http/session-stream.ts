/**
 * A stream of a session. It outlives its connection: what is sent meanwhile is kept, and goes to the
 * connection that takes it up again.
 */
import type { EventBuffer, KeptEvent } from './event-buffer.js';
import type { SseStream } from './sse.js';

export interface Resumption {
  /** Whether the client's revision knows event ids (2025-11-25, basic/transports, resumability). */
  readonly ids: boolean;
  readonly retry: number;
}

export class SessionStream {
  #connection: SseStream | undefined;

  constructor(
    readonly number: number,
    private readonly buffer: EventBuffer,
    /** Asked for anew each time: a session may be negotiated anew. */
    private readonly resumption: () => Resumption,
    private readonly ended: (stream: SessionStream) => void,
  ) {}

  get attached(): boolean {
    return this.#connection?.open === true;
  }

  event(text: string): void {
    const connection = this.attached ? this.#connection : undefined;
    const { ids } = this.resumption();
    if (connection !== undefined && !ids) {
      connection.event(text);
      return;
    }
    const kept = this.buffer.append(this.number, text, connection !== undefined);
    connection?.event(text, eventId(kept));
  }

  /** `after`: the number of the last event the client has; without it, it gets what nobody received. */
  attach(connection: SseStream, after?: number): void {
    // The client says by coming again that the former connection is lost.
    this.#connection?.end();
    this.#connection = connection;
    const missed =
      after === undefined
        ? this.buffer.undelivered(this.number)
        : this.buffer.after(this.number, after);
    const { ids, retry } = this.resumption();
    replay(connection, missed, ids);
    // Ids count up: behind a replay there is no need of one, and before it it would be too high.
    if (ids && after === undefined && missed.length === 0) {
      connection.prime(eventId(this.buffer.append(this.number, undefined, true)), retry);
    }
  }

  end(): void {
    this.#connection?.end();
    this.ended(this);
  }
}

export function replay(connection: SseStream, events: readonly KeptEvent[], ids: boolean): void {
  for (const event of events) {
    if (event.text === undefined) continue;
    event.delivered = true;
    connection.event(event.text, ids ? eventId(event) : undefined);
  }
}

function eventId({ stream, number }: KeptEvent): string {
  return `${stream}-${number}`;
}

const EVENT_ID = /^(\d{1,10})-(\d{1,15})$/;

/** Undefined where it is none of ours. */
export function parseEventId(id: string): { stream: number; number: number } | undefined {
  const [, stream, number] = EVENT_ID.exec(id) ?? [];
  if (stream === undefined || number === undefined) return undefined;
  return { stream: Number(stream), number: Number(number) };
}
