/**
 * `Mcp-Name` and `Mcp-Param-*` against the body they mirror (2026-07-28,
 * basic/transports/streamable-http, server validation).
 */
import { RpcError } from '../protocol/errors.js';
import { decodeHeaderValue } from '../protocol/header-value.js';
import { RawNumber } from '../protocol/json.js';
import { MIRRORED_NAMES, annotationsOf, argumentAt } from '../protocol/mirrored.js';
import { headerMismatch } from './classify.js';
import type { MirroredHeaders } from './contract.js';

/** Throws `RpcError` `headerMismatch`. */
export function checkNameHeader(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
  headers: MirroredHeaders,
): void {
  const mirrored = MIRRORED_NAMES.get(method);
  const expected = mirrored === undefined ? undefined : params?.[mirrored.field];
  // Anything but a string the request's own schema refuses.
  if (mirrored === undefined || typeof expected !== 'string') return;
  const raw = headers.name;
  if (raw === undefined && mirrored.optional === true) return;
  if (raw === undefined || decoded('Mcp-Name', raw) !== expected) {
    throw headerMismatch('Mcp-Name', raw, expected);
  }
}

/**
 * Throws `RpcError` `headerMismatch`: an annotated argument without its header, a header without its
 * argument, or one that says something else. `Mcp-Param-*` that no annotation names are ignored.
 */
export function checkParamHeaders(
  inputSchema: object,
  args: Readonly<Record<string, unknown>>,
  headers: MirroredHeaders,
): void {
  for (const { header, path } of annotationsOf(inputSchema)) {
    const raw = headers.param(header);
    const value = argumentAt(args, path);
    if (value === undefined || value === null) {
      if (raw !== undefined) {
        throw new RpcError(
          'headerMismatch',
          `Header Mcp-Param-${header} is there, but the argument /${path.join('/')} is not`,
          { header: `Mcp-Param-${header}` },
        );
      }
    } else if (raw === undefined || !says(decoded(`Mcp-Param-${header}`, raw), value)) {
      throw headerMismatch(`Mcp-Param-${header}`, raw, printed(value));
    }
  }
}

function decoded(header: string, raw: string): string {
  const value = decodeHeaderValue(raw);
  if (value !== undefined) return value;
  throw new RpcError('headerMismatch', `Header ${header} cannot be decoded`, { header });
}

function says(header: string, value: unknown): boolean {
  if (typeof value !== 'number') return header === printed(value);
  return /^[+-]?\d+(?:\.\d+)?$/.test(header) && Number(header) === value;
}

function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  // Beyond the safe integers nothing may be mirrored, so nothing matches.
  if (value instanceof RawNumber) return `${value.literal}, which no header can mirror`;
  return JSON.stringify(value);
}
