import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';
import { wrapped } from './output-schema-as-object.js';
import { mirroredAsText } from './text-mirror.js';

/**
 * On a tool result: `structuredContent` is put under `result` where it is no object, or where the
 * tool's `outputSchema` was listed that way (`outputSchemaAsObject`), so that list and call agree; the
 * JSON of the bare value is kept in a text block.
 */
export const structuredContentAsObject: Conversion = (result, context) => {
  if (!isObject(result)) return result;
  const value = result['structuredContent'];
  if (value === undefined) return result;
  if (isObject(value) && !wrapped(context?.tool?.outputSchema)) return result;
  return {
    ...result,
    content: mirroredAsText(result['content'], value),
    structuredContent: { result: value },
  };
};
