import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On a field of an elicitation form: titled choices (`oneOf`) as `enum` with `enumNames` beside it. */
export const titledEnumAsNames: Conversion = (field) => {
  if (!isObject(field) || !Array.isArray(field['oneOf'])) return field;
  const { oneOf, ...rest } = field;
  const choices = (oneOf as unknown[]).filter(isObject);
  return {
    ...rest,
    enum: choices.map((choice) => choice['const']),
    enumNames: choices.map((choice) => choice['title'] ?? choice['const']),
  };
};
