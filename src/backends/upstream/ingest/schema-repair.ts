/**
 * The schemas of upstreams' tools, made into what every client can read: one careless schema would
 * have strict clients refuse the whole list.
 */
import { danglingRefs } from '../../../edge/schema-refs.js';
import { isDeeperThan } from '../../../protocol/depth.js';
import { isObject } from '../../../protocol/jsonrpc.js';
import { schemaProblem } from '../../json-schema.js';
import { inNewestDialect, isNewestDialect, isOlderDialect } from './older-dialects.js';
import { MAPS, mapInside, type SchemaObject } from './positions.js';

export interface Repair {
  /** JSON pointer into the schema. */
  readonly pointer: string;
  /** In words. */
  readonly what: string;
  /** It was right, in an older dialect. */
  readonly translated?: true;
}

export interface Repaired {
  /** The schema itself where nothing had to be done. */
  readonly schema: SchemaObject;
  readonly repairs: readonly Repair[];
}

/** Nothing that is certain to mean the same can be made of it. */
export class Unrepairable extends Error {
  override readonly name = 'Unrepairable';
}

const MAX_DEPTH = 64;
/** The largest tools known have some hundred; what has more would keep everybody waiting while it is compiled. */
const MAX_SUBSCHEMAS = 10_000;
const TYPES: ReadonlySet<unknown> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'],
]);

/** Arguments are always an object. Throws `Unrepairable`. */
export function repairInputSchema(given: unknown): Repaired {
  if (given === undefined || given === null || given === true) {
    const what = 'an inputSchema that takes any object, where there was none';
    return { schema: { type: 'object' }, repairs: [{ pointer: '', what }] };
  }
  const { schema, repairs } = repairSchema(given);
  const { type } = schema;
  if (type === 'object') return { schema, repairs };
  if (type !== undefined && !(Array.isArray(type) && type.includes('object'))) {
    throw new Unrepairable(`its type is ${JSON.stringify(type)}; arguments are an object`);
  }
  const repair = { pointer: '/type', what: 'type "object", which arguments always are' };
  return { schema: withType(schema), repairs: [...repairs, repair] };
}

/** In front, where readers look for it. */
function withType({ $schema, type: _other, ...rest }: SchemaObject): SchemaObject {
  return { ...($schema !== undefined && { $schema }), type: 'object', ...rest };
}

/** Throws `Unrepairable`. */
export function repairSchema(given: unknown): Repaired {
  if (!isObject(given)) throw new Unrepairable(`it is ${JSON.stringify(given)}, no object`);
  if (isDeeperThan(given, MAX_DEPTH)) {
    throw new Unrepairable(`it nests deeper than ${MAX_DEPTH} levels`);
  }
  const repairs: Repair[] = [];
  const declared = given['$schema'];
  let root = given;
  if (isOlderDialect(declared)) {
    root = inNewestDialect(root);
    const what = `translated from ${declared} to 2020-12`;
    repairs.push({ pointer: '/$schema', what, translated: true });
  } else if (declared !== undefined && !isNewestDialect(declared)) {
    throw new Unrepairable(`its $schema is ${JSON.stringify(declared)}, which mcpx does not know`);
  }
  const schema = new Mending(repairs).schema(root, '');
  const dangling = danglingRefs(schema);
  if (dangling.length > 0) throw new Unrepairable(`its reference ${dangling[0]} leads nowhere`);
  if (hasForeignRef(schema)) {
    const problem = schemaProblem(schema);
    if (problem !== undefined) throw new Unrepairable(problem);
  }
  return { schema, repairs };
}

class Mending {
  #seen = 0;

  constructor(private readonly repairs: Repair[]) {}

  schema(given: SchemaObject, pointer: string): SchemaObject {
    if (++this.#seen > MAX_SUBSCHEMAS) {
      throw new Unrepairable(`it has more than ${MAX_SUBSCHEMAS} schemas inside`);
    }
    const keywords = this.#keywords(given, pointer);
    return mapInside(keywords, pointer, (inner, at) => this.#inside(inner, at));
  }

  #inside(inner: unknown, at: string): unknown {
    if (isObject(inner)) return this.schema(inner, at);
    if (typeof inner === 'boolean') return inner;
    if (inner === null || inner === undefined) return this.#note({}, at, 'no schema became {}');
    throw new Unrepairable(`${at} is ${JSON.stringify(inner)}, no schema`);
  }

  /** The schema itself where all of its keywords can stay. */
  #keywords(given: SchemaObject, pointer: string): SchemaObject {
    let mended = given;
    const set = (keyword: string, value: unknown, what: string): void => {
      const { [keyword]: _old, ...rest } = mended;
      mended = value === undefined ? rest : { ...rest, [keyword]: value };
      this.#note(undefined, `${pointer}/${keyword}`, what);
    };
    for (const [keyword, value] of Object.entries(given)) {
      if (MAPS.has(keyword) && !isObject(value)) {
        if (value !== null && !(Array.isArray(value) && value.length === 0)) {
          throw new Unrepairable(`${pointer}/${keyword} is no object but ${JSON.stringify(value)}`);
        }
        set(keyword, {}, `${JSON.stringify(value)} became {}`);
      } else if (keyword === 'required' && !isNames(value)) {
        const names = Array.isArray(value) ? value.filter(isName) : [];
        const left = names.length === 0 ? undefined : names;
        set(keyword, left, 'what is no name of a property was left out');
      } else if (keyword === 'type' && !isType(value)) {
        set(keyword, undefined, `${JSON.stringify(value)} is no type, and was left out`);
      } else if (keyword === 'enum' && !(Array.isArray(value) && value.length > 0)) {
        set(keyword, undefined, 'no list of values, and was left out');
      } else if (keyword === 'pattern' && !isPattern(value)) {
        set(keyword, undefined, 'no regular expression, and was left out');
      } else if (keyword === '$ref' && typeof value !== 'string') {
        set(keyword, undefined, 'no reference, and was left out');
      } else if (keyword === 'items' && Array.isArray(value)) {
        const { items: _tuple, additionalItems, ...rest } = mended;
        mended = { ...rest, prefixItems: value };
        if (additionalItems !== undefined) mended['items'] = additionalItems;
        this.#note(undefined, `${pointer}/items`, 'a tuple became prefixItems');
      }
    }
    return mended;
  }

  #note<T>(value: T, pointer: string, what: string): T {
    this.repairs.push({ pointer, what });
    return value;
  }
}

const isName = (value: unknown): value is string => typeof value === 'string';

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isName);
}

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return TYPES.has(value);
  return value.length > 0 && value.every((one) => TYPES.has(one));
}

/** As JSON Schema reads them: with the flag that refuses needless escapes. */
function isPattern(value: unknown): boolean {
  try {
    new RegExp(value as string, 'u');
    return typeof value === 'string';
  } catch {
    return false;
  }
}

/** Into another document, which nobody fetches: it may still be one that is embedded here. */
function hasForeignRef(schema: SchemaObject): boolean {
  let found = false;
  const look = (inner: unknown): unknown => {
    if (!isObject(inner)) return inner;
    const ref = inner['$ref'];
    if (typeof ref === 'string' && !ref.startsWith('#')) found = true;
    return mapInside(inner, '', look);
  };
  look(schema);
  return found;
}
