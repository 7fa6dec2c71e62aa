import { isObject } from '../../protocol/jsonrpc.js';
import { rebased } from '../schema-refs.js';
import type { Conversion } from './conversion.js';
import { inputSchemaBooleans } from './input-schema-booleans.js';

/**
 * On an `outputSchema`: a root that does not say `type: "object"` is put under the one required
 * property `result`, as the official SDK does; references inside are re-based, `$schema` stays at the
 * root, where alone it is sure to be read.
 */
export const outputSchemaAsObject: Conversion = (schema, context, revision) => {
  if (!isObject(schema)) return schema;
  if (!wrapped(schema)) return inputSchemaBooleans(schema, context, revision);
  const { $schema, ...inner } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { result: rebased(inner, '#/properties/result') },
    required: ['result'],
  };
};

/** Whether `outputSchemaAsObject` wraps this schema. */
export function wrapped(schema: unknown): boolean {
  return isObject(schema) && schema['type'] !== 'object';
}
