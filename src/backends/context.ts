/** What a handler gets beside its arguments. Made by the server core, one per request. */
import type { LoggingLevel } from '../../generated/newest/types.js';
import type { Peer } from '../protocol/peer.js';

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface RequestContext {
  readonly peer: Peer;
  /** Aborted when the client cancels or goes away. Created on first use. */
  readonly signal: AbortSignal;
  /** The request's `_meta` without the protocol's own keys: author keys and trace context. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether the client asked for progress; `progress` is a no-op where it did not. */
  readonly wantsProgress: boolean;
  /** Values that do not increase are left out (specification: basic/utilities/progress). */
  progress(update: Progress): void;
  /** Sent only if the peer asked for this level or a less severe one. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
}
