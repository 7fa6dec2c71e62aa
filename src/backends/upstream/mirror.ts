/** The headers of a modern request that repeat its body (2026-07-28, basic/transports). */
import { encodeHeaderValue } from '../../protocol/header-value.js';
import { MIRRORED_NAMES, annotationsOf, argumentAt } from '../../protocol/mirrored.js';
import type { Sending } from './channel.js';

export function mirroredHeaders({
  method,
  params = {},
  inputSchema,
}: Sending): Record<string, string> {
  const headers: Record<string, string> = {};
  if (method === undefined) return headers;
  headers['mcp-method'] = method;
  const named = MIRRORED_NAMES.get(method);
  const name = named === undefined ? undefined : params[named.field];
  if (typeof name === 'string') headers['mcp-name'] = encodeHeaderValue(name);
  for (const { header, path } of inputSchema === undefined ? [] : annotationsOf(inputSchema)) {
    const value = argumentAt(params['arguments'], path);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) {
      headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(String(value));
    }
  }
  return headers;
}
