/**
 * What the modern era wraps around every message: facts about the connection that older revisions
 * exchanged once, in the handshake, and that now ride in each request and each result.
 */
import type { Revision } from '../../generated/revisions.js';
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
} from '../../generated/newest/types.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { ResultContext } from './contract.js';
import { RESERVED_PREFIX } from '../protocol/reserved.js';

export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

export interface RequestEnvelope {
  readonly protocolVersion: Revision;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo?: Implementation;
  /** Absent: the upstream sends no log messages for this request. */
  readonly logLevel?: LoggingLevel;
}

/** Params of a request to a modern upstream. Author keys of `_meta` stay, the envelope's own win. */
export function withRequestEnvelope(params: object | undefined, envelope: RequestEnvelope): object {
  const meta: Record<string, unknown> = {
    ...metaOf(params),
    [PROTOCOL_VERSION_KEY]: envelope.protocolVersion,
    [CLIENT_CAPABILITIES_KEY]: envelope.clientCapabilities,
  };
  if (envelope.clientInfo !== undefined) meta[CLIENT_INFO_KEY] = envelope.clientInfo;
  if (envelope.logLevel !== undefined) meta[LOG_LEVEL_KEY] = envelope.logLevel;
  return { ...params, _meta: meta };
}

/**
 * A result for a modern peer. `cacheable`: a complete result of a method that carries cache hints
 * (server/utilities/caching); hints nobody gave are the narrowest and the shortest.
 */
export function withResultEnvelope(
  result: object,
  resultType: string,
  cacheable: boolean,
  context: ResultContext,
): object {
  const own = result as Enveloped;
  const _meta = { ...metaOf(result), [SERVER_INFO_KEY]: context.serverInfo };
  if (!cacheable) return { resultType, ...result, _meta };
  return {
    resultType,
    ...result,
    ttlMs: context.ttlMs ?? own.ttlMs ?? 0,
    cacheScope: context.cacheScope ?? own.cacheScope ?? 'private',
    _meta,
  };
}

/** The result without all that, and without a `_meta` that held nothing else. */
export function withoutResultEnvelope(result: object): object {
  const {
    resultType: _type,
    ttlMs: _ttl,
    cacheScope: _scope,
    _meta,
    ...rest
  } = result as Enveloped;
  if (!isObject(_meta)) return rest;
  const own = Object.entries(_meta).filter(([key]) => !key.startsWith(RESERVED_PREFIX));
  return own.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(own) };
}

interface Enveloped {
  resultType?: unknown;
  ttlMs?: unknown;
  cacheScope?: unknown;
  _meta?: unknown;
}

function metaOf(value: object | undefined): Record<string, unknown> | undefined {
  const meta = (value as { _meta?: unknown } | undefined)?._meta;
  return isObject(meta) ? meta : undefined;
}
