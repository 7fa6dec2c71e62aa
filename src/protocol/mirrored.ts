/**
 * Which parts of a request HTTP headers repeat (2026-07-28, basic/transports/streamable-http): checked
 * where mcpx is the server, written where it is the client.
 */
import { wholeNumber } from './json.js';
import { isObject } from './jsonrpc.js';

export interface MirroredName {
  /** The field of the params that `Mcp-Name` repeats. */
  readonly field: string;
  /** Clients of the tasks extension were not all told of theirs. */
  readonly optional?: boolean;
}

export const MIRRORED_NAMES: ReadonlyMap<string, MirroredName> = new Map([
  ['tools/call', { field: 'name' }],
  ['prompts/get', { field: 'name' }],
  ['resources/read', { field: 'uri' }],
  ['tasks/get', { field: 'taskId', optional: true }],
  ['tasks/update', { field: 'taskId', optional: true }],
  ['tasks/cancel', { field: 'taskId', optional: true }],
]);

/** An argument that `Mcp-Param-<header>` repeats. */
export interface Annotation {
  /** As written, for messages. */
  readonly header: string;
  readonly path: readonly string[];
}

const annotations = new WeakMap<object, readonly Annotation[]>();

/** Only what `properties` leads to counts; an annotation anywhere else names no argument. */
export function annotationsOf(inputSchema: object): readonly Annotation[] {
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

export function argumentAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return wholeNumber(value);
}
