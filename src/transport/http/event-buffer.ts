/**
 * What a session remembers of its streams: events that nobody has received yet, and, where streams can
 * be resumed, those of late. One buffer for all streams of the session, so that it has one bound.
 */
import type { Diagnostics } from '../../protocol/diagnostics.js';

export interface KeptEvent {
  readonly stream: number;
  /** Counts up over all streams of the session. */
  readonly number: number;
  /** Undefined for an event that only gave the client an id. */
  readonly text: string | undefined;
  delivered: boolean;
}

export interface BufferSettings {
  readonly maxKeptEvents: number;
  readonly maxKeptBytes: number;
}

export class EventBuffer {
  readonly #events: KeptEvent[] = [];
  #bytes = 0;
  #last = 0;

  constructor(
    private readonly settings: BufferSettings,
    private readonly diagnostics: Diagnostics,
  ) {}

  append(stream: number, text: string | undefined, delivered: boolean): KeptEvent {
    const event: KeptEvent = { stream, number: ++this.#last, text, delivered };
    this.#events.push(event);
    this.#bytes += sizeOf(event);
    while (this.#isFull()) this.#forgetOldest();
    return event;
  }

  #isFull(): boolean {
    if (this.#events.length <= 1) return false;
    const { maxKeptEvents, maxKeptBytes } = this.settings;
    return this.#events.length > maxKeptEvents || this.#bytes > maxKeptBytes;
  }

  #forgetOldest(): void {
    const oldest = this.#events.shift();
    if (oldest === undefined) return;
    this.#bytes -= sizeOf(oldest);
    if (!oldest.delivered) this.diagnostics.note('event-lost', { stream: oldest.stream });
  }

  /** Whether the event is still there, and with it all that came after it. */
  has(stream: number, number: number): boolean {
    return this.#events.some((event) => event.number === number && event.stream === stream);
  }

  /** Events of a stream with something in them, later than the number. */
  after(stream: number, number: number): readonly KeptEvent[] {
    return this.#events.filter(
      (event) => event.stream === stream && event.number > number && event.text !== undefined,
    );
  }

  undelivered(stream: number): readonly KeptEvent[] {
    return this.#events.filter((event) => event.stream === stream && !event.delivered);
  }
}

function sizeOf({ text }: KeptEvent): number {
  return text === undefined ? 0 : Buffer.byteLength(text);
}
