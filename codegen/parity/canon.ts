/**
 * The canonical form of a JSON Schema definition: two schemas that accept the same values, however
 * their generators spelt them, give the same text. Proves that a transcription lost nothing, without
 * a copy of the official file at hand.
 *
 * It knows the keywords that the official files use, and refuses any other: a keyword that were
 * skipped could hide a difference.
 */
import { createHash } from 'node:crypto';

type Schema = boolean | { [keyword: string]: unknown };

type Canon =
  | { t: 'any' }
  | { t: 'never' }
  | { t: 'ref'; name: string }
  | { t: 'enum'; values: unknown[] }
  | { t: 'boolean' | 'null' }
  | { t: 'string' | 'integer' | 'number'; limits: Record<string, unknown> }
  | { t: 'array'; items: Canon; limits: Record<string, unknown> }
  | { t: 'object'; properties: Record<string, Canon>; required: string[]; rest: Canon }
  | { t: 'union'; members: Canon[] };

const ANY: Canon = { t: 'any' };
const NEVER: Canon = { t: 'never' };
const ANNOTATIONS = new Set([
  '$comment',
  '$id',
  '$schema',
  'default',
  'deprecated',
  'description',
  'examples',
  'title',
]);
/** What the extension's generator (zod) writes beside the facts. */
const SAFE_INTEGER = Number.MAX_SAFE_INTEGER;

export interface CanonOptions {
  /** References to these stay names: the reviewed exceptions, and where recursion is cut. */
  opaque: ReadonlySet<string>;
}

/** SHA-256, in hex, of the canonical form of `$defs[name]`. */
export function canonicalHash(
  definitions: Readonly<Record<string, unknown>>,
  name: string,
  options: CanonOptions,
): string {
  return createHash('sha256')
    .update(canonicalText(definitions, name, options))
    .digest('hex');
}

/** The canonical form itself, for looking at a difference. */
export function canonicalText(
  definitions: Readonly<Record<string, unknown>>,
  name: string,
  options: CanonOptions,
): string {
  const schema = definitions[name];
  if (schema === undefined) throw new Error(`no definition ${name}`);
  const canon = new Canonicaliser(definitions, options.opaque);
  return text(canon.of(schema as Schema, [name], name));
}

class Canonicaliser {
  constructor(
    private readonly definitions: Readonly<Record<string, unknown>>,
    private readonly opaque: ReadonlySet<string>,
  ) {}

  of(schema: Schema, within: readonly string[], at: string): Canon {
    if (schema === true) return ANY;
    if (schema === false) return NEVER;
    const parts: Canon[] = [];
    const has = (keyword: string): boolean => keyword in schema;
    for (const [keyword, value] of Object.entries(schema)) {
      switch (keyword) {
        case '$ref':
          parts.push(this.reference(value as string, within));
          break;
        case 'allOf':
          for (const part of value as Schema[]) parts.push(this.of(part, within, at));
          break;
        case 'anyOf':
        case 'oneOf':
          parts.push(union((value as Schema[]).map((part) => this.of(part, within, at))));
          break;
        case 'const':
          parts.push({ t: 'enum', values: [value] });
          break;
        case 'enum':
          parts.push({ t: 'enum', values: value as unknown[] });
          break;
        case 'not':
          if (text(this.of(value as Schema, within, at)) !== text(ANY)) throw unknown(keyword, at);
          parts.push(NEVER);
          break;
        case 'type':
          parts.push(union([value].flat().map((type) => this.typed(type, schema, within, at))));
          break;
        default:
          if (!ANNOTATIONS.has(keyword) && !(has('type') && KEYWORDS.has(keyword))) {
            throw unknown(keyword, at);
          }
      }
    }
    return parts.reduce(intersect, ANY);
  }

  private reference(pointer: string, within: readonly string[]): Canon {
    const name = decodeURIComponent(pointer.split('/').at(-1) ?? '')
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    if (this.opaque.has(name)) return { t: 'ref', name };
    if (within.includes(name)) return { t: 'ref', name };
    const target = this.definitions[name];
    if (target === undefined) throw new Error(`${within.join(' > ')}: ${pointer} leads nowhere`);
    return this.of(target as Schema, [...within, name], name);
  }

  private typed(
    type: unknown,
    schema: { [keyword: string]: unknown },
    within: readonly string[],
    at: string,
  ): Canon {
    switch (type) {
      case 'boolean':
      case 'null':
        return { t: type };
      case 'string':
        return { t: type, limits: limits(schema, ['format', 'minLength', 'maxLength', 'pattern']) };
      case 'integer':
      case 'number': {
        const found = limits(schema, ['minimum', 'maximum']);
        if (found['minimum'] === -SAFE_INTEGER) delete found['minimum'];
        if (found['maximum'] === SAFE_INTEGER) delete found['maximum'];
        return { t: type, limits: found };
      }
      case 'array':
        return {
          t: 'array',
          items: this.of((schema['items'] ?? true) as Schema, within, `${at}[]`),
          limits: limits(schema, ['minItems', 'maxItems']),
        };
      case 'object': {
        const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
        return object(
          Object.fromEntries(
            properties.map(([key, value]) => [key, this.of(value, within, `${at}.${key}`)]),
          ),
          (schema['required'] ?? []) as string[],
          this.of((schema['additionalProperties'] ?? true) as Schema, within, `${at}.*`),
        );
      }
      default:
        throw new Error(`${at}: unknown type ${JSON.stringify(type)}`);
    }
  }
}

