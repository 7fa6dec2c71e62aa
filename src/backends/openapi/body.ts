/** The body of an operation: what its argument looks like, and how the argument becomes bytes. */
import { randomUUID } from 'node:crypto';
import { stringifyJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { ArgumentsRefused } from '../backend.js';
import type { HttpBody } from '../http/exchange.js';
import { textOf } from '../text.js';
import type { JsonObject } from './document.js';
import { isBinary, mediaOf, preferred, type Media } from './media.js';
import { BrokenReference, type References } from './references.js';
import type { JsonSchema, Note, SchemaBook } from './schema.js';
import { inQuery } from './serialize.js';

export interface Body {
  readonly media: Media;
  readonly required: boolean;
  readonly description: string | undefined;
  /** Properties whose texts are bytes in base64 (multipart). */
  readonly binary: ReadonlySet<string>;
}

/** Undefined where the operation has none, or none that can be made. */
export function bodyOf(
  operation: JsonObject,
  references: References,
  note: Note,
  where: string,
): Body | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  let given: JsonObject;
  try {
    given = references.resolve(operation['requestBody']);
  } catch (error) {
    if (!(error instanceof BrokenReference)) throw error;
    note(where, `its body is left out: ${error.message}`);
    return undefined;
  }
  const media = preferred(mediaOf(given['content']));
  if (media === undefined) {
    note(where, 'its body is left out: it has no content');
    return undefined;
  }
  const { description } = given;
  return {
    media,
    required: given['required'] === true,
    description: typeof description === 'string' ? description : undefined,
    binary: media.kind === 'multipart' ? binaryParts(media.schema, references) : new Set(),
  };
}

function binaryParts(schema: unknown, references: References): Set<string> {
  const names = new Set<string>();
  const { properties } = resolved(schema, references);
  if (!isObject(properties)) return names;
  for (const [name, property] of Object.entries(properties)) {
    const own = resolved(property, references);
    if (isBinary(own) || isBinary(resolved(own['items'], references))) names.add(name);
  }
  return names;
}

function resolved(schema: unknown, references: References): JsonObject {
  try {
    return references.resolve(schema);
  } catch {
    return {}; // Told where the schema itself is translated.
  }
}

const BASE64 = { type: 'string', contentEncoding: 'base64' } as const;

export function bodySchema(
  { media, description, binary }: Body,
  book: SchemaBook,
  where: string,
  uses: Set<string>,
): JsonSchema {
  if (media.kind === 'bytes') {
    return { ...BASE64, contentMediaType: media.type, description: description ?? 'In base64' };
  }
  const about = description === undefined ? {} : { description };
  if (media.kind === 'text') return { type: 'string', contentMediaType: media.type, ...about };
  const part = book.part(media.schema, where, uses);
  const schema = typeof part === 'boolean' ? {} : part;
  const properties = schema['properties'];
  if (binary.size > 0 && isObject(properties)) {
    const entries = Object.entries(properties).map(([name, property]) =>
      binary.has(name) ? [name, asBase64(property)] : [name, property],
    );
    return { ...about, ...schema, properties: Object.fromEntries(entries) as JsonObject };
  }
  return { ...about, ...schema };
}

function asBase64(property: unknown): JsonSchema {
  const { description, items } = isObject(property) ? property : {};
  const told = typeof description === 'string' ? `${description} (in base64)` : 'In base64';
  const one = { ...BASE64, description: told };
  return items === undefined ? one : { type: 'array', items: one };
}

/** Throws `ArgumentsRefused` for what is no base64. */
export function encodeBody({ media, binary }: Body, value: unknown): HttpBody {
  const { type: contentType } = media;
  switch (media.kind) {
    case 'json':
      return { contentType, payload: stringifyJson(value) };
    case 'text':
      return { contentType, payload: textOf(value) };
    case 'bytes':
      return { contentType, payload: bytesOf(value, 'the body') };
    case 'form':
      return { contentType, payload: form(value, media.encoding) };
    case 'multipart':
      return multipart(contentType, value, media.encoding, binary);
  }
}

/** Strict: `Buffer` would leave out what it does not understand. */
function bytesOf(value: unknown, what: string): Buffer {
  const text = textOf(value);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)) {
    throw new ArgumentsRefused(`${what} has to be bytes in base64`);
  }
  return Buffer.from(text, 'base64');
}

function form(value: unknown, encoding: JsonObject): string {
  if (!isObject(value)) throw new ArgumentsRefused('the body has to be an object');
  return Object.entries(value)
    .flatMap(([name, item]) => inQuery(formStyle(name, item, encoding[name]), item))
    .join('&');
}

/** Encoding Object: an object is JSON unless one of the style fields is there. */
function formStyle(name: string, item: unknown, encoding: unknown): Parameters<typeof inQuery>[0] {
  const given = isObject(encoding) ? encoding : {};
  const style = typeof given['style'] === 'string' ? given['style'] : 'form';
  const explode = typeof given['explode'] === 'boolean' ? given['explode'] : style === 'form';
  const styled = ['style', 'explode', 'allowReserved'].some((key) => given[key] !== undefined);
  const allowReserved = given['allowReserved'] === true;
  return { name, style, explode, allowReserved, json: !styled && isObject(item) };
}

function multipart(
  contentType: string,
  value: unknown,
  encoding: JsonObject,
  binary: ReadonlySet<string>,
): HttpBody {
  if (!isObject(value)) throw new ArgumentsRefused('the body has to be an object');
  const boundary = `mcpx-${randomUUID()}`;
  const pieces: (string | Buffer)[] = [];
  for (const [name, item] of Object.entries(value)) {
    const given = encoding[name];
    const stated = isObject(given) ? given['contentType'] : undefined;
    const type = typeof stated === 'string' ? stated.split(',', 1)[0]?.trim() : undefined;
    for (const one of Array.isArray(item) ? (item as unknown[]) : [item]) {
      const part = partOf(name, one, binary.has(name), type);
      pieces.push(`--${boundary}\r\n${part.head}\r\n\r\n`, part.payload, '\r\n');
    }
  }
  pieces.push(`--${boundary}--\r\n`);
  const payload = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  return { contentType: `${contentType}; boundary=${boundary}`, payload };
}

function partOf(
  name: string,
  value: unknown,
  isFile: boolean,
  stated: string | undefined,
): { head: string; payload: string | Buffer } {
  // As browsers do it (HTML, multipart form data).
  const quoted = name.replace(/["\r\n]/g, (char) => encodeURIComponent(char));
  const disposition = `Content-Disposition: form-data; name="${quoted}"`;
  if (isFile) {
    const type = stated === undefined || stated.includes('*') ? 'application/octet-stream' : stated;
    const head = `${disposition}; filename="${quoted}"\r\nContent-Type: ${type}`;
    return { head, payload: bytesOf(value, name) };
  }
  const type =
    stated ?? (typeof value === 'object' && value !== null ? 'application/json' : undefined);
  return {
    head: type === undefined ? disposition : `${disposition}\r\nContent-Type: ${type}`,
    payload: textOf(value),
  };
}
