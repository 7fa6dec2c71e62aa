/** Whatever an argument holds: a reader that knows the rules gets it back, and the URL stays one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inCookie, inPath, inQuery, type Style } from '../../../src/backends/openapi/serialize.js';

const text = fc.string({ unit: 'binary' });
const filled = fc.string({ unit: 'binary', minLength: 1 });
const name = filled;
const record = fc.dictionary(filled, text, { minKeys: 1, noNullPrototype: true });

const style = (over: Partial<Style> & { name: string }): Style => ({
  style: 'form',
  explode: false,
  allowReserved: false,
  json: false,
  ...over,
});

const parsed = (parts: readonly string[]): [string, string][] => {
  const url = new URL(`http://x.test/?${parts.join('&')}`);
  expect(url.hash).toBe('');
  // `+` is a space only to readers of forms, and is never written.
  expect(parts.join('')).not.toContain('+');
  return [...url.searchParams];
};
const split = (written: string, separator: string): string[] =>
  written.split(separator).map(decodeURIComponent);

describe('a query parameter', () => {
  it('of style form, exploded, comes back item by item', () => {
    fc.assert(
      fc.property(name, fc.array(text), fc.boolean(), (key, items, allowReserved) => {
        const parts = inQuery(style({ name: key, explode: true, allowReserved }), items);
        expect(parsed(parts)).toEqual(items.map((item) => [key, item]));
      }),
    );
  });

  it.each([
    ['form', ','],
    ['spaceDelimited', '%20'],
    ['pipeDelimited', '%7C'],
  ])('of style %s comes back split at its separator', (of, separator) => {
    // What a separator among the items would do is the style's own weakness, so those are left out.
    const plain = of === 'form' ? text : text.map((item) => item.replace(/[ |]/g, '_'));
    fc.assert(
      fc.property(name, fc.array(plain, { minLength: 1 }), (key, items) => {
        const [part = '', ...rest] = inQuery(style({ name: key, style: of }), items);
        expect(rest).toEqual([]);
        const [written = '', value = ''] = part.split('=');
        expect(decodeURIComponent(written)).toBe(key);
        expect(split(value, separator)).toEqual(items);
      }),
    );
  });

  it('of style deepObject comes back key by key', () => {
    fc.assert(
      fc.property(name, record, (key, value) => {
        const parts = inQuery(style({ name: key, style: 'deepObject', explode: true }), value);
        expect(parsed(parts)).toEqual(Object.entries(value).map(([k, v]) => [`${key}[${k}]`, v]));
      }),
    );
  });

  it('of an exploded object comes back as pairs', () => {
    fc.assert(
      fc.property(name, record, (key, value) => {
        const parts = inQuery(style({ name: key, explode: true }), value);
        expect(parsed(parts)).toEqual(Object.entries(value));
      }),
    );
  });

  it('of JSON comes back as the same value', () => {
    fc.assert(
      fc.property(name, fc.jsonValue(), (key, value) => {
        const parts = parsed(inQuery(style({ name: key, json: true }), value));
        expect(parts).toHaveLength(1);
        expect(JSON.parse(parts[0]?.[1] ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a path parameter', () => {
  const written = (of: string, explode: boolean, value: unknown): string => {
    const part = inPath(style({ name: 'n', style: of, explode }), value);
    // One segment, and nothing that would begin a query or a fragment.
    expect(part).not.toMatch(/[/?#\\]/);
    return part;
  };

  it('of style simple comes back', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.boolean(), (items, explode) => {
        expect(split(written('simple', explode, items), ',')).toEqual(items);
      }),
    );
  });

  it('of style matrix, exploded, comes back', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (items) => {
        const parts = written('matrix', true, items).split(';').slice(1);
        expect(parts.map((part) => decodeURIComponent(part.split('=')[1] ?? ''))).toEqual(items);
      }),
    );
  });

  it('of style label, not exploded, comes back as pairs', () => {
    fc.assert(
      fc.property(record, (value) => {
        const flat = Object.entries(value).flat();
        expect(split(written('label', false, value).slice(1), ',')).toEqual(flat);
      }),
    );
  });
});

describe('a cookie', () => {
  it('never holds what would end it', () => {
    fc.assert(
      fc.property(name, fc.array(text, { minLength: 1 }), fc.boolean(), (key, items, explode) => {
        const parts = inCookie(style({ name: key, explode }), items);
        expect(parts).toHaveLength(explode ? items.length : 1);
        for (const part of parts) expect(part).toMatch(/^[\x21-\x7e]+=[\x21-\x7e]*$/);
        for (const part of parts) expect(part).not.toMatch(/[;"\\]/);
      }),
    );
  });
});
