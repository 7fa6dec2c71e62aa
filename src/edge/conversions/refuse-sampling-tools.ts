import { isObject } from '../../protocol/jsonrpc.js';
import { refuse } from '../refusal.js';
import type { Conversion } from './conversion.js';

/**
 * On the params of a sampling request that offers tools, or tells of their use. Without them the model
 * would answer something else than was asked.
 */
export const refuseSamplingTools: Conversion = (params) => {
  if (!isObject(params)) return params;
  const { tools, messages } = params;
  const offers = Array.isArray(tools) && tools.length > 0;
  return offers || (Array.isArray(messages) && messages.some(tellsOfTools))
    ? refuse("the client's revision has no tools in sampling")
    : params;
};

function tellsOfTools(message: unknown): boolean {
  if (!isObject(message)) return false;
  const content = message['content'];
  return Array.isArray(content) ? content.some(isToolBlock) : isToolBlock(content);
}

function isToolBlock(block: unknown): boolean {
  return isObject(block) && (block['type'] === 'tool_use' || block['type'] === 'tool_result');
}