/** Keywords that `typed` reads; beside a `type` only. */
const KEYWORDS = new Set([
  'additionalProperties',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'properties',
  'propertyNames',
  'required',
]);

function object(properties: Record<string, Canon>, required: string[], rest: Canon): Canon {
  // A required property that nothing satisfies makes the whole object impossible.
  if (required.some((key) => properties[key]?.t === 'never')) return NEVER;
  return { t: 'object', properties, required: [...new Set(required)].sort(), rest };
}

function union(parts: readonly Canon[]): Canon {
  const flat = parts.flatMap((part) => (part.t === 'union' ? part.members : [part]));
  if (flat.some((part) => part.t === 'any')) return ANY;
  const values: unknown[] = [];
  const others = new Map<string, Canon>();
  for (const part of flat) {
    if (part.t === 'never') continue;
    if (part.t === 'enum') values.push(...part.values);
    else others.set(text(part), part);
  }
  const plain = new Set<string>([...others.values()].filter(isPlain).map((part) => part.t));
  const left = values.filter((value) => !plain.has(typeOf(value)));
  if (left.includes(true) && left.includes(false)) others.set('boolean', { t: 'boolean' });
  const literals = left.filter((v) => !(typeof v === 'boolean' && others.has('boolean')));
  if (literals.length > 0) others.set('enum', { t: 'enum', values: literals });
  const members = [...others.values()].sort((a, b) => (text(a) < text(b) ? -1 : 1));
  if (members.length === 0) return NEVER;
  return members.length === 1 ? (members[0] ?? NEVER) : { t: 'union', members };
}

function intersect(a: Canon, b: Canon): Canon {
  if (a.t === 'any') return b;
  if (b.t === 'any') return a;
  if (a.t === 'never' || b.t === 'never') return NEVER;
  if (a.t === 'union') return union(a.members.map((member) => intersect(member, b)));
  if (b.t === 'union') return union(b.members.map((member) => intersect(a, member)));
  if (a.t === 'enum') return literals(a.values.filter((value) => admits(b, value)));
  if (b.t === 'enum') return literals(b.values.filter((value) => admits(a, value)));
  if (a.t === 'ref' || b.t === 'ref') {
    if (text(a) === text(b)) return a;
    throw new Error(`cannot intersect a named definition with ${text(a.t === 'ref' ? b : a)}`);
  }
  if (a.t === 'object' && b.t === 'object') return intersectObjects(a, b);
  if (a.t === 'array' && b.t === 'array') {
    return { t: 'array', items: intersect(a.items, b.items), limits: { ...a.limits, ...b.limits } };
  }
  if ('limits' in a && 'limits' in b && a.t !== 'array' && b.t !== 'array') {
    const numeric = a.t !== 'string' && b.t !== 'string';
    if (a.t !== b.t && !numeric) return NEVER;
    const t = a.t === b.t ? a.t : 'integer';
    return { t, limits: { ...a.limits, ...b.limits } };
  }
  return a.t === b.t ? a : NEVER;
}

function intersectObjects(
  a: Extract<Canon, { t: 'object' }>,
  b: Extract<Canon, { t: 'object' }>,
): Canon {
  const properties: Record<string, Canon> = {};
  for (const key of new Set([...Object.keys(a.properties), ...Object.keys(b.properties)])) {
    properties[key] = intersect(a.properties[key] ?? a.rest, b.properties[key] ?? b.rest);
  }
  return object(properties, [...a.required, ...b.required], intersect(a.rest, b.rest));
}

function literals(values: unknown[]): Canon {
  return values.length === 0 ? NEVER : { t: 'enum', values };
}

function admits(canon: Canon, value: unknown): boolean {
  if (canon.t === 'enum') return canon.values.includes(value);
  return canon.t === typeOf(value) || (canon.t === 'number' && typeOf(value) === 'integer');
}

function isPlain(canon: Canon): boolean {
  return !('limits' in canon) || Object.keys(canon.limits).length === 0;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function limits(
  schema: { [keyword: string]: unknown },
  keywords: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    keywords.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]),
  );
}

/** One text per meaning: keys sorted, sets sorted, what says nothing left out. */
function text(canon: Canon): string {
  return JSON.stringify(plain(canon));
}

function plain(canon: Canon): unknown {
  switch (canon.t) {
    case 'enum':
      return ['enum', ...canon.values.map((value) => JSON.stringify(value)).sort()];
    case 'union':
      return ['union', ...canon.members.map(plain)];
    case 'array':
      return ['array', plain(canon.items), Object.entries(canon.limits).sort()];
    case 'string':
    case 'integer':
    case 'number':
      return [canon.t, Object.entries(canon.limits).sort()];
    case 'object':
      return [
        'object',
        Object.keys(canon.properties)
          .sort()
          .map((key) => [key, plain(canon.properties[key] ?? ANY)]),
        canon.required,
        ...(canon.rest.t === 'any' ? [] : [plain(canon.rest)]),
      ];
    case 'ref':
      return ['ref', canon.name];
    default:
      return [canon.t];
  }
}

function unknown(keyword: string, at: string): Error {
  return new Error(`${at}: the canonical form does not know the keyword ${keyword}`);
}
