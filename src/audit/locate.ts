/** From a JSON pointer into a value to the definition that stands there, and what it allows. */
import type { Revision } from '../../generated/revisions.js';
import { isObject } from '../protocol/jsonrpc.js';
import { definitionsOf, type JsonSchema } from './schemas.js';
import { plainStep } from '../protocol/pointer.js';

export interface Located {
  /** The innermost definition, and the path below it: `Tool`, `Tool.inputSchema`. */
  readonly owner: string;
  /** Undefined where the revision defines nothing at the place. */
  readonly schema: JsonSchema | undefined;
}

interface Step {
  readonly owner: string;
  readonly schema: JsonSchema;
}

/** The object or list that holds what the pointer names, and the thing itself. `root` is a definition. */
export function locate(
  revision: Revision,
  root: string,
  value: unknown,
  pointer: string,
): { parent: Located; own: Located } | undefined {
  const definition = definitionsOf(revision)[root];
  if (definition === undefined) return undefined;
  let current: Step = resolved(revision, { owner: root, schema: definition }, value);
  let at: unknown = value;
  let parent: Located = current;
  const steps = stepsOf(pointer);
  for (const [index, step] of steps.entries()) {
    parent = current;
    at = Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined;
    const below = childOf(current, step);
    if (below === undefined) {
      const isLast = index === steps.length - 1;
      return isLast ? { parent, own: { owner: current.owner, schema: undefined } } : undefined;
    }
    current = resolved(revision, below, at);
  }
  return { parent, own: current };
}

export function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(plainStep);
}

/** A schema in a word or two: `string`, `list of Tool`, `"a" | "b"`. */
export function describeSchema(schema: JsonSchema): string {
  const { $ref, const: constant, enum: choices, anyOf, type, items, properties } = schema;
  if (typeof $ref === 'string') return nameOf($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (Array.isArray(anyOf))
    return anyOf.map((one) => describeSchema(one as JsonSchema)).join(' | ');
  if (type === 'array') return `list of ${describeSchema((items ?? {}) as JsonSchema)}`;
  if (type === 'object' && isObject(properties)) return `{ ${Object.keys(properties).join(', ')} }`;
  if (Array.isArray(type)) return type.join(' | ');
  const format = typeof schema['format'] === 'string' ? ` (${schema['format']})` : '';
  return typeof type === 'string' ? `${type}${format}${boundsOf(schema)}` : 'anything';
}

function boundsOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined && maximum === undefined) return '';
  return ` (${bound(minimum)}…${bound(maximum)})`;
}

function bound(value: unknown): string {
  return typeof value === 'number' ? `${value}` : '';
}

function childOf({ owner, schema }: Step, step: string): Step | undefined {
  const { properties, items, additionalProperties } = schema;
  if (isObject(items)) return { owner, schema: items };
  const property = isObject(properties) ? properties[step] : undefined;
  if (isObject(property)) return { owner: `${owner}.${step}`, schema: property };
  const open = isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return open ? { owner: `${owner}.*`, schema: additionalProperties } : undefined;
}

/** Behind references, and of a union the member that the value means. */
function resolved(revision: Revision, step: Step, value: unknown): Step {
  const { $ref, anyOf } = step.schema;
  if (typeof $ref === 'string') {
    const name = nameOf($ref);
    const schema = definitionsOf(revision)[name];
    return schema === undefined ? step : resolved(revision, { owner: name, schema }, value);
  }
  if (!Array.isArray(anyOf)) return step;
  const members = anyOf.map((member) =>
    resolved(revision, { owner: step.owner, schema: member as JsonSchema }, value),
  );
  const best = members.reduce((a, b) =>
    likeness(b.schema, value) > likeness(a.schema, value) ? b : a,
  );
  return resolved(revision, best, value);
}

/** How much a value looks like a schema: its constants count most, then its fields. */
function likeness({ type, properties }: JsonSchema, value: unknown): number {
  if (Array.isArray(value)) return type === 'array' ? 1 : 0;
  if (!isObject(value)) return type === typeof value ? 1 : 0;
  if (type !== 'object') return 0;
  let score = 1;
  for (const [name, schema] of Object.entries((properties ?? {}) as Record<string, JsonSchema>)) {
    if (!(name in value)) continue;
    if (schema['const'] === undefined) score += 1;
    else score += schema['const'] === value[name] ? 100 : -100;
  }
  return score;
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
