import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/**
 * On the root of an embedded schema: `true` and `false` as the schema of a property are legal JSON
 * Schema, but not every revision takes them there; `{}` and `{ not: {} }` mean the same.
 */
export const inputSchemaBooleans: Conversion = (schema) => {
  if (!isObject(schema)) return schema;
  const properties = schema['properties'];
  if (!isObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(entries.map(([name, property]) => [name, spelledOut(property)])),
  };
};

function spelledOut(property: unknown): unknown {
  if (property === true) return {};
  return property === false ? { not: {} } : property;
}
