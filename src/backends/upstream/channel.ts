/**
 * What carries frames to one upstream and back: a child process, or an HTTP endpoint. A channel knows
 * how frames travel and nothing of what they mean.
 */
import type { Revision } from '../../../generated/revisions.js';

export interface Sending {
  /** The frame as it goes on the wire. */
  readonly text: string;
  /** Undefined for the answer to a request of the upstream. */
  readonly method: string | undefined;
  /** The id of a request; ids of ours are integers. */
  readonly id?: number;
  /** What headers may have to mirror (2026-07-28, basic/transports). */
  readonly params?: Readonly<Record<string, unknown>>;
  /** `tools/call` only: says which arguments have a header. */
  readonly inputSchema?: object;
}

export interface Channel {
  /** Rejects where the frame was not delivered, or where an answer to it can no longer come. */
  send(sending: Sending): Promise<void>;
  /** Nobody waits for the answer any more. True where the upstream learns of it by that alone. */
  abandon(id: number): boolean;
  /** The revision of what follows, and whether the upstream has agreed to it. */
  speaks(revision: Revision, agreed: boolean): void;
  /** The handshake is over: from now on the upstream may say something unasked. */
  ready(): void;
  /** Resolves when nothing of it is left. The listener hears no more. */
  close(): Promise<void>;
}

export interface ChannelListener {
  /** One parsed value. `via`: the request on whose own stream it came, where the channel can tell. */
  message(value: unknown, via?: number): void;
  /** The answer to a request has come and is not to be had: `what` goes on after "answered … with". */
  unusable(id: number, what: string): void;
  /** It is over, and not because `close` was called. */
  closed(reason: Error): void;
}

export type OpenChannel = (listener: ChannelListener) => Channel;

/** The upstream has forgotten the session, so the frame has had no effect: it may be sent in another one. */
export class SessionExpired extends Error {
  override readonly name = 'SessionExpired';
}

/** The request has not come to anything in the upstream's protocol: an HTTP status, a refused connection. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';

  constructor(
    message: string,
    /** HTTP status, where there was an answer at all. */
    readonly status?: number,
  ) {
    super(message);
  }

  static of(error: unknown): TransportFailure {
    if (error instanceof TransportFailure) return error;
    return new TransportFailure(error instanceof Error ? error.message : String(error));
  }
}
