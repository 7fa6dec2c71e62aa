/** An event stream (WHATWG HTML, server-sent events) to the data of its events. */
import { createParser } from 'eventsource-parser';
import { TransportFailure } from './channel.js';

/** Characters of one event; a stream as a whole may be as long as it likes. */
const MAX_EVENT = 64 * 1024 * 1024;

/** Where the stream stands when it has ended. */
export interface StreamPosition {
  /** Of the last event that had an id: from there it can be taken up again. */
  readonly lastId?: string;
  /** How long to wait before that, where the other end has said so; in milliseconds. */
  readonly retry?: number;
}

/** Resolves at the end of the stream, or where it broke. Events without data only carry an id. */
export async function readEvents(
  body: AsyncIterable<Buffer>,
  event: (data: string, name: string | undefined) => void,
): Promise<StreamPosition> {
  let lastId: string | undefined;
  let retry: number | undefined;
  let pending = 0;
  const parser = createParser({
    onEvent: ({ id, data, event: name }) => {
      pending = 0;
      if (id !== undefined) lastId = id;
      if (data !== '') event(data, name);
    },
    onRetry: (ms) => {
      retry = ms;
    },
  });
  const decoder = new TextDecoder();
  const lines = new LineEnds();
  try {
    for await (const chunk of body) {
      pending += chunk.length;
      parser.feed(lines.next(decoder.decode(chunk, { stream: true })));
      if (pending > MAX_EVENT) throw new TransportFailure(`an event has over ${MAX_EVENT} bytes`);
    }
  } catch (error) {
    // A stream that can be taken up again is not lost yet.
    if (error instanceof TransportFailure || lastId === undefined) throw error;
  }
  return { lastId, retry };
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
