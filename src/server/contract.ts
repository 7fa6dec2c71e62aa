/**
 * What lies between a transport and the server core. A transport knows bytes, streams and headers;
 * the core knows methods and peers. Neither imports the other's files, only this one.
 */
import type { Implementation } from '../../generated/newest/types.js';
import type { Artifacts } from '../backends/artifacts/artifacts.js';
import type { Backend, BackendStatus } from '../backends/backend.js';
import type { Directory } from '../backends/directory.js';
import type { Diagnostics } from '../protocol/diagnostics.js';
import type { Peer } from '../protocol/peer.js';
import type { Broker } from '../questions/broker.js';
import type { TaskRecord } from '../store/record.js';
import type { TaskStore } from '../store/store.js';
import type { ChangingList } from '../subscriptions/filter.js';
import type { MethodFigures } from './meter.js';
import type { AdjustableSettings, CoreSettings } from './settings.js';
import type { JSONRPCNotification, JSONRPCRequest, RequestId } from '../protocol/jsonrpc.js';

/** A reply as it goes on the wire: projected for the peer, checked, serialised. */
export interface Reply {
  readonly text: string;
  /** The JSON-RPC error code, where it is an error; HTTP derives its status from this alone. */
  readonly errorCode?: number;
  /** Refused for want of room before anything ran (HTTP: 503). */
  readonly overloaded?: true;
}

/** Headers that mirror the body (2026-07-28, basic/transports). Undefined where the header is absent. */
export interface MirroredHeaders {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** Raw value of `Mcp-Param-<name>`, name compared without case. */
  param(name: string): string | undefined;
  /** Names (lower case, without the prefix) of all `Mcp-Param-*` headers present. */
  paramNames(): readonly string[];
}

/** A client that stays: one stdio process, or one legacy HTTP session. */
export interface Connecting {
  /** Writes a frame that belongs to no request. */
  readonly push: (text: string) => void;
  /** Whether the peer gets at once what is pushed; absent: it always does. */
  readonly hears?: () => boolean;
  readonly principal?: string;
}

export interface Connection {
  /** The peer that `initialize` negotiated; undefined before it. */
  readonly legacyPeer: Peer | undefined;
  readonly closed: boolean;
  /**
   * Asks a legacy client (`ping`; questions later). `via` writes the request, the connection's `push`
   * unless given. Resolves to the newest-shape result; rejects with the client's `RpcError`, or when the
   * signal aborts (the client is then told that the request is cancelled), or when the connection closes.
   */
  ask(
    method: string,
    params?: object,
    options?: { via?: (text: string) => void; signal?: AbortSignal },
  ): Promise<object>;
  /** Ends the subscription streams in good order, then waits for requests in flight, `graceMs` at most. */
  drain(graceMs: number): Promise<void>;
  /** Ends all that the connection holds: requests in flight, subscriptions, questions. */
  close(): void;
}

/** One request, as the transport hands it in. */
export interface Exchange {
  /** The lasting connection, or undefined for a stateless HTTP request. */
  readonly connection: Connection | undefined;
  /** HTTP only. */
  readonly headers?: MirroredHeaders;
  readonly principal?: string;
  /** The frame came as an element of a batch. */
  readonly batched?: boolean;
  /** A frame that belongs to this request and precedes its reply (progress, log, listen notifications). */
  send(text: string): void;
}

/** A request in flight, for the transport to cancel or to forget. */
export interface Pending {
  readonly id: RequestId;
  /** Resolves to undefined when the reply is withheld (cancelled). */
  readonly reply: Reply | Promise<Reply | undefined>;
  /** The client went away or cancelled: aborts the handler, withholds the reply. */
  cancel(reason?: string): void;
  /** Set where the request lasts until somebody ends it (a listen stream): ends it in good order. */
  readonly endStream?: (() => void) | undefined;
}

/**
 * How a backend's names reach the client. `own`: as they are, in the backend's order (mcpx's own
 * tools, pass-through upstreams). `namespaced`: `<namespace>_<name>` and `mcpx://<namespace>/<uri>`,
 * sorted by name.
 */
export interface Mount {
  readonly backend: Backend;
  readonly names: 'own' | 'namespaced';
}

/** Backends that go, and backends that come in their place or anew. */
export interface Remounting {
  readonly removed: readonly Mount[];
  /** Not started. */
  readonly added: readonly Mount[];
}

export interface CoreOptions {
  /** Who mcpx says it is. */
  readonly info: Implementation;
  readonly instructions?: string;
  readonly mounts: readonly Mount[];
  readonly settings?: Partial<CoreSettings>;
  readonly diagnostics?: Diagnostics;
  /** Takes the questions that clients cannot be asked. Without it those fail. */
  readonly broker?: Broker;
  /** Where tasks are kept; in memory unless given. Closed with the core. */
  readonly store?: TaskStore;
  /** Keeps what is too large for the results of namespaced backends. Without it everything goes inline. */
  readonly artifacts?: Artifacts;
}

/** What happens inside, for whoever looks after mcpx. */
export type CoreEvent =
  | { readonly kind: 'listChanged'; readonly list: ChangingList }
  | { readonly kind: 'taskChanged'; readonly task: TaskRecord }
  | { readonly kind: 'backendChanged'; readonly namespace: string; readonly status: BackendStatus };

/** What the core has in hand just now, and what it has had. */
export interface CoreLoad {
  /** Requests, without streams. */
  readonly inFlight: number;
  /** `subscriptions/listen` streams. */
  readonly streams: number;
  /** stdio clients and legacy HTTP sessions. */
  readonly connections: number;
  /** Backends that were taken away, and still have calls to bring to their end. */
  readonly leaving: number;
  readonly methods: ReadonlyMap<string, Readonly<MethodFigures>>;
  /** Requests that no handler has seen: no such method, no such revision, no room. */
  readonly refused: number;
}

/** Made by `createCore` in `core.ts`. */
export interface Core {
  readonly settings: CoreSettings;
  readonly diagnostics: Diagnostics;
  /** What is mounted, for tools and operations of mcpx's own. */
  readonly directory: Directory;
  readonly load: CoreLoad;
  /** `starting` until every backend has been tried, `closing` from `close` on. */
  readonly phase: 'starting' | 'serving' | 'closing';
  /** Every task that is kept, whoever owns it. */
  tasks(): readonly TaskRecord[];
  /** Gives the function that ends it. */
  observe(listener: (event: CoreEvent) => void): () => void;
  /**
   * Starts the backends. One that fails is logged and left out; the others serve. Changes of lists are
   * told from then on.
   */
  start(): Promise<void>;
  /** Holds from now on, also for what is in hand where it is still to be looked up. */
  adjust(settings: AdjustableSettings): void;
  /**
   * Changes what is behind mcpx while it serves. What is removed gets no new calls, and goes when those
   * in hand have ended. Never rejects; one that does not start is left out until it does.
   */
  remount(change: Remounting): Promise<void>;
  /** A connection for a peer that stays. */
  connect(options: Connecting): Connection;
  /** Classifies, validates, dispatches. Never throws and never rejects. */
  request(frame: JSONRPCRequest, exchange: Exchange): Pending;
  /** Never answered. Unknown ones are counted. */
  notification(frame: JSONRPCNotification, exchange: Exchange): void;
  /** True if the response answered an open server-to-client request. */
  response(frame: unknown, exchange: Exchange): boolean;
  /** Stops taking requests, waits for those in flight up to `graceMs`, then cancels them. */
  close(graceMs: number): Promise<void>;
}
