/** Which of the media types a `content` object offers is used, and how a body of it is made. */
import { isObject } from '../../protocol/jsonrpc.js';
import { essence, isJson, isText } from '../http/media-type.js';
import type { JsonObject } from './document.js';

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

/** Best first: what keeps the structure of an argument. */
const PREFERENCE: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'bytes'];

export function kindOf(mediaType: string, schema: unknown): BodyKind {
  const type = essence(mediaType);
  if (isJson(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (isText(type)) return 'text';
  // A range (`*/*`) says nothing: what has a structure is written as JSON.
  const open = type === '*/*' || type === 'application/*' || type === '';
  return open && !isBinary(schema) ? 'json' : 'bytes';
}

export interface Media {
  /** As it is sent. */
  readonly type: string;
  readonly kind: BodyKind;
  readonly schema: unknown;
  readonly encoding: JsonObject;
}

export function mediaOf(content: unknown): readonly Media[] {
  if (!isObject(content)) return [];
  return Object.entries(content).map(([type, value]) => {
    const given = isObject(value) ? value : {};
    const kind = kindOf(type, given['schema']);
    return {
      type: type.includes('*') ? (kind === 'json' ? 'application/json' : BYTES) : type,
      kind,
      schema: given['schema'] ?? {},
      encoding: isObject(given['encoding']) ? given['encoding'] : {},
    };
  });
}

const BYTES = 'application/octet-stream';

export function preferred(offered: readonly Media[]): Media | undefined {
  const rank = ({ kind }: Media): number => PREFERENCE.indexOf(kind);
  return [...offered].sort((a, b) => rank(a) - rank(b))[0];
}

/** Whether a text stands for bytes, in the words of 3.0 (`format`) or of 3.1 (the content keywords). */
export function isBinary(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (type !== undefined && type !== 'string') return false;
  if (format === 'binary' || format === 'byte' || contentEncoding === 'base64') return true;
  return (
    typeof contentMediaType === 'string' && !isText(contentMediaType) && !isJson(contentMediaType)
  );
}
