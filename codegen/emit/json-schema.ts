/**
 * Model → JSON Schema 2020-12. Nothing is closed that the specification leaves open, and null and
 * fractions are where TypeScript has them. (The official files differ in both; see parity.)
 */
import type { Model, ObjectNode, Property, TypeNode } from '../model.js';
import { jsonComment } from './header.js';

export type JsonSchema = { [key: string]: unknown };

export interface SchemaDocument extends JsonSchema {
  $defs: Record<string, JsonSchema>;
}

/** Changes the schema that a type was turned into. */
export type Refine = (node: TypeNode, schema: JsonSchema) => JsonSchema;

const asItIs: Refine = (_node, schema) => schema;

/** One document with every definition of the model, and of those it builds on, below `$defs`. */
export function schemaDocument(
  models: readonly Model[],
  sources: readonly string[],
  refine: Refine = asItIs,
): SchemaDocument {
  const $defs: Record<string, JsonSchema> = {};
  for (const model of models) {
    for (const [name, definition] of Object.entries(model.definitions)) {
      $defs[name] = typeSchema(definition.type, refine);
    }
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: jsonComment(...sources),
    $defs: Object.fromEntries(Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function typeSchema(node: TypeNode, refine: Refine = asItIs): JsonSchema {
  return refine(node, plainSchema(node, refine));
}

function plainSchema(node: TypeNode, refine: Refine): JsonSchema {
  switch (node.kind) {
    case 'any':
      return {};
    case 'never':
      return { not: {} };
    case 'null':
    case 'boolean':
      return { type: node.kind };
    case 'string':
      return { type: 'string', ...(node.format !== undefined && { format: node.format }) };
    case 'number':
    case 'integer':
      return {
        type: node.kind,
        ...(node.minimum !== undefined && { minimum: node.minimum }),
        ...(node.maximum !== undefined && { maximum: node.maximum }),
      };
    case 'literal':
      return { const: node.value };
    case 'ref':
      return { $ref: `#/$defs/${node.name}` };
    case 'array':
      return {
        type: 'array',
        items: typeSchema(node.items, refine),
        ...(node.minItems !== undefined && { minItems: node.minItems }),
        ...(node.maxItems !== undefined && { maxItems: node.maxItems }),
      };
    case 'object':
      return objectSchema(node, refine);
    case 'union':
      return unionSchema(node.members, refine);
    case 'intersection':
      return { allOf: node.members.map((member) => typeSchema(member, refine)) };
  }
}

function objectSchema(node: ObjectNode, refine: Refine): JsonSchema {
  const properties = Object.entries<Property>(node.properties);
  const required = properties.filter(([, property]) => !property.optional).map(([name]) => name);
  return {
    type: 'object',
    ...(properties.length > 0 && {
      properties: Object.fromEntries(
        properties.map(([name, p]) => [name, typeSchema(p.type, refine)]),
      ),
    }),
    ...(required.length > 0 && { required }),
    ...indexSchema(node.index, refine),
  };
}

function indexSchema(index: TypeNode | undefined, refine: Refine): JsonSchema {
  if (index === undefined) return {};
  return { additionalProperties: index.kind === 'never' ? false : typeSchema(index, refine) };
}

/** Literals become one enum; `"a" | string` is any string. */
function unionSchema(members: readonly TypeNode[], refine: Refine): JsonSchema {
  const open = members.some((member) => member.kind === 'string');
  const literals: unknown[] = [];
  const others: JsonSchema[] = [];
  for (const member of members) {
    if (member.kind !== 'literal') others.push(typeSchema(member, refine));
    else if (!(open && typeof member.value === 'string')) literals.push(member.value);
  }
  if (literals.length === 1) others.unshift({ const: literals[0] });
  if (literals.length > 1) others.unshift({ enum: literals });
  if (others.length === 1) return others[0] ?? {};
  const types = others.map((schema) =>
    Object.keys(schema).join() === 'type' ? schema['type'] : undefined,
  );
  return types.every((type) => typeof type === 'string') ? { type: types } : { anyOf: others };
}
