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

/** Whether the JSON of the value is longer than that. Stops as soon as it knows. */
export function isLargerThan(limit: number, value: unknown): boolean {
  return rest(limit, value) < 0;
}

/** A number, a brace or a comma: what is not worth measuring. */
const SMALL = 4;

function rest(left: number, value: unknown): number {
  if (left < 0) return left;
  if (typeof value === 'string') {
    // No UTF-8 is shorter than the string, and none longer than three times that.
    if (value.length > left) return -1;
    return left - (value.length * 3 <= left ? value.length : Buffer.byteLength(value)) - SMALL;
  }
  if (value instanceof RawNumber) return left - value.literal.length;
  if (Array.isArray(value))
    return value.reduce<number>((now, item) => rest(now, item), left - SMALL);
  if (!isObject(value)) return left - SMALL;
  let now = left - SMALL;
  for (const [key, item] of Object.entries(value)) {
    if (now < 0) break;
    now = rest(now - key.length - SMALL, item);
  }
  return now;
}
