import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';
import { mirroredAsText } from './text-mirror.js';

/** On a tool result: `structuredContent` goes, and its JSON stays readable in a text block. */
export const structuredContentAsText: Conversion = (result) => {
  if (!isObject(result) || result['structuredContent'] === undefined) return result;
  const { structuredContent, ...rest } = result;
  return { ...rest, content: mirroredAsText(rest['content'], structuredContent) };
};
