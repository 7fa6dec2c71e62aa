/**
 * JSON without loss. A number literal that a double cannot hold (beyond 2^53, more digits than a
 * double has, 1e400) is carried as a `RawNumber` and written back as it stood. Text without such a
 * literal, which is nearly all of it, goes straight through `JSON.parse`.
 *
 * In what its authors write and mcpx only hands on, 1.0 is such a literal, too: a double holds it, but
 * to many a reader it is of another type than 1.
 */
import { randomBytes } from 'node:crypto';

/** Marks a raw literal on its way through `JSON.parse` and `JSON.stringify`. A peer cannot guess it. */
const MARK = `raw:${randomBytes(12).toString('hex')}:`;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/** Digits and points in a row that may be too many for a double; such an exponent may be, too. */
const LONG = 16;
const LARGE_EXPONENT = /[0-9][eE][+-]?[0-9]{3}/;

/** An integer written with a fraction, perhaps inside a string. */
const WHOLE_FRACTION = /\.0+[\s,\]}]/;
/** The same as a literal. */
const WHOLE = /^-?[0-9]+\.0+$/;

/** Keys, with their quotes, of what goes on as its authors wrote it. */
const AS_WRITTEN: ReadonlySet<string> = new Set([
  '"arguments"',
  '"structuredContent"',
  '"inputSchema"',
  '"outputSchema"',
]);

/** Raw numbers that a `JSON.stringify` met so far. */
let rawNumbersMet = 0;

/** Most processes never see one, and need not look for any. */
let rawNumbersExist = false;

export class RawNumber {
  constructor(readonly literal: string) {
    rawNumbersExist = true;
  }

  /** The nearest double, for code that has to compute with it. */
  valueOf(): number {
    return Number(this.literal);
  }

  toString(): string {
    return this.literal;
  }

  toJSON(): string {
    rawNumbersMet++;
    return MARK + this.literal;
  }
}

/**
 * Throws `SyntaxError` as `JSON.parse` does. Numbers that a double cannot hold come back as `RawNumber`,
 * and so does 1.0 in arguments, structured content and schemas of tools.
 */
export function parseJson(text: string): unknown {
  const suspicious = hasLongNumber(text) || LARGE_EXPONENT.test(text) || WHOLE_FRACTION.test(text);
  return suspicious ? parseLossless(text) : JSON.parse(text);
}

/** Every message goes through this, so it looks at one character in sixteen: no long run fits between two. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigitOrPoint(text, at)) continue;
    let from = at;
    while (isDigitOrPoint(text, from - 1)) from--;
    let to = at + 1;
    while (isDigitOrPoint(text, to)) to++;
    if (to - from >= LONG) return true;
    // The run is seen to its end, and what follows it is none.
    at = to - 1;
  }
  return false;
}

function isDigitOrPoint(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** `JSON.stringify`, with raw numbers written as they stood. */
export function stringifyJson(value: unknown): string {
  const before = rawNumbersMet;
  const text = JSON.stringify(value);
  return rawNumbersMet === before ? text : text.replace(MARKED, '$1');
}

/** Whether it was a number in the text it came from. */
export function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === 'number' || value instanceof RawNumber;
}

/** An integer that was written with a fraction as the integer it is, anything else as it is. */
export function wholeNumber(value: unknown): unknown {
  if (!(value instanceof RawNumber) || !WHOLE.test(value.literal)) return value;
  const integer = Number(value.literal);
  return Number.isSafeInteger(integer) ? integer : value;
}

/** A copy in which every `RawNumber` is the nearest double; the value itself where there is none. */
export function plainNumbers<T>(value: T): T {
  return rawNumbersExist ? (plain(value) as T) : value;
}

function plain(value: unknown): unknown {
  if (value instanceof RawNumber) return Number(value.literal);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      const replaced = plain(item);
      if (replaced !== item) (copy ??= value.slice())[i] = replaced;
    }
    return copy ?? value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const source = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(source)) {
    const replaced = plain(source[key]);
    // Spread keeps an own `__proto__` key; plain assignment would set the prototype instead.
    if (replaced !== source[key]) setOwn((copy ??= { ...source }), key, replaced);
  }
  return copy ?? value;
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    target[key] = value;
  }
}

function parseLossless(text: string): unknown {
  const marked = markNumbers(text);
  if (marked === undefined) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK)
      ? new RawNumber(value.slice(MARK.length))
      : value,
  );
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** The text with every unsafe literal outside strings turned into a marked string; undefined if none. */
function markNumbers(text: string): string | undefined {
  let out = '';
  let copied = 0;
  let at = 0;
  let depth = 0;
  /** Of the member whose value goes on as it is written. */
  let asWritten: number | undefined;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (asWritten === undefined && AS_WRITTEN.has(text.slice(at, end)) && isKey(text, end)) {
        asWritten = depth;
      }
      at = end;
    } else if (OPENING.has(code)) {
      depth++;
      at++;
    } else if (CLOSING.has(code) || code === COMMA) {
      if (code !== COMMA) depth--;
      if (asWritten !== undefined && depth <= asWritten) asWritten = undefined;
      at++;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(text)?.[0];
      // Not a number JSON knows: left for JSON.parse to refuse.
      if (literal === undefined) return undefined;
      if (!isHeldByDouble(literal) || (asWritten !== undefined && WHOLE.test(literal))) {
        out += `${text.slice(copied, at)}"${MARK}${literal}"`;
        copied = at + literal.length;
      }
      at += literal.length;
    } else {
      at++;
    }
  }
  return copied === 0 ? undefined : out + text.slice(copied);
}

const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const COMMA = 0x2c;
const COLON = /[ \t\r\n]*:/y;

/** Whether the string that ends there is the key of a member. */
function isKey(text: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text);
}

function endOfString(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close < 0) return text.length;
    let slash = close - 1;
    while (text.charCodeAt(slash) === 0x5c) slash--;
    if ((close - slash) % 2 === 1) return close + 1;
    at = close + 1;
  }
}

/** Whether printing the double gives the literal's value again. */
function isHeldByDouble(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const printed = decimal(String(value));
  const given = decimal(literal);
  return (
    printed.digits === given.digits &&
    (printed.digits === '' || printed.exponent === given.exponent)
  );
}

/** A literal as its significant digits and the power of ten of the last one; sign left out. */
function decimal(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = literal.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const trimmed = all.replace(/0+$/, '');
  return {
    digits: trimmed.replace(/^0+/, ''),
    exponent: Number(power) - fraction.length + (all.length - trimmed.length),
  };
}
