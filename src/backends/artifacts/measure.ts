/** How large parts of a tool result are, in bytes as they would go over the wire, escapes aside. */
import type { ContentBlock } from '../../../generated/newest/types.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { RawNumber } from '../../protocol/json.js';

/** What a block carries beside its own fields; undefined where that is next to nothing. */
export function payloadOf(
  block: ContentBlock,
): { readonly text: string } | { readonly blob: string } | undefined {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
    case 'audio':
      return { blob: block.data };
    case 'resource':
      return 'text' in block.resource
        ? { text: block.resource.text }
        : { blob: block.resource.blob };
    default:
      return undefined;
  }
}

export function isLongerThan(limit: number, text: string): boolean {
  // No UTF-8 is shorter than the string, and none longer than three times that.
  if (text.length > limit) return true;
  return text.length * 3 > limit && Buffer.byteLength(text) > limit;
}

/** Whether the JSON of the value is longer than that. Stops as soon as it knows. */
export function isLargerThan(limit: number, value: unknown): boolean {
  return rest(limit, value) < 0;
}

/** What is left of the bytes behind the value; less than nothing where they do not suffice. */
function rest(left: number, value: unknown): number {
  if (left < 0) return left;
  if (typeof value === 'string') {
    return value.length > left ? -1 : left - Buffer.byteLength(value) - QUOTES;
  }
  if (value instanceof RawNumber) return left - value.literal.length;
  if (Array.isArray(value)) {
    return value.reduce<number>(rest, left - BRACES - commas(value.length));
  }
  if (!isObject(value)) return left - String(value).length;
  const entries = Object.entries(value);
  let now = left - BRACES - commas(entries.length);
  for (const [key, item] of entries) {
    if (now < 0) break;
    now = rest(rest(now - COLON, key), item);
  }
  return now;
}

const QUOTES = 2;
const BRACES = 2;
const COLON = 1;

function commas(items: number): number {
  return Math.max(0, items - 1);
}
