/**
 * Messages of a revision, made up from its JSON Schema: every optional field now and then, every
 * member of every union, and fields of an author's own in every object that is open.
 */
import fc from 'fast-check';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Made by hand where the schema says less than the specification: by `Definition.property`. */
export type Overrides = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** No revision has ever had a field of this name. */
export const AUTHOR_KEY = 'x-author';

const MAX_DEPTH = 7;

/** Throws where the schema uses a keyword this does not know how to satisfy. */
export function arbitraryOf(
  name: string,
  definitions: Definitions,
  overrides: Overrides = {},
): fc.Arbitrary<unknown> {
  return new Maker(definitions, overrides).named(name, 0);
}

/** Anything JSON can hold, small. */
export const anyJson: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 });

class Maker {
  constructor(
    private readonly definitions: Definitions,
    private readonly overrides: Overrides,
  ) {}

  named(name: string, depth: number): fc.Arbitrary<unknown> {
    const override = this.overrides[name];
    if (override !== undefined) return override;
    const schema = this.definitions[name];
    if (schema === undefined) throw new Error(`no definition ${name}`);
    return this.make(schema, name, depth);
  }

  private make(schema: JsonSchema, place: string, depth: number): fc.Arbitrary<unknown> {
    const override = this.overrides[place];
    if (override !== undefined && depth > 0) return override;
    if (schema.$ref !== undefined) return this.named(nameOf(schema.$ref), depth + 1);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.allOf !== undefined) return this.make(this.merged(schema), place, depth);
    if (schema.anyOf !== undefined) {
      return fc.oneof(...schema.anyOf.map((member) => this.make(member, place, depth + 1)));
    }
    if (Array.isArray(schema.type)) {
      return fc.oneof(...schema.type.map((type) => this.make({ ...schema, type }, place, depth)));
    }
    return this.typed(schema, place, depth);
  }

  private typed(schema: JsonSchema, place: string, depth: number): fc.Arbitrary<unknown> {
    switch (schema.type) {
      case 'string':
        return strings(schema.format);
      case 'integer':
        return fc.integer(bounds(schema));
      case 'number':
        return fc.oneof(fc.integer(bounds(schema)), fc.double({ ...bounds(schema), ...FINITE }));
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return this.array(schema, place, depth);
      case 'object':
        return this.object(schema, place, depth);
      case undefined:
        return schema.properties === undefined ? anyJson : this.object(schema, place, depth);
      default:
        throw new Error(`${place}: cannot make a ${JSON.stringify(schema.type)}`);
    }
  }

  private array(schema: JsonSchema, place: string, depth: number): fc.Arbitrary<unknown> {
    const maxLength = Math.min(schema.maxItems ?? 3, depth > MAX_DEPTH ? 0 : 3);
    if (maxLength === 0) return fc.constant([]);
    return fc.array(this.make(schema.items ?? {}, `${place}[]`, depth + 1), { maxLength });
  }

  private object(schema: JsonSchema, place: string, depth: number): fc.Arbitrary<unknown> {
    const required = new Set(schema.required ?? []);
    const fields: Record<string, fc.Arbitrary<unknown>> = {};
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (!required.has(key) && depth > MAX_DEPTH) continue;
      fields[key] = this.make(property, `${place}.${key}`, depth + 1);
    }
    const { additionalProperties } = schema;
    if (isTyped(additionalProperties))
      return this.map(fields, required, additionalProperties, place, depth);
    if (additionalProperties !== false) fields[AUTHOR_KEY] = anyJson;
    return fc.record(fields, { requiredKeys: [...required] as never[], noNullPrototype: true });
  }

  private map(
    fields: Record<string, fc.Arbitrary<unknown>>,
    required: ReadonlySet<string>,
    values: JsonSchema,
    place: string,
    depth: number,
  ): fc.Arbitrary<unknown> {
    const own = fc.record(fields, {
      requiredKeys: [...required] as never[],
      noNullPrototype: true,
    });
    if (depth > MAX_DEPTH) return own;
    const value = this.make(values, `${place}.*`, depth + 1);
    const others = fc.dictionary(fc.constantFrom('a', 'b', 'key-3'), value, {
      maxKeys: 3,
      noNullPrototype: true,
    });
    return fc.tuple(others, own).map(([a, b]) => ({ ...a, ...(b as object) }));
  }

  private merged(schema: JsonSchema): JsonSchema {
    const { allOf = [], ...own } = schema;
    return allOf.map((part) => this.resolved(part)).reduce(both, own);
  }

  private resolved(schema: JsonSchema): JsonSchema {
    if (schema.$ref !== undefined)
      return this.resolved(this.definitions[nameOf(schema.$ref)] ?? {});
    return schema.allOf === undefined ? schema : this.merged(schema);
  }
}

const FINITE = { noNaN: true, noDefaultInfinity: true };

function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  return {
    ...a,
    ...b,
    properties: { ...a.properties, ...b.properties },
    required: [...(a.required ?? []), ...(b.required ?? [])],
  };
}

function strings(format: string | undefined): fc.Arbitrary<string> {
  switch (format) {
    case 'byte':
      return fc.base64String({ maxLength: 12 });
    case 'uri':
      return fc.constantFrom('https://example.com/a', 'file:///x/y.txt', 'urn:isbn:1');
    case 'uri-template':
      return fc.constantFrom('file:///{path}', 'https://example.com/{a}/{b}');
    case 'date-time':
      return fc.constant('2026-01-02T03:04:05Z');
    default:
      return fc.string({ maxLength: 8 });
  }
}

function bounds(schema: JsonSchema): { min?: number; max?: number } {
  return { min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 };
}

function isTyped(additional: JsonSchema['additionalProperties']): additional is JsonSchema {
  return typeof additional === 'object' && Object.keys(additional).length > 0;
}

function nameOf(ref: string): string {
  return ref.replace(/^#\/(?:\$defs|definitions)\//, '');
}
