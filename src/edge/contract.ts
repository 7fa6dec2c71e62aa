/**
 * The edge: the one place where a message changes between the newest shape and a peer's revision.
 * One `Edge` per revision, made once; it holds no state of any peer.
 */
import type { Era, Revision } from '../../generated/revisions.js';
import type { Implementation, Tool } from '../../generated/newest/types.js';
import type { RpcError } from '../protocol/errors.js';
import type { RequestId } from '../protocol/jsonrpc.js';

/** What a result needs besides itself. */
export interface ResultContext {
  /** Goes into a modern result's `_meta`. */
  readonly serverInfo: Implementation;
  /** Cache hints, for complete results of the methods that carry them. */
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
  /** `tools/call` only: the tool as listed, so that list and call agree on wrapping. */
  readonly tool?: Tool;
}

export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** What a conversion that cannot represent a message says instead. */
export interface Refusal {
  readonly refused: string;
}

export interface Edge {
  readonly revision: Revision;
  readonly era: Era;

  /** Newest-shape result of `method` → the peer's, envelope included. Throws `RpcError` (internal) for an unknown `resultType`. */
  result(method: string, result: object, context: ResultContext): object;
  /** Newest-shape params → the peer's. `undefined`: the peer's revision has no such notification, or no way to say it. */
  notification(
    method: string,
    params: object | undefined,
  ): { params: object | undefined } | undefined;
  /** A request mcpx sends (to a client: sampling, elicitation, roots; to an upstream: everything else). */
  request(method: string, params: object | undefined): { params: object | undefined } | Refusal;
  /** The one error class → code, message and data as the peer's revision has them. */
  error(error: RpcError): ErrorObject;

  /** What a peer of this revision sent, lifted to the newest shape (missing `resultType` is `complete`, …). */
  liftResult(method: string, result: object): object;
  liftError(method: string, error: ErrorObject): RpcError;
}

/** Which frame leaves, for the strict check. */
export interface Outgoing {
  readonly revision: Revision;
  /** The role mcpx has towards this peer. */
  readonly sender: 'server' | 'client';
  readonly kind: 'request' | 'notification' | 'result' | 'error';
  /** The method, for a result that of the request it answers. */
  readonly method: string | undefined;
}

export type OutgoingCheckMode = 'off' | 'warn' | 'error';

export interface Violation {
  readonly outgoing: Outgoing;
  /** JSON pointer into the frame. */
  readonly pointer: string;
  readonly message: string;
  /** `schema`: not valid; `foreign`: another revision's field; `embedded`: an embedded schema that is not JSON Schema; `method`: not in this revision. */
  readonly kind: 'schema' | 'foreign' | 'embedded' | 'method';
  /** The keyword of JSON Schema that was broken, with kind `schema`. */
  readonly keyword?: string;
  readonly id?: RequestId;
}
