/** From an HTTP answer to the result of a tool. */
import type { CallToolResult, ContentBlock } from '../../../generated/newest/types.js';
import { parseJson } from '../../protocol/json.js';
import type { Bare } from '../backend.js';
import type { HttpResponse } from './exchange.js';
import { decoded, essence, isJson, isText } from './media-type.js';

/** Characters of an error's body that are shown. */
const MAX_ERROR_TEXT = 16 * 1024;
/** Headers of a success that say where to go on. */
const TELLING = ['location', 'link'];
/** Headers of an error that say what to do about it. */
const HELPFUL = ['location', 'retry-after', 'www-authenticate'];

/** `uri`: what an embedded resource is called, without anything secret in it. */
export function httpResult(response: HttpResponse, uri: string): Bare<CallToolResult> {
  if (response.status < 200 || response.status >= 300) return failed(response);
  const { body, headers, status } = response;
  const told = headerLines(response, TELLING);
  const notes: ContentBlock[] = told === '' ? [] : [{ type: 'text', text: told }];
  if (body.length === 0) return { content: [{ type: 'text', text: `HTTP ${status}` }, ...notes] };
  const type = headers['content-type'];
  if (isJson(type ?? '')) {
    const text = decoded(body, type);
    const content: ContentBlock[] = [{ type: 'text', text }, ...notes];
    try {
      return { content, structuredContent: parseJson(text) };
    } catch {
      return { content };
    }
  }
  return { content: [block(body, type, uri), ...notes] };
}

export function failedCall(text: string): Bare<CallToolResult> {
  return { content: [{ type: 'text', text }], isError: true };
}

function block(body: Buffer, type: string | undefined, uri: string): ContentBlock {
  const mimeType = essence(type);
  if (isText(mimeType)) return { type: 'text', text: decoded(body, type) };
  const data = body.toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  const about = mimeType === '' ? 'application/octet-stream' : mimeType;
  return { type: 'resource', resource: { uri, mimeType: about, blob: data } };
}

function failed(response: HttpResponse): Bare<CallToolResult> {
  const { status, headers, body } = response;
  const type = headers['content-type'];
  const readable = body.length > 0 && (type === undefined || isJson(type) || isText(type));
  const text = readable ? decoded(body, type) : '';
  const shown =
    text.length > MAX_ERROR_TEXT
      ? `${text.slice(0, MAX_ERROR_TEXT)}… (${text.length} characters)`
      : text;
  const rest = readable || body.length === 0 ? shown : `${body.length} bytes of ${essence(type)}`;
  const parts = [`HTTP ${status}`, headerLines(response, HELPFUL), rest];
  return failedCall(parts.filter((part) => part !== '').join('\n'));
}

function headerLines({ headers }: HttpResponse, names: readonly string[]): string {
  return names
    .flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]))
    .join('\n');
}
