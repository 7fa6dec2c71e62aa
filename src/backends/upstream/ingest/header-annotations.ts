/**
 * `x-mcp-header` on the arguments of an upstream's tool (2026-07-28, server/tools). One that breaks the
 * rules makes clients drop the tool: where headers are sent it has to go, elsewhere it means nothing
 * and only the annotations go.
 */
import { isObject } from '../../../protocol/jsonrpc.js';
import { mapInside, type SchemaObject } from './positions.js';

const KEYWORD = 'x-mcp-header';
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVE: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** What is wrong with the first of them that is, in words; undefined if all can be used. */
export function annotationFault(inputSchema: SchemaObject): string | undefined {
  const seen = new Set<string>();
  let fault: string | undefined;
  /** `reachable`: by `properties` alone, so that it is clear which argument is meant. */
  const check = (schema: unknown, pointer: string, reachable: boolean): void => {
    if (!isObject(schema)) return;
    if (KEYWORD in schema) fault ??= faultOf(schema, pointer, reachable, seen);
    mapInside(schema, pointer, (inner, at) => {
      const isProperty = at.startsWith(`${pointer}/properties/`);
      check(inner, at, reachable && isProperty);
      return inner;
    });
  };
  check(inputSchema, '', true);
  return fault;
}

function faultOf(
  schema: SchemaObject,
  pointer: string,
  reachable: boolean,
  seen: Set<string>,
): string | undefined {
  const header = schema[KEYWORD];
  const where = `${pointer}/${KEYWORD}`;
  if (typeof header !== 'string' || !TOKEN.test(header)) {
    return `${where} is ${JSON.stringify(header)}, which no header can be named`;
  }
  if (!reachable || pointer === '') return `${where} is not on an argument`;
  if (!PRIMITIVE.has(schema['type'])) {
    return `${where} is on an argument of type ${JSON.stringify(schema['type'])}; accepted are string, integer, boolean`;
  }
  const name = header.toLowerCase();
  if (seen.has(name)) return `${where} names ${header} for the second time`;
  seen.add(name);
  return undefined;
}

export function withoutAnnotations(inputSchema: SchemaObject): SchemaObject {
  const strip = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema;
    const inside = mapInside(schema, '', strip);
    if (!(KEYWORD in inside)) return inside;
    const { [KEYWORD]: _header, ...rest } = inside;
    return rest;
  };
  return strip(inputSchema) as SchemaObject;
}
