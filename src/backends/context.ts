/** What a handler gets beside its arguments. Made by the server core, one per request. */
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
  LoggingLevel,
} from '../../generated/newest/types.js';
import type { Cancellation } from '../protocol/cancellation.js';
import type { Peer } from '../protocol/peer.js';

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** What a handler or an upstream wants to know of the client. */
export type Question =
  | { method: 'elicitation/create'; params: ElicitRequestParams }
  | { method: 'sampling/createMessage'; params: CreateMessageRequestParams }
  | { method: 'roots/list'; params?: object };

export interface AskOptions {
  /**
   * Names the question among those of the request; asked again under its key it is another one.
   * Questions without a key are numbered in the order in which they are asked, which has to be the same
   * if the handler runs again.
   */
  key?: string;
  /** Who wants to know, for whoever is asked in the client's place: the name of an upstream. */
  from?: string;
  /** Whoever asks judges for himself what was filled in: of the answer only the shape is looked at. */
  verbatim?: boolean;
  /** Nobody but the client will do: the question never goes to the broker. */
  directly?: boolean;
  /** Whoever asks does not want to know any more: the promise rejects with its reason. */
  signal?: AbortSignal;
}

export interface RequestContext {
  readonly peer: Peer;
  /**
   * Whose request it is, the same over all requests of a session or of a principal: what is kept for one
   * caller is no other's. Empty: nobody can tell, and what is kept is for whoever knows its name.
   */
  readonly caller: string;
  /** Aborted when the client cancels or goes away. Created on first use. */
  readonly signal: AbortSignal;
  /** Says the same, for whoever only listens. Cheaper: of use to those that take thousands of calls. */
  readonly cancellation: Cancellation;
  /** The request's `_meta` without the protocol's own keys: author keys and trace context. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether the client asked for progress; `progress` is a no-op where it did not. */
  readonly wantsProgress: boolean;
  /** Values that do not increase are left out (specification: basic/utilities/progress). */
  progress(update: Progress): void;
  /** Sent only if the peer asked for this level or a less severe one. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
  /** Whether `ask` would reach somebody who can answer. */
  canAsk(question: Question, options?: Pick<AskOptions, 'directly'>): boolean;
  /**
   * Puts a question in the way of the client's era. Where the client cannot be asked it goes to the
   * broker, if there is one. Rejects with `RpcError` `missingCapability` where there is none, with an
   * `Error` where the client answered with an error or not at all. A client of the modern era answers
   * with a new request: the handler stays where it is meanwhile, and is run again from its start, with
   * the answers given so far at hand, only where the answer comes too late or to another process.
   */
  ask(question: Question, options?: AskOptions): Promise<object>;
  elicit(params: ElicitRequestParams, options?: AskOptions): Promise<ElicitResult>;
  sample(params: CreateMessageRequestParams, options?: AskOptions): Promise<CreateMessageResult>;
  listRoots(options?: AskOptions): Promise<ListRootsResult>;
  /** It will take long: a client that can have a task instead of the answer gets one now. */
  takesLong(): void;
}
