import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from '../../src/protocol/header-value.js';

const encoded = (value: string): string => `=?base64?${Buffer.from(value).toString('base64')}?=`;

describe('a header value that mirrors the body', () => {
  it('is taken as it stands where it is plain ASCII', () => {
    expect(decodeHeaderValue('get_weather')).toBe('get_weather');
    expect(decodeHeaderValue('a\tb c')).toBe('a\tb c');
    expect(decodeHeaderValue('')).toBe('');
  });

  it('is decoded between the markers, whatever text it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(decodeHeaderValue(encoded(value))).toBe(value);
      }),
    );
    expect(decodeHeaderValue(encoded('=?base64?literal?='))).toBe('=?base64?literal?=');
  });

  it('is the same text after it was encoded, in characters that a header may hold', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(' a', 'a\t', '=?base64?'),
    );
    fc.assert(
      fc.property(texts, (value) => {
        const header = encodeHeaderValue(value);
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(header).toBe(header.trim());
        expect(decodeHeaderValue(header)).toBe(value);
      }),
    );
    expect(encodeHeaderValue('get_weather')).toBe('get_weather');
  });

  it('is taken literally where the markers are in another case', () => {
    expect(decodeHeaderValue('=?BASE64?SGVsbG8=?=')).toBe('=?BASE64?SGVsbG8=?=');
  });

  it.each([
    ['a foreign character', '=?base64?SGVs!!!bG8=?='],
    ['missing padding', '=?base64?SGVsbG8?='],
    ['bits after the last byte', '=?base64?SGVsbG9=?='],
    ['the URL alphabet', '=?base64?_-__?='],
    ['bytes that are not UTF-8', '=?base64?/w==?='],
    ['markers that share a character', '=?base64?='],
  ])('is refused for %s', (_what, raw) => {
    expect(decodeHeaderValue(raw)).toBeUndefined();
  });

  it('is refused with bytes that no header may hold', () => {
    expect(decodeHeaderValue('caf\u00e9')).toBeUndefined();
    expect(decodeHeaderValue('a\u0000b')).toBeUndefined();
    expect(decodeHeaderValue('a\rb')).toBeUndefined();
  });
});
