/** The TypeScript types of each revision, by json-schema-to-typescript from its JSON Schema. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { SchemaDocument } from './json-schema.js';
import { header } from './header.js';

/**
 * One exported type per definition, under its official name. Objects stay open on the wire, but the
 * types do not say so: an index signature on everything would hide every misspelt property from the
 * compiler. Where the schema itself has an index signature, so has the type.
 */
export async function typesOf(
  document: SchemaDocument,
  sources: readonly string[],
): Promise<string> {
  const names = Object.keys(document.$defs);
  const root: JSONSchema = {
    title: 'EveryDefinition',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    additionalProperties: false,
    $defs: Object.fromEntries(
      Object.entries(document.$defs).map(([name, schema]) => [
        name,
        { title: name, ...(typed(schema) as JSONSchema) },
      ]),
    ) as JSONSchema,
  };
  const text = await compile(root, 'EveryDefinition', {
    bannerComment: '',
    additionalProperties: false,
    unknownAny: true,
    unreachableDefinitions: true,
    format: true,
    style: { singleQuote: true, printWidth: 100 },
  });
  return `${header(...sources)}\n${withoutScaffold(text)}`;
}

/** Schema positions that json-schema-to-typescript would read too narrowly. */
function typed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(typed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, typed(value)] as const);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  // A bare object is a map of anything.
  if (copy['type'] === 'object' && !('properties' in copy) && !('additionalProperties' in copy)) {
    copy['additionalProperties'] = true;
  }
  // Array bounds would become tuples.
  delete copy['maxItems'];
  delete copy['minItems'];
  return copy;
}

/** Without the generator's own remarks, and without the root that only carried the definitions. */
function withoutScaffold(text: string): string {
  return text
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/^export interface EveryDefinition \{\n[\s\S]*?^\}\n/m, '');
}
