/**
 * Schemas of an OpenAPI document as JSON Schema 2020-12. References stay references, to `$defs`, so
 * that a cycle is no problem; each definition is translated once and shared by all tools.
 */
import { isObject } from '../../protocol/jsonrpc.js';
import type { JsonObject } from './document.js';
import {
  PASSED_OVER,
  SUBSCHEMAS,
  SUBSCHEMA_LISTS,
  SUBSCHEMA_MAPS,
  VALUES,
  isPattern,
} from './keywords.js';
import { BrokenReference, tokensOf, type References } from './references.js';

export type JsonSchema = Record<string, unknown>;

/** Told of everything in a schema that had to be left out or put right. */
export type Note = (where: string, what: string) => void;

interface Definition {
  readonly name: string;
  readonly source: unknown;
  schema?: JsonSchema | boolean;
  /** Pointers of the definitions it refers to. */
  readonly uses: Set<string>;
}

/** What may stand beside a `$ref` without changing which values fit. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'deprecated', 'default', 'examples', 'example', 'readOnly'],
  ...['writeOnly', 'summary', 'externalDocs', 'xml'],
]);

const OUTSIDE_NAME = /[^A-Za-z0-9_.-]+/g;

export class SchemaBook {
  readonly #definitions = new Map<string, Definition>();
  readonly #names = new Set<string>();

  constructor(
    private readonly references: References,
    private readonly version: '3.0' | '3.1',
    /** Into the service (no `readOnly` properties) or out of it (no `writeOnly` ones required). */
    private readonly direction: 'in' | 'out',
    private readonly note: Note,
  ) {}

  /**
   * The schema as part of a larger one. The definitions it needs are added to `uses`, for `definitions`.
   * A reference is resolved where it stands, for clients that lose `$defs`; those below it are kept.
   */
  part(schema: unknown, where: string, uses: Set<string>): JsonSchema | boolean {
    return this.#translate(this.#inlined(schema), where, uses);
  }

  /** `$defs` for all that `uses` needs, or nothing. */
  definitions(uses: ReadonlySet<string>): { $defs?: Record<string, JsonSchema | boolean> } {
    const pointers = new Set(uses);
    const $defs: Record<string, JsonSchema | boolean> = {};
    // A set grows while it is iterated, which visits what is added.
    for (const pointer of pointers) {
      const definition = this.#definitions.get(pointer);
      if (definition === undefined) continue;
      definition.schema ??= this.#translate(definition.source, pointer, definition.uses);
      $defs[definition.name] = definition.schema;
      for (const used of definition.uses) pointers.add(used);
    }
    return pointers.size === 0 ? {} : { $defs };
  }

  #inlined(schema: unknown): unknown {
    if (!isObject(schema) || typeof schema['$ref'] !== 'string') return schema;
    const { $ref, ...beside } = schema;
    const kept = this.version === '3.0' ? {} : beside;
    if (Object.keys(kept).some((key) => !ANNOTATIONS.has(key))) return schema;
    try {
      return { ...this.references.resolve(schema), ...kept };
    } catch (error) {
      if (error instanceof BrokenReference) return schema;
      throw error;
    }
  }

  #translate(schema: unknown, where: string, uses: Set<string>): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) {
      this.note(where, 'is no schema; anything fits instead');
      return {};
    }
    const translated = this.#keywords(schema, where, uses);
    return schema['nullable'] === true ? nullable(translated) : translated;
  }

  #keywords(schema: JsonObject, where: string, uses: Set<string>): JsonSchema {
    const translated: JsonSchema = {};
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      const name = this.#define($ref, where, uses);
      if (name !== undefined) translated['$ref'] = `#/$defs/${name}`;
      // 3.0 has nothing count beside a reference (Reference Object).
      if (this.version === '3.0') return translated;
    }
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$ref' || key.startsWith('x-') || PASSED_OVER.has(key)) continue;
      const at = `${where}/${key}`;
      if (SUBSCHEMAS.has(key)) this.#subschema(translated, key, value, at, uses);
      else if (SUBSCHEMA_LISTS.has(key)) this.#list(translated, key, value, at, uses);
      else if (SUBSCHEMA_MAPS.has(key)) this.#map(translated, key, value, at, uses);
      else this.#value(translated, key, value, at, schema);
    }
    if (schema['example'] !== undefined && translated['examples'] === undefined) {
      translated['examples'] = [schema['example']];
    }
    if (translated['format'] === 'byte') {
      delete translated['format'];
      translated['contentEncoding'] = 'base64';
    }
    this.#withoutHidden(translated, schema);
    return translated;
  }

  #subschema(into: JsonSchema, key: string, value: unknown, at: string, uses: Set<string>): void {
    if (key === 'items' && Array.isArray(value)) this.#list(into, 'prefixItems', value, at, uses);
    else into[key] = this.#translate(value, at, uses);
  }

  #list(into: JsonSchema, key: string, value: unknown, at: string, uses: Set<string>): void {
    if (!Array.isArray(value) || value.length === 0) {
      this.note(at, 'is no list of schemas; left out');
      return;
    }
    // "Exactly one" is seldom true of what documents say: the alternatives overlap. A service that
    // minds will say so; one that does not would be out of reach.
    const name = key === 'oneOf' && into['anyOf'] === undefined ? 'anyOf' : key;
    const schemas = value.map((item, index) => this.#translate(item, `${at}/${index}`, uses));
    into[name] = schemas;
  }

  #map(into: JsonSchema, key: string, value: unknown, at: string, uses: Set<string>): void {
    if (!isObject(value)) {
      this.note(at, 'is no object of schemas; left out');
      return;
    }
    const entries = Object.entries(value).filter(([name]) => {
      const usable = key !== 'patternProperties' || isPattern(name);
      if (!usable) this.note(`${at}/${name}`, 'is no regular expression; left out');
      return usable;
    });
    into[key] = Object.fromEntries(
      entries.map(([name, item]) => [name, this.#translate(item, `${at}/${name}`, uses)]),
    );
  }

  #value(into: JsonSchema, key: string, value: unknown, at: string, schema: JsonObject): void {
    if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') {
      if (value === false) return;
      const bound = schema[key === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
      if (value === true) {
        if (bound !== undefined) this.#value(into, key, bound, at, {});
        return;
      }
    }
    if ((key === 'minimum' || key === 'maximum') && schema[exclusive(key)] === true) return;
    const isUsable = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
    if (isUsable === undefined) return;
    if (isUsable(value)) into[key] = value;
    else this.note(at, `cannot be ${JSON.stringify(value).slice(0, 60)}; left out`);
  }

  /** Properties that the service alone writes are not asked for; those it never shows not promised. */
  #withoutHidden(translated: JsonSchema, { properties }: JsonObject): void {
    const offered = translated['properties'];
    if (!isObject(properties) || !isObject(offered)) return;
    const flag = this.direction === 'in' ? 'readOnly' : 'writeOnly';
    const hidden = Object.keys(properties).filter((name) => this.#says(properties[name], flag));
    if (hidden.length === 0) return;
    if (this.direction === 'in') {
      translated['properties'] = Object.fromEntries(
        Object.entries(offered).filter(([name]) => !hidden.includes(name)),
      );
    }
    const { required } = translated;
    if (!Array.isArray(required)) return;
    const left = required.filter((name) => !hidden.includes(name as string));
    translated['required'] = left;
    if (left.length === 0) delete translated['required'];
  }

  #says(schema: unknown, flag: string): boolean {
    if (!isObject(schema)) return false;
    if (schema[flag] === true) return true;
    try {
      return this.references.resolve(schema)[flag] === true;
    } catch {
      return false; // Told where the reference itself is translated.
    }
  }

  #define(ref: string, where: string, uses: Set<string>): string | undefined {
    let definition = this.#definitions.get(ref);
    if (definition === undefined) {
      let source: unknown;
      try {
        source = this.references.target(ref);
        // Found out here whether the chain of references ever ends at a schema.
        if (isObject(source) && '$ref' in source) this.references.resolve(source);
      } catch (error) {
        if (!(error instanceof BrokenReference)) throw error;
        this.note(where, `${error.message}; anything fits instead`);
        return undefined;
      }
      definition = { name: this.#name(ref), source, uses: new Set() };
      this.#definitions.set(ref, definition);
    }
    uses.add(ref);
    return definition.name;
  }

  /** Unique among all definitions of the document, so that they can be shared. */
  #name(ref: string): string {
    const last = tokensOf(ref).at(-1)?.replace(OUTSIDE_NAME, '_').replace(/^_+/, '');
    const plain = last === undefined || last === '' ? 'root' : last;
    let name = plain;
    for (let n = 2; this.#names.has(name); n++) name = `${plain}_${n}`;
    this.#names.add(name);
    return name;
  }
}

function exclusive(key: 'minimum' | 'maximum'): string {
  return key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  const types = typeof type === 'string' ? [type] : type;
  if (!Array.isArray(types)) {
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  }
  if (!types.includes('null')) schema['type'] = [...(types as unknown[]), 'null'];
  const values = schema['enum'];
  if (Array.isArray(values) && !values.includes(null))
    schema['enum'] = [...(values as unknown[]), null];
  const combined = ['anyOf', 'allOf', 'const', '$ref'].some((key) => schema[key] !== undefined);
  return combined ? { anyOf: [schema, { type: 'null' }] } : schema;
}
