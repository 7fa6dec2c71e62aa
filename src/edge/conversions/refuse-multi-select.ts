import { isObject } from '../../protocol/jsonrpc.js';
import { refuse } from '../refusal.js';
import type { Conversion } from './conversion.js';

/** On a field of an elicitation form. No answer of this revision could carry several choices. */
export const refuseMultiSelect: Conversion = (field) =>
  isObject(field) && field['type'] === 'array'
    ? refuse("the client's revision has no multiple choice in elicitation forms")
    : field;
