import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On the answer to an elicitation: several choices, where a field holds one value, become one string. */
export const choicesAsText: Conversion = (answer) => {
  if (!isObject(answer) || !isObject(answer['content'])) return answer;
  const fields = Object.entries(answer['content']);
  if (!fields.some(([, value]) => Array.isArray(value))) return answer;
  const content = Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  return { ...answer, content };
};
