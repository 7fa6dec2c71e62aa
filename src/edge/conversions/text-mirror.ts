import { RawNumber, parseJson, stringifyJson, wholeNumber } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';

/**
 * `content` with a text block that holds `value` as JSON at its end; `content` itself where one of its
 * text blocks says the same already, as JSON or, for a string, as it is.
 */
export function mirroredAsText(content: unknown, value: unknown): unknown[] {
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  if (blocks.some((block) => says(block, value))) return blocks;
  return [...blocks, { type: 'text', text: stringifyJson(value) }];
}

function says(block: unknown, value: unknown): boolean {
  if (!isObject(block) || block['type'] !== 'text') return false;
  const text = block['text'];
  if (typeof text !== 'string') return false;
  if (text === value) return true;
  try {
    return equalJson(parseJson(text), value);
  } catch {
    return false;
  }
}

function equalJson(one: unknown, other: unknown): boolean {
  const a = wholeNumber(one);
  const b = wholeNumber(other);
  if (a === b) return true;
  if (a instanceof RawNumber || b instanceof RawNumber) {
    return a instanceof RawNumber && b instanceof RawNumber && a.literal === b.literal;
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, at) => equalJson(item, b[at]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
  );
}
