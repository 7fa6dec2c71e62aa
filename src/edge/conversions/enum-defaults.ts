import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On a field of an elicitation form: a default is a hint, and only booleans have always had one. */
export const enumDefaults: Conversion = (field) => {
  if (!isObject(field) || field['type'] === 'boolean' || field['default'] === undefined) {
    return field;
  }
  const { default: _default, ...rest } = field;
  return rest;
};
