/**
 * Schemas of older dialects in the words of 2020-12, which is all that newer clients read. To take the
 * declaration away would change what a schema means: `items` with an array, for one.
 */
import { isNumber } from '../../../protocol/json.js';
import { isObject } from '../../../protocol/jsonrpc.js';
import { MAPS, mapInside, type SchemaObject } from './positions.js';
import { plainStep } from '../../../protocol/pointer.js';

export const NEWEST_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Without the empty fragment that some of them are written with. */
const OLDER: ReadonlySet<string> = new Set([
  'http://json-schema.org/draft-04/schema',
  'http://json-schema.org/draft-06/schema',
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
]);
/** In these a reference stands alone: what is beside it counts for nothing. */
const REFERENCE_STANDS_ALONE = /draft-0\d/;
/** Says something about the place, not about the value, so it may stay beside a reference. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['$ref', '$schema', '$id', 'id', '$comment', 'title', 'description', 'default', 'examples'],
  ...['definitions', '$defs', 'readOnly', 'writeOnly', 'deprecated'],
]);

export function isOlderDialect(declared: unknown): declared is string {
  return (
    typeof declared === 'string' &&
    OLDER.has(plain(declared).replace(/^https(?=.*draft-0)/, 'http'))
  );
}

export function isNewestDialect(declared: unknown): boolean {
  return typeof declared === 'string' && plain(declared) === NEWEST_DIALECT;
}

function plain(dialect: string): string {
  return dialect.replace(/#$/, '');
}

/** `root` declares one of the older dialects. */
export function inNewestDialect(root: SchemaObject): SchemaObject {
  const alone = REFERENCE_STANDS_ALONE.test(root['$schema'] as string);
  const translate = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema;
    const inside = mapInside(
      alone && typeof schema['$ref'] === 'string' ? referenceOnly(schema) : schema,
      '',
      translate,
    );
    return renamed(inside, root);
  };
  return { ...(translate(root) as SchemaObject), $schema: NEWEST_DIALECT };
}

function referenceOnly(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => HARMLESS.has(keyword)));
}

/** The keywords of one schema; those inside it are done. */
function renamed(schema: SchemaObject, root: SchemaObject): SchemaObject {
  const result: SchemaObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    switch (keyword) {
      case 'definitions':
        result['$defs'] = { ...(result['$defs'] as object | undefined), ...(value as object) };
        break;
      case 'items':
        result[Array.isArray(value) ? 'prefixItems' : 'items'] = value;
        break;
      case 'additionalItems':
        // Without a tuple before it, it has never meant anything.
        if (Array.isArray(schema['items'])) result['items'] = value;
        break;
      case 'dependencies':
        if (isObject(value)) Object.assign(result, splitDependencies(value));
        break;
      case 'id':
      case '$id':
        identified(result, keyword, value);
        break;
      case '$ref':
        result['$ref'] = typeof value === 'string' ? translatedRef(value, root) : value;
        break;
      case '$recursiveRef':
        result['$dynamicRef'] = '#meta';
        break;
      case '$recursiveAnchor':
        if (value === true) result['$dynamicAnchor'] = 'meta';
        break;
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        // Draft-04 says with a boolean whether the bound itself is excluded.
        if (isNumber(value)) result[keyword] = value;
        else if (value === true) moveBound(schema, result, keyword);
        break;
      case 'minimum':
        if (schema['exclusiveMinimum'] !== true) result[keyword] = value;
        break;
      case 'maximum':
        if (schema['exclusiveMaximum'] !== true) result[keyword] = value;
        break;
      default:
        Object.defineProperty(result, keyword, {
          value,
          enumerable: true,
          writable: true,
          configurable: true,
        });
    }
  }
  return result;
}

function moveBound(schema: SchemaObject, result: SchemaObject, keyword: string): void {
  const bound = schema[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
  if (bound !== undefined) result[keyword] = bound;
}

function splitDependencies(dependencies: SchemaObject): SchemaObject {
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...(names.length > 0 && { dependentRequired: Object.fromEntries(names) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** A fragment as `$id` names a place; draft-04 writes `id`. */
function identified(result: SchemaObject, keyword: string, value: unknown): void {
  if (typeof value !== 'string') return;
  if (value.startsWith('#')) result['$anchor'] = value.slice(1);
  else result[keyword === 'id' ? '$id' : keyword] = value;
}

/** A pointer into the document leads past keywords that have other names now. */
function translatedRef(ref: string, root: SchemaObject): string {
  if (!ref.startsWith('#/')) return ref;
  let at: unknown = root;
  let named = false;
  const steps = ref
    .slice(2)
    .split('/')
    .map((step) => {
      const here = at;
      const next = inside(here, step);
      at = next;
      if (named) {
        named = false;
        return step;
      }
      named = (MAPS.has(step) && isObject(next)) || Array.isArray(next);
      return translatedStep(step, here);
    });
  return `#/${steps.join('/')}`;
}

function translatedStep(step: string, schema: unknown): string {
  const items = isObject(schema) ? schema['items'] : undefined;
  switch (step) {
    case 'definitions':
      return '$defs';
    case 'items':
      return Array.isArray(items) ? 'prefixItems' : step;
    case 'additionalItems':
      return Array.isArray(items) ? 'items' : step;
    case 'dependencies':
      return 'dependentSchemas';
    default:
      return step;
  }
}

function inside(value: unknown, step: string): unknown {
  const key = plainStep(step);
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
