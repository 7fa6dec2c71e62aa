/**
 * Values of the headers that mirror the body (2026-07-28, basic/transports/streamable-http, value
 * encoding): plain ASCII, or the Base64 of UTF-8 between two markers.
 */
const OPEN = '=?base64?';
const CLOSE = '?=';
const PLAIN = /^[\t\x20-\x7e]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `decodeHeaderValue` of it is the text again, whatever the text. */
export function encodeHeaderValue(text: string): string {
  // What a peer may trim at either end, or take for an encoded value, has to be encoded.
  const plain = /^[\x20-\x7e]*$/.test(text) && text === text.trim() && !text.startsWith(OPEN);
  return plain ? text : `${OPEN}${Buffer.from(text, 'utf8').toString('base64')}${CLOSE}`;
}

/** What the header says; undefined if it holds bytes no header may, or markers around what is not Base64 of UTF-8. */
export function decodeHeaderValue(raw: string): string | undefined {
  if (!PLAIN.test(raw)) return undefined;
  if (!raw.startsWith(OPEN) || !raw.endsWith(CLOSE)) return raw;
  const inner = raw.slice(OPEN.length, -CLOSE.length);
  // `=?base64?=` has both markers only by sharing a character.
  if (raw.length < OPEN.length + CLOSE.length || !BASE64.test(inner)) return undefined;
  const bytes = Buffer.from(inner, 'base64');
  // Bits left over after the last byte have to be zero, or two headers would say the same value.
  if (bytes.toString('base64') !== inner) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
