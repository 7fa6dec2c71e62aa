/** JSON-RPC 2.0 frames, and what makes a value one. Knows no method and no revision. */
import { RawNumber } from './json.js';

export const JSONRPC_VERSION = '2.0';

/** An id goes back exactly as it came, so one too large for a double is kept as its literal. */
export type RequestId = string | number | RawNumber;

export interface JSONRPCRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: Record<string, unknown>;
}

export interface JSONRPCNotification {
  jsonrpc: '2.0';
  method: string;
  params?: Record<string, unknown>;
}

export interface JSONRPCResult {
  jsonrpc: '2.0';
  id: RequestId;
  result: Record<string, unknown>;
}

export interface JSONRPCError {
  jsonrpc: '2.0';
  id?: RequestId;
  error: { code: number; message: string; data?: unknown };
}

export type Sorted =
  | { kind: 'request'; frame: JSONRPCRequest }
  | { kind: 'notification'; frame: JSONRPCNotification }
  | { kind: 'response'; frame: JSONRPCResult | JSONRPCError }
  | { kind: 'invalid'; reason: string; id: RequestId | undefined };

/**
 * Sorts one parsed value (never an array: batches are the transport's). `invalid` carries the id to
 * answer with, where the value had a usable one. The MCP schemas narrow JSON-RPC: ids are strings or
 * integers, never null; params and results are objects.
 */
export function sortFrame(value: unknown): Sorted {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('a message has to be a JSON object', undefined);
  }
  const frame = value as Record<string, unknown>;
  const id = usableId(frame['id']);
  if (frame['jsonrpc'] !== JSONRPC_VERSION) {
    return invalid('/jsonrpc has to be the string "2.0"', id);
  }
  const hasId = 'id' in frame;
  if ('method' in frame) {
    if (typeof frame['method'] !== 'string') return invalid('/method has to be a string', id);
    if (hasId && id === undefined) {
      return invalid('/id has to be a string or an integer', undefined);
    }
    if ('params' in frame && !isObject(frame['params'])) {
      return invalid('/params has to be an object', id);
    }
    return hasId
      ? { kind: 'request', frame: value as JSONRPCRequest }
      : { kind: 'notification', frame: value as JSONRPCNotification };
  }
  if ('result' in frame) {
    if (id === undefined) return invalid('a result needs the /id of its request', undefined);
    if (!isObject(frame['result'])) return invalid('/result has to be an object', id);
    return { kind: 'response', frame: value as JSONRPCResult };
  }
  if ('error' in frame) {
    if (!isErrorObject(frame['error'])) {
      return invalid('/error needs an integer code and a string message', id);
    }
    return { kind: 'response', frame: value as JSONRPCError };
  }
  return invalid('a message needs one of /method, /result, /error', id);
}

/** The id if it may be one: a string or an integer. */
export function usableId(id: unknown): RequestId | undefined {
  if (typeof id === 'string') return id;
  if (typeof id === 'number') return Number.isInteger(id) ? id : undefined;
  return id instanceof RawNumber && /^-?[0-9]+$/.test(id.literal) ? id : undefined;
}

/** A key that keeps `1` and `"1"` apart, as the specification does. */
export function idKey(id: RequestId): string | number {
  return typeof id === 'string' ? `"${id}` : typeof id === 'number' ? id : `#${id.literal}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RawNumber)
  );
}

function isErrorObject(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}

function invalid(reason: string, id: RequestId | undefined): Sorted {
  return { kind: 'invalid', reason, id };
}
