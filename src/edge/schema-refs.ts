/**
 * References inside an embedded JSON Schema. Only positions where JSON Schema has a schema are looked
 * at: a `$ref` inside `const`, `enum`, `default` or `examples` is data, a property called `$ref` is a
 * name.
 */
import { isObject } from '../protocol/jsonrpc.js';
import { plainStep } from '../protocol/pointer.js';

/** Keywords whose value maps author-chosen names to schemas. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords whose value is data, whatever it looks like. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

const REFERENCES = new Set(['$ref', '$dynamicRef']);

/**
 * The schema as it has to read when it stands at `pointer` (`#/properties/result`) of another. JSON
 * pointers into the document are prefixed; anchors and other documents stay. Below an `$id` of its own
 * a schema is a document of its own, wherever it stands.
 */
export function rebased(schema: unknown, pointer: string): unknown {
  return rewritten(schema, (ref) =>
    ref === '#' || ref.startsWith('#/') ? pointer + ref.slice(1) : ref,
  );
}

/** Pointers into the document that lead nowhere. */
export function danglingRefs(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const dangling: string[] = [];
  const { $id: _ownDocument, ...root } = schema;
  rewritten(root, (ref) => {
    if (ref.startsWith('#/') && !leadsSomewhere(schema, ref)) dangling.push(ref);
    return ref;
  });
  return dangling;
}

function rewritten(node: unknown, rewrite: (ref: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => rewritten(item, rewrite));
  if (!isObject(node) || isDocument(node)) return node;
  return mapValues(node, (value, keyword) => {
    if (REFERENCES.has(keyword) && typeof value === 'string') return rewrite(value);
    if (DATA.has(keyword)) return value;
    if (MAPS.has(keyword) && isObject(value)) {
      return mapValues(value, (schema) => rewritten(schema, rewrite));
    }
    return rewritten(value, rewrite);
  });
}

/** In draft-07 a fragment as `$id` is an anchor and opens no document. */
function isDocument(schema: Record<string, unknown>): boolean {
  const id = schema['$id'];
  return typeof id === 'string' && !id.startsWith('#');
}

/** Own keys only, `__proto__` among them. */
function mapValues(
  source: Record<string, unknown>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) => [key, change(value, key)]),
  );
}

function leadsSomewhere(root: unknown, ref: string): boolean {
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decode(part);
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return false;
    if (at === undefined) return false;
  }
  return true;
}

function decode(part: string): string {
  let plain = part;
  try {
    plain = decodeURIComponent(part);
  } catch {
    // A stray percent sign stands for itself.
  }
  return plainStep(plain);
}
