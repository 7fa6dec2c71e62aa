/**
 * What lies between a transport and the server core. A transport knows bytes, streams and headers;
 * the core knows methods and peers. Neither imports the other's files, only this one.
 */
import type { Peer } from '../protocol/peer.js';
import type { JSONRPCNotification, JSONRPCRequest, RequestId } from '../protocol/jsonrpc.js';

/** A reply as it goes on the wire: projected for the peer, checked, serialised. */
export interface Reply {
  readonly text: string;
  /** The JSON-RPC error code, where it is an error; HTTP derives its status from this alone. */
  readonly errorCode?: number;
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
export interface Connection {
  /** The peer that `initialize` negotiated; undefined before it. */
  readonly legacyPeer: Peer | undefined;
  /** Called by the core on every frame that belongs to no request of the peer's (list changes, updates). */
  readonly closed: boolean;
  /** Ends all that the connection holds: requests in flight, subscriptions. */
  close(): void;
}

/** One request, as the transport hands it in. */
export interface Exchange {
  /** The lasting connection, or undefined for a stateless HTTP request. */
  readonly connection: Connection | undefined;
  /** HTTP only. */
  readonly headers?: MirroredHeaders;
  readonly principal?: string;
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
}

export interface Core {
  /** A connection for a peer that stays; `push` writes a frame that belongs to no request. */
  connect(options: { push(text: string): void; principal?: string }): Connection;
  /** Classifies, validates, dispatches. Never throws and never rejects. */
  request(frame: JSONRPCRequest, exchange: Exchange): Pending;
  /** Never answered. Unknown ones are counted. */
  notification(frame: JSONRPCNotification, exchange: Exchange): void;
  /** True if the response answered an open server-to-client request. */
  response(frame: unknown, exchange: Exchange): boolean;
  /** Stops taking requests, waits for those in flight up to `graceMs`, then cancels them. */
  close(graceMs: number): Promise<void>;
}
