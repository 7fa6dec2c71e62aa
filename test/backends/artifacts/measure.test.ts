/** Sizes that are told without writing the JSON. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLargerThan, isLongerThan } from '../../../src/backends/artifacts/measure.js';

/** Nothing that JSON would escape. */
const text = fc
  .array(fc.constantFrom('a', 'Z', '0', ' ', 'ä', 'ß', '€', '語', '😀'), { maxLength: 40 })
  .map((parts) => parts.join(''));

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 6 }),
    fc.dictionary(text, tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

describe('a value', () => {
  it('is larger than every size below that of its JSON, and than no other', () => {
    fc.assert(
      fc.property(json, (value) => {
        const size = Buffer.byteLength(JSON.stringify(value));
        expect(isLargerThan(size - 1, value)).toBe(true);
        expect(isLargerThan(size, value)).toBe(false);
      }),
    );
  });
});

describe('a text', () => {
  it('is longer than every length below that of its UTF-8, and than no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (one) => {
        const length = Buffer.byteLength(one);
        expect(isLongerThan(length - 1, one)).toBe(true);
        expect(isLongerThan(length, one)).toBe(false);
      }),
    );
  });
});
