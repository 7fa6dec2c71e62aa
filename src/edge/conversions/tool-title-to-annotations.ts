import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On a tool: `title` moves to the only place this revision knows for it, unless that is taken. */
export const toolTitleToAnnotations: Conversion = (tool) => {
  if (!isObject(tool) || tool['title'] === undefined) return tool;
  const { title, ...rest } = tool;
  const annotations = rest['annotations'];
  if (isObject(annotations) && annotations['title'] !== undefined) return rest;
  return { ...rest, annotations: { ...(isObject(annotations) ? annotations : {}), title } };
};
