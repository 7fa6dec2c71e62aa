/**
 * Blocks of a tool result that no revision knows, from a server that is ahead of its protocol or beside
 * it. The rest of the result is good: such a block is said as text, which every client can show.
 */
import { stringifyJson } from '../../protocol/json.js';
import { resultFault } from './received.js';

const METHOD = 'tools/call';

type Result = Record<string, unknown>;

/** The result with its unreadable blocks as text, and what was wrong with them; itself where nothing was. */
export function withReadableBlocks(result: Result): { result: Result; faults: string[] } {
  const { content } = result;
  if (!Array.isArray(content)) return { result, faults: [] };
  const faults: string[] = [];
  const readable = content.map((block: unknown) => {
    const fault = resultFault(METHOD, { content: [block] });
    if (fault === undefined) return block;
    faults.push(fault);
    return { type: 'text', text: stringifyJson(block) };
  });
  return faults.length === 0
    ? { result, faults }
    : { result: { ...result, content: readable }, faults };
}
