/**
 * Arguments as they stand in a request: every `style` and `explode` of OpenAPI's Parameter Object, which
 * are those of RFC 6570. Values inside values, for which there is no rule, are written as JSON.
 */
import { stringifyJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { textOf } from '../text.js';

export interface Style {
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly json: boolean;
}

/** A value as it can be written: alone, in a row, or as pairs. */
type Shape =
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [string, string])[] };

function shapeOf(value: unknown, json: boolean): Shape {
  if (json) return { kind: 'one', text: stringifyJson(value) };
  if (Array.isArray(value)) return { kind: 'list', texts: value.map(textOf) };
  if (!isObject(value)) return { kind: 'one', text: textOf(value) };
  return { kind: 'pairs', pairs: Object.entries(value).map(([k, v]) => [k, textOf(v)]) };
}

/** What stands for `{name}` in a path. */
export function inPath(style: Style, value: unknown): string {
  const shape = shapeOf(value, style.json);
  if (style.style === 'matrix') return matrix(style, shape);
  const [before, separator] = style.style === 'label' ? ['.', '.'] : ['', ','];
  return before + joined(shape, encoded, style.explode ? separator : ',', style.explode);
}

/** `name=value` parts, percent-encoded, to be joined by `&`. None for an empty array or object. */
export function inQuery(style: Style, value: unknown): string[] {
  const write = style.allowReserved ? encodedButReserved : encoded;
  if (style.style === 'deepObject' && !style.json && isObject(value)) {
    return deep(encoded(style.name), value, write);
  }
  const separator = SEPARATORS.get(style.style) ?? ',';
  return named(style, shapeOf(value, style.json), write, separator);
}

const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
]);

/** `name=value` parts of a Cookie header, percent-encoded, to be joined by `; `. */
export function inCookie(style: Style, value: unknown): string[] {
  return named(style, shapeOf(value, style.json), encoded, ',');
}

/** A header's value. Nothing is encoded: headers know no encoding. */
export function inHeader(style: Style, value: unknown): string {
  return joined(shapeOf(value, style.json), (text) => text, ',', style.explode);
}

function named(
  { name, explode }: Style,
  shape: Shape,
  write: (text: string) => string,
  separator: string,
): string[] {
  const key = encoded(name);
  if (explode && shape.kind === 'list') return shape.texts.map((text) => `${key}=${write(text)}`);
  if (explode && shape.kind === 'pairs') {
    return shape.pairs.map(([k, v]) => `${encoded(k)}=${write(v)}`);
  }
  if (isEmpty(shape)) return [];
  return [`${key}=${joined(shape, write, separator, false)}`];
}

function matrix({ name, explode }: Style, shape: Shape): string {
  const key = encoded(name);
  const pair = (k: string, text: string): string =>
    text === '' ? `;${k}` : `;${k}=${encoded(text)}`;
  if (explode && shape.kind === 'list') return shape.texts.map((text) => pair(key, text)).join('');
  if (explode && shape.kind === 'pairs') {
    return shape.pairs.map(([k, v]) => pair(encoded(k), v)).join('');
  }
  const value = joined(shape, encoded, ',', false);
  return value === '' ? `;${key}` : `;${key}=${value}`;
}

function joined(
  shape: Shape,
  write: (text: string) => string,
  separator: string,
  explode: boolean,
): string {
  if (shape.kind === 'one') return write(shape.text);
  if (shape.kind === 'list') return shape.texts.map(write).join(separator);
  const between = explode ? '=' : separator;
  return shape.pairs.map(([k, v]) => write(k) + between + write(v)).join(separator);
}

function deep(prefix: string, value: unknown, write: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((item) => `${prefix}=${write(textOf(item))}`);
  if (!isObject(value)) return [`${prefix}=${write(textOf(value))}`];
  return Object.entries(value).flatMap(([key, item]) =>
    deep(`${prefix}%5B${encoded(key)}%5D`, item, write),
  );
}

function isEmpty(shape: Shape): boolean {
  if (shape.kind === 'list') return shape.texts.length === 0;
  return shape.kind === 'pairs' && shape.pairs.length === 0;
}

/** Everything but the unreserved characters of RFC 3986. Throws `URIError` for half a surrogate pair. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, percent);
}

/** Reserved characters stay, but for those that would end the value. */
function encodedButReserved(text: string): string {
  return encoded(text).replace(/%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B|3D)/g, (code) =>
    decodeURIComponent(code),
  );
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
