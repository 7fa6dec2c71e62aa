/** Where a JSON Schema has schemas inside, whatever its dialect. */
import { isObject } from '../../../protocol/jsonrpc.js';
import { escapedStep } from '../../../protocol/pointer.js';

export type SchemaObject = Record<string, unknown>;

const ONE: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'not'],
  ...['if', 'then', 'else', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
]);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
/** By names that the author has chosen. */
export const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  'dependencies',
]);

/**
 * The schema with all that is inside it changed; itself where nothing is. `change` gets each value at
 * the place of a schema, which a careless author may have made anything, and its pointer.
 */
export function mapInside(
  schema: SchemaObject,
  pointer: string,
  change: (inner: unknown, pointer: string) => unknown,
): SchemaObject {
  return mapMembers(schema, (value, keyword) => {
    const at = `${pointer}/${keyword}`;
    if (LISTS.has(keyword) && Array.isArray(value)) {
      return mapItems(value, (item, index) => change(item, `${at}/${index}`));
    }
    if (MAPS.has(keyword) && isObject(value)) {
      return mapMembers(value, (item, name) =>
        // Of `dependencies` some are schemas, and some are lists of names.
        keyword === 'dependencies' && Array.isArray(item)
          ? item
          : change(item, `${at}/${escapedStep(name)}`),
      );
    }
    return ONE.has(keyword) ? change(value, at) : value;
  });
}

/** Own members only, `__proto__` among them; the object itself where none changes. */
function mapMembers(
  object: SchemaObject,
  change: (value: unknown, key: string) => unknown,
): SchemaObject {
  const before = Object.entries(object);
  const after = before.map(([key, value]) => [key, change(value, key)] as const);
  const same = after.every(([, value], at) => value === before[at]?.[1]);
  return same ? object : Object.fromEntries(after);
}

function mapItems(
  items: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const after = items.map(change);
  return after.some((item, index) => item !== items[index]) ? after : items;
}
