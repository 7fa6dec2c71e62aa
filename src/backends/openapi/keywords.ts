/** The keywords of JSON Schema 2020-12 that pass, and what each has to hold to be usable. */
import { isNumber } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';

export const SUBSCHEMAS: ReadonlySet<string> = new Set([
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
]);
export const SUBSCHEMA_LISTS: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
]);
export const SUBSCHEMA_MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas'],
]);

/** OpenAPI's own, or without a use once references are made anew. */
export const PASSED_OVER: ReadonlySet<string> = new Set([
  ...['discriminator', 'xml', 'externalDocs', 'example', 'nullable'],
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', '$dynamicAnchor'],
]);

const TYPES: ReadonlySet<unknown> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'],
]);

const isText = (value: unknown): boolean => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => isNumber(value) && Number(value) >= 0;
const isList = (value: unknown): boolean => Array.isArray(value);
const isAnything = (): boolean => true;

export const VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) =>
    TYPES.has(value) ||
    (Array.isArray(value) && value.length > 0 && value.every((t) => TYPES.has(t))),
  title: isText,
  description: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: isBoolean,
  deprecated: isBoolean,
  readOnly: isBoolean,
  writeOnly: isBoolean,
  default: isAnything,
  const: isAnything,
  enum: (value) => Array.isArray(value) && value.length > 0,
  examples: isList,
  required: (value) => Array.isArray(value) && value.every(isText),
  dependentRequired: isObject,
};

/** JSON Schema reads patterns with the `u` flag, which refuses some that older documents have. */
export function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
