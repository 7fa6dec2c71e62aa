/** The stream that a legacy session has beside those of its requests. Upstreams need not have one. */
import type { Dispatcher } from 'undici';
import { readEvents, type EventSink, type StreamPosition } from './event-stream.js';
import { STREAM_TYPE, mediaType } from './http-headers.js';
import { RECONNECT, pause } from './pause.js';

export interface OwnStream {
  /** Asks for it: from the start, or from behind the event. */
  open(lastId: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  /** What takes the events of one connection. */
  events(): EventSink;
  /** It was there, and now it is not to be found: the upstream has forgotten the session. */
  forgotten(): void;
  failed(error: unknown): void;
}

/** Opens it again whenever it ends, until the signal aborts or the upstream says that it has none. */
export async function follow(stream: OwnStream, signal: AbortSignal): Promise<void> {
  let wasThere = false;
  for (let position: StreamPosition = {}; ;) {
    try {
      const { statusCode: status, headers, body } = await stream.open(position.lastId, signal);
      if (status !== 200 || mediaType(headers['content-type']) !== STREAM_TYPE) {
        await body.dump();
        // One that has no such stream may well say so with 404, and not with 405.
        if (status === 404 && wasThere) stream.forgotten();
        return;
      }
      wasThere = true;
      position = await readEvents(body, stream.events(), position);
    } catch (error) {
      if (signal.aborted) return;
      stream.failed(error);
    }
    await pause(position.retry ?? RECONNECT, signal);
    if (signal.aborted) return;
  }
}
