/** From what handlers return to results of the newest shape. */
import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
} from '../../../generated/newest/types.js';
import { stringifyJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Bare } from '../backend.js';
import type { Completer, PromptReturn, ResourceReturn, ToolReturn } from './definitions.js';

export function toolResult(returned: ToolReturn): Bare<CallToolResult> {
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] };
  if (!isObject(returned)) throw new TypeError('A tool has to return a string or a result');
  if (returned.content !== undefined) return returned;
  // Clients of older revisions, and models, read text (server/tools, structured content).
  const { structuredContent: structured } = returned;
  if (structured === undefined) return { ...returned, content: [] };
  return { ...returned, content: [{ type: 'text', text: stringifyJson(structured) }] };
}

export function failedTool(error: unknown): Bare<CallToolResult> {
  const text = error instanceof Error ? error.message : String(error);
  return { content: [{ type: 'text', text }], isError: true };
}

export function readResult(
  uri: string,
  mimeType: string | undefined,
  returned: ResourceReturn,
): Bare<ReadResourceResult> {
  const about = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof returned === 'string') return { contents: [{ ...about, text: returned }] };
  if (returned instanceof Uint8Array) {
    return { contents: [{ ...about, blob: Buffer.from(returned).toString('base64') }] };
  }
  return returned;
}

export function promptResult(
  description: string | undefined,
  returned: PromptReturn,
): Bare<GetPromptResult> {
  if (!Array.isArray(returned) && typeof returned !== 'string') return returned;
  const messages =
    typeof returned === 'string'
      ? [{ role: 'user' as const, content: { type: 'text' as const, text: returned } }]
      : returned;
  return description === undefined ? { messages } : { description, messages };
}

export function completeResult(returned: Awaited<ReturnType<Completer>>): Bare<CompleteResult> {
  return { completion: isValues(returned) ? { values: [...returned] } : returned };
}

function isValues(returned: object): returned is readonly string[] {
  return Array.isArray(returned);
}
