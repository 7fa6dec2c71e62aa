import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  RawNumber,
  parseJson,
  plainNumbers,
  stringifyJson,
  wholeNumber,
} from '../../src/protocol/json.js';

describe('numbers a double cannot hold', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
    '0.1234567890123456789',
    '1e400',
    '-1E+400',
    '1e-400',
    '3.14159265358979323846',
  ])('%s is written back as it stood', (literal) => {
    const text = `{"a":[${literal},{"b":${literal}}],"c":"${literal}"}`;
    expect(stringifyJson(parseJson(text))).toBe(text);
    expect((parseJson(text) as { a: unknown[] }).a[0]).toBeInstanceOf(RawNumber);
  });

  test.each([
    '9007199254740992',
    '0.1',
    '1e21',
    '123.4560',
    '1e300',
    '1e-300',
    '1000000000000000000000',
    '0.30000000000000004',
  ])('%s is an ordinary number', (literal) => {
    expect(parseJson(`[${literal}]`)).toEqual([Number(literal)]);
  });

  test('sixteen digits are seen wherever they stand, and whatever digits stand before them', () => {
    for (let before = 0; before < 16; before++) {
      for (let between = 1; between < 20; between++) {
        const text = `["${'7'.repeat(before)}${'x'.repeat(between)}",9007199254740993]`;
        expect(stringifyJson(parseJson(text))).toBe(text);
      }
    }
  });

  test.each(['1.0', '-3.00', '0.0', '9007199254740991.0'])(
    '%s stays what it is in what its authors wrote, and is an integer elsewhere',
    (literal) => {
      const text = `{"structuredContent" : {"x":${literal},"arguments":[${literal}]},"b":[${literal}]}`;
      const inside = `{"x":${literal},"arguments":[${literal}]}`;
      const outside = String(Number(literal));
      expect(stringifyJson(parseJson(text))).toBe(
        `{"structuredContent":${inside},"b":[${outside}]}`,
      );
      expect(parseJson(`{"id":${literal},"name":"arguments","n":${literal}}`)).toEqual({
        id: Number(literal),
        name: 'arguments',
        n: Number(literal),
      });
    },
  );

  test('a scalar is as written up to its end, and not beyond', () => {
    const text = '{"structuredContent":1.0,"x":2.0,"a":[{"outputSchema":3.0},4.0]}';
    expect(stringifyJson(parseJson(text))).toBe(
      '{"structuredContent":1.0,"x":2,"a":[{"outputSchema":3.0},4]}',
    );
  });

  test('an integer written with a fraction is the integer to who has to have one', () => {
    expect(wholeNumber(new RawNumber('3.0'))).toBe(3);
    for (const literal of ['9007199254740993.0', '1e400', '3.1']) {
      const raw = new RawNumber(literal);
      expect(wholeNumber(raw)).toBe(raw);
    }
    expect(wholeNumber('3.0')).toBe('3.0');
  });

  test('digits inside strings and keys stay text', () => {
    const text = '{"12345678901234567890":"a\\"9007199254740993\\\\","b":9007199254740993}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('a __proto__ key stays an own key', () => {
    const text = '{"__proto__":{"x":9007199254740993}}';
    const value = parseJson(text) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe(text);
    expect(stringifyJson(plainNumbers(value))).toBe('{"__proto__":{"x":9007199254740992}}');
  });

  test('text that is not JSON is refused as JSON.parse refuses it', () => {
    for (const text of [
      '[12345678901234567890',
      '[-]',
      '[01234567890123456789]',
      '"1234567890123456789',
      '{"a":1e4000x}',
    ]) {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    }
  });

  test('a raw number is readable as the nearest double', () => {
    expect(plainNumbers(parseJson('{"a":[9007199254740993,1]}'))).toEqual({
      a: [9007199254740992, 1],
    });
  });

  test('plainNumbers returns a value without raw numbers as it is', () => {
    const value = { a: [1, { b: 'x' }] };
    expect(plainNumbers(value)).toBe(value);
  });
});

test('any JSON value survives the lossless path as it survives JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify({ value, big: 0 }).replace(
        '"big":0',
        '"big":12345678901234567890',
      );
      const parsed = parseJson(text) as { value: unknown };
      expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(value));
      expect(stringifyJson(parsed)).toBe(text);
    }),
  );
});
