import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/** On a content block: audio, where there is none, becomes a text block that says type and size. */
export const audioAsText: Conversion = (block) => {
  if (!isObject(block) || block['type'] !== 'audio') return block;
  const { type: _type, data, mimeType, ...rest } = block;
  return { type: 'text', text: `[audio: ${described(mimeType)}, ${size(data)}]`, ...rest };
};

function described(mimeType: unknown): string {
  return typeof mimeType === 'string' ? mimeType : 'unknown type';
}

function size(base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0;
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
}
