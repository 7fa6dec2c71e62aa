/**
 * Who is asking: from a request, its headers and its connection to the peer it is answered as, or to
 * the error it is refused with. The body decides before the header does; the order of the checks is
 * part of the behaviour (a client falls back to another era on what it is told).
 */
import { NEWEST, NEWEST_LEGACY, OLDEST, eraOf, type Revision } from '../../generated/revisions.js';
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
} from '../../generated/newest/types.js';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
} from '../edge/envelope.js';
import { RpcError, invalidParams, unsupportedVersion } from '../protocol/errors.js';
import { isObject, type JSONRPCRequest } from '../protocol/jsonrpc.js';
import { LOGGING_LEVELS, isLoggingLevel } from '../protocol/logging-levels.js';
import type { Peer } from '../protocol/peer.js';
import type { MirroredHeaders } from './contract.js';
import {
  HEADERLESS,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  isRevision,
  namesModernEra,
} from './era.js';
import { escapedStep } from '../protocol/pointer.js';

/** What classification looks at beside the frame. */
export interface Origin {
  /** HTTP only. */
  readonly headers?: MirroredHeaders;
  readonly principal?: string;
  readonly batched?: boolean;
}

/** An error and the revision it is spelled for. */
export interface Refused {
  readonly error: RpcError;
  readonly revision: Revision;
}

/** The level at which a legacy client hears of what it named no level for (it may be told anything). */
const UNASKED_LEVEL: LoggingLevel = 'info';

const HANDSHAKE = 'initialize';

/**
 * Methods that no batch may have: what follows `initialize` depends on it, and the answers of a batch
 * come together, so that they would all wait for the end of a listen stream.
 */
const ALONE: readonly string[] = [HANDSHAKE, 'subscriptions/listen'];

/** `legacyPeer`: who `initialize` on this connection made of the client. */
export function classify(
  frame: JSONRPCRequest,
  origin: Origin,
  legacyPeer: Peer | undefined,
): Peer | Refused {
  const header = origin.headers?.protocolVersion;
  if (!speaksModern(frame, header)) return legacy(frame, origin, header, legacyPeer);
  const meta = frame.params?.['_meta'];
  return modern(frame, origin, isObject(meta) ? meta : {}, header);
}

/**
 * Whether a message is of the modern era: its body decides, then the version header (HTTP). A handshake
 * never fails for its version (2025-11-25, basic/lifecycle): there the header says nothing yet.
 */
export function speaksModern(
  frame: { readonly method?: unknown; readonly params?: Readonly<Record<string, unknown>> },
  header: string | undefined,
): boolean {
  const meta = frame.params?.['_meta'];
  if (isObject(meta) && meta[PROTOCOL_VERSION_KEY] !== undefined) return true;
  return header !== undefined && frame.method !== HANDSHAKE && namesModernEra(header);
}

function legacy(
  frame: JSONRPCRequest,
  origin: Origin,
  header: string | undefined,
  legacyPeer: Peer | undefined,
): Peer | Refused {
  const served = (LEGACY_REVISIONS as readonly (string | undefined)[]).includes(header);
  if (header !== undefined && !served && frame.method !== HANDSHAKE) {
    const revision = legacyPeer?.revision ?? NEWEST_LEGACY;
    return { error: unsupportedVersion(header, LEGACY_REVISIONS), revision };
  }
  const peer = legacyPeer ?? undeclared(origin, served ? (header as Revision) : undefined);
  if (origin.batched === true && ALONE.includes(frame.method)) {
    const error = new RpcError('invalidRequest', `${frame.method} cannot be part of a batch`);
    return { error, revision: peer.revision };
  }
  return peer;
}

function undeclared(origin: Origin, header: Revision | undefined): Peer {
  const silent = origin.headers !== undefined || origin.batched === true ? HEADERLESS : OLDEST;
  return legacyPeerOf(header ?? silent, {}, undefined, origin.principal);
}

export function legacyPeerOf(
  revision: Revision,
  capabilities: ClientCapabilities,
  info: Implementation | undefined,
  principal: string | undefined,
): Peer {
  return { revision, era: 'legacy', capabilities, info, principal, logLevel: UNASKED_LEVEL };
}

function modern(
  frame: JSONRPCRequest,
  origin: Origin,
  meta: Record<string, unknown>,
  header: string | undefined,
): Peer | Refused {
  const named = meta[PROTOCOL_VERSION_KEY];
  if (typeof named !== 'string') return refused(malformed(PROTOCOL_VERSION_KEY, 'a string'));
  const { headers } = origin;
  if (headers !== undefined && header !== named) {
    return refused(headerMismatch('MCP-Protocol-Version', header, named));
  }
  if (!isRevision(named) || eraOf(named) !== 'modern') {
    return refused(unsupportedVersion(named, MODERN_REVISIONS));
  }
  if (origin.batched === true) {
    return refused(new RpcError('invalidRequest', `${named} has no batches`), named);
  }
  const capabilities = meta[CLIENT_CAPABILITIES_KEY];
  if (!isObject(capabilities)) {
    return refused(malformed(CLIENT_CAPABILITIES_KEY, 'an object'), named);
  }
  const logLevel = meta[LOG_LEVEL_KEY];
  if (logLevel !== undefined && !isLoggingLevel(logLevel)) {
    const expected = `one of ${LOGGING_LEVELS.join(', ')}`;
    return refused(malformed(LOG_LEVEL_KEY, expected), named);
  }
  if (headers !== undefined && headers.method !== frame.method) {
    return refused(headerMismatch('Mcp-Method', headers.method, frame.method), named);
  }
  return {
    revision: named,
    era: 'modern',
    capabilities,
    info: meta[CLIENT_INFO_KEY] as Implementation | undefined,
    logLevel,
    principal: origin.principal,
  };
}

function refused(error: RpcError, revision: Revision = NEWEST): Refused {
  return { error, revision };
}

function malformed(key: string, expected: string): RpcError {
  const pointer = `/params/_meta/${escapedStep(key)}`;
  return invalidParams(`${pointer} has to be ${expected}`, { pointer });
}

/** `given` is what the header says, undefined where it is missing. */
export function headerMismatch(
  header: string,
  given: string | undefined,
  expected: string,
): RpcError {
  const found = given === undefined ? 'is missing' : `says ${JSON.stringify(given)}`;
  return new RpcError(
    'headerMismatch',
    `Header ${header} ${found}, the body says ${JSON.stringify(expected)}`,
    { header },
  );
}
