/** JSON Schema → compiled validators, by ajv's standalone output, as one ES module per document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { JsonSchema, SchemaDocument } from './json-schema.js';
import { header } from './header.js';

export interface ValidatorOptions {
  /**
   * Assert `format` and report every error, not the first. For what mcpx sends and for audits; what
   * arrives is taken liberally, and `format` is an annotation in 2020-12.
   */
  thorough: boolean;
}

/** Export name → schema; references lead into the document. */
export type Entries = ReadonlyMap<string, JsonSchema>;

const DOCUMENT = 'mcp';

/** An ES module that exports one validate function per entry. References: `{ $ref: '#/$defs/X' }`. */
export function compileValidators(
  document: SchemaDocument,
  entries: Entries,
  { thorough }: ValidatorOptions,
  sources: readonly string[],
): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    strict: false,
    allErrors: thorough,
    validateFormats: thorough,
    // Small definitions are inlined where they are used once; shared ones become functions.
    inlineRefs: true,
  });
  // Else of a union every member is tried, for what each of them has looked at.
  ajv.opts.unevaluated = mentions(document, /^unevaluated/);
  ajv.opts.dynamicRef = mentions(document, /^\$dynamic/);
  if (thorough) addFormats.default(ajv);
  ajv.addSchema({ $defs: document.$defs }, DOCUMENT);
  const exported: Record<string, string> = {};
  for (const [name, schema] of entries) {
    ajv.addSchema(absolute(schema) as JsonSchema, name);
    exported[name] = name;
  }
  const code = asModule(standaloneCode.default(ajv, exported));
  return header(...sources) + '/* eslint-disable */\n' + (thorough ? inPlace(code) : code);
}

/**
 * ajv copies all errors so far to add those of a definition, which takes minutes where thousands of
 * items are wrong. Each call of a validate function makes a list of its own, so nobody else holds it.
 */
function inPlace(code: string): string {
  const append =
    'function append(errors, more) {\n  for (const error of more) errors.push(error);\n  return errors;\n}\n';
  return code.replace(/vErrors\.concat\(([\w.]+)\)/g, 'append(vErrors, $1)') + append;
}

/** Whether a keyword is used anywhere in the document. */
function mentions(schema: unknown, keyword: RegExp): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([key, value]) => keyword.test(key) || mentions(value, keyword),
  );
}

/** References into the document, seen from a schema of its own. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? DOCUMENT + value
        : absolute(value),
    ]),
  );
}

/** ajv writes `require` for its run-time helpers even into ES modules. */
function asModule(code: string): string {
  const imports = new Map<string, string>();
  const body = code.replace(/require\("([^"]+)"\)/g, (_all, path: string) => {
    const known = imports.get(path);
    if (known !== undefined) return known;
    const local = `module${imports.size}`;
    imports.set(path, local);
    return local;
  });
  const lines = [...imports].map(([path, local]) => `import ${local} from '${path}.js';`);
  return [...lines, body.replace(/^"use strict";\n?/, ''), ''].join('\n');
}
