/**
 * `Mcp-Name` and `Mcp-Param-*` against the body they mirror (2026-07-28,
 * basic/transports/streamable-http, server validation).
 */
import { RpcError } from '../protocol/errors.js';
import { RawNumber } from '../protocol/json.js';
import { isObject } from '../protocol/jsonrpc.js';
import { headerMismatch } from './classify.js';
import type { MirroredHeaders } from './contract.js';
import { decodeHeaderValue } from './header-value.js';

/** What `Mcp-Name` mirrors. Clients of the tasks extension were not all told of theirs. */
const NAMED: ReadonlyMap<string, { field: string; optional?: boolean }> = new Map([
  ['tools/call', { field: 'name' }],
  ['prompts/get', { field: 'name' }],
  ['resources/read', { field: 'uri' }],
  ['tasks/get', { field: 'taskId', optional: true }],
  ['tasks/update', { field: 'taskId', optional: true }],
  ['tasks/cancel', { field: 'taskId', optional: true }],
]);

/** Throws `RpcError` `headerMismatch`. */
export function checkNameHeader(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
  headers: MirroredHeaders,
): void {
  const mirrored = NAMED.get(method);
  const expected = mirrored === undefined ? undefined : params?.[mirrored.field];
  // Anything but a string the request's own schema refuses.
  if (mirrored === undefined || typeof expected !== 'string') return;
  const raw = headers.name;
  if (raw === undefined && mirrored.optional === true) return;
  if (raw === undefined || decoded('Mcp-Name', raw) !== expected) {
    throw headerMismatch('Mcp-Name', raw, expected);
  }
}

interface Annotation {
  /** As written, for messages. */
  readonly header: string;
  readonly path: readonly string[];
}

const annotations = new WeakMap<object, readonly Annotation[]>();

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
    const value = valueAt(args, path);
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

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** Only what `properties` leads to counts; an annotation anywhere else names no argument. */
function annotationsOf(inputSchema: object): readonly Annotation[] {
  const known = annotations.get(inputSchema);
  if (known !== undefined) return known;
  const found: Annotation[] = [];
  collect(inputSchema, [], found);
  annotations.set(inputSchema, found);
  return found;
}

const MAX_NESTING = 32;

function collect(schema: unknown, path: readonly string[], found: Annotation[]): void {
  if (!isObject(schema) || path.length > MAX_NESTING) return;
  const header = schema['x-mcp-header'];
  if (typeof header === 'string' && header !== '' && path.length > 0) found.push({ header, path });
  const properties = schema['properties'];
  if (!isObject(properties)) return;
  for (const name of Object.keys(properties)) collect(properties[name], [...path, name], found);
}
