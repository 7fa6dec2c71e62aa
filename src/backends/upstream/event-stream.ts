/** An event stream (WHATWG HTML, server-sent events) to the data of its events. */
import { createParser } from 'eventsource-parser';
import type { Overlong } from './overlong.js';

/** What becomes of a stream's events. */
export interface EventSink {
  /** Those without data only carry an id, and are not told of. */
  event(data: string, name: string | undefined): void;
  /** Takes those that are longer than its limit; a stream as a whole may be as long as it likes. */
  readonly overlong: Overlong;
}

/** Bounds of the wait that another end may ask for: none has mcpx call on it without a pause. In ms. */
const SHORTEST_RETRY = 100;
const LONGEST_RETRY = 60 * 60_000;

/** Where the stream stands when it has ended. */
export interface StreamPosition {
  /** Of the last event that had an id: from there it can be taken up again. */
  readonly lastId?: string;
  /** How long to wait before that, where the other end has said so; in milliseconds. */
  readonly retry?: number;
}

/** Takes the bytes of a stream as they come. */
export class EventReader {
  readonly #position: { lastId?: string; retry?: number };
  readonly #decoder = new TextDecoder();
  readonly #lines = new LineEnds();
  readonly #events: EventSplitter;

  /** `from`: where it is taken up. */
  constructor(sink: EventSink, from: StreamPosition = {}) {
    this.#position = { ...from };
    const parser = createParser({
      onEvent: ({ id, data, event: name }) => {
        if (id !== undefined) this.#position.lastId = id;
        if (data !== '') sink.event(data, name);
      },
      onRetry: (ms) => {
        this.#position.retry = Math.min(Math.max(ms, SHORTEST_RETRY), LONGEST_RETRY);
      },
    });
    this.#events = new EventSplitter(sink.overlong, (text) => parser.feed(text));
  }

  get position(): StreamPosition {
    return this.#position;
  }

  push(chunk: Buffer): void {
    this.#events.push(this.#lines.next(this.#decoder.decode(chunk, { stream: true })));
  }
}

/**
 * Resolves at the end of the stream, or where it broke and can be taken up again. Rejects where it broke
 * and cannot.
 */
export async function readEvents(
  body: AsyncIterable<Buffer>,
  sink: EventSink,
  from?: StreamPosition,
): Promise<StreamPosition> {
  const reader = new EventReader(sink, from);
  try {
    for await (const chunk of body) reader.push(chunk);
  } catch (error) {
    if (reader.position.lastId === undefined) throw error;
  }
  return reader.position;
}

/** Text to whole events, each with the empty line that ends it. */
class EventSplitter {
  /** The event that has not ended yet, and its bytes. */
  #open = '';
  #length = 0;
  #atLineStart = false;
  #skipping = false;

  constructor(
    private readonly overlong: Overlong,
    private readonly whole: (text: string) => void,
  ) {}

  push(text: string): void {
    let from = 0;
    for (let end = this.#end(text, from); end >= 0; end = this.#end(text, from)) {
      this.#take(text.slice(from, end));
      this.#finish();
      from = end;
    }
    if (from < text.length) this.#take(text.slice(from));
  }

  /** Behind the next empty line, which the last piece may have begun. */
  #end(text: string, from: number): number {
    if (this.#atLineStart && text.startsWith('\n', from)) return from + 1;
    const at = text.indexOf('\n\n', from);
    return at < 0 ? at : at + 2;
  }

  #take(piece: string): void {
    this.#atLineStart = piece.endsWith('\n');
    if (this.#skipping) {
      this.overlong.goesOn(piece);
      return;
    }
    this.#open += piece;
    this.#length += Buffer.byteLength(piece);
    if (this.#length <= this.overlong.limit) return;
    this.#skipping = true;
    this.overlong.begins();
    this.overlong.goesOn(this.#open);
    this.#open = '';
  }

  #finish(): void {
    if (!this.#skipping) this.whole(this.#open);
    this.#open = '';
    this.#length = 0;
    this.#atLineStart = false;
    this.#skipping = false;
  }
}

/**
 * Every line end as LF. The parser holds a CR at the end of what it has until it knows whether an LF
 * follows, and with it the event, for which somebody may be waiting.
 */
class LineEnds {
  #afterCr = false;

  next(text: string): string {
    if (text === '') return text;
    const rest = this.#afterCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}
