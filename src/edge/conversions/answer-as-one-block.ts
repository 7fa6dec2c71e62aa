import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

type Block = Record<string, unknown>;

/**
 * On the content of a sampling answer: one block, which is no use of a tool. Several become one text,
 * in which each that is no text is named.
 */
export const answerAsOneBlock: Conversion = (content) => {
  if (!Array.isArray(content)) {
    return isObject(content) && isToolBlock(content) ? asText([content]) : content;
  }
  const blocks = (content as unknown[]).filter(isObject);
  const [only] = blocks;
  return only !== undefined && blocks.length === 1 && !isToolBlock(only) ? only : asText(blocks);
};

function isToolBlock({ type }: Block): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

function asText(blocks: readonly Block[]): Block {
  return { type: 'text', text: blocks.map(worded).join('\n') };
}

function worded({ type, text, name }: Block): string {
  if (type === 'text' && typeof text === 'string') return text;
  return typeof name === 'string' ? `[${String(type)}: ${name}]` : `[${String(type)}]`;
}
