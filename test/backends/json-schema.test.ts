import { describe, expect, test } from 'vitest';
import { UnusableSchema, schemaFault } from '../../src/backends/json-schema.js';

const slow = `${'a'.repeat(40)}!`;

describe('a schema of somebody else', () => {
  test.each([
    ['a pattern', { properties: { a: { pattern: '^(a+)+$' } } }, { a: slow }],
    ['a pattern of names', { patternProperties: { '^(a+)+$': {} } }, { [slow]: 1 }],
    [
      'items that have to differ',
      { properties: { a: { uniqueItems: true } } },
      { a: Array.from({ length: 60_000 }, (_, at) => ({ at })) },
    ],
  ])('cannot hold up everybody with %s', (_what, schema, value) => {
    const started = performance.now();
    expect(() => schemaFault(schema, value)).toThrow(UnusableSchema);
    expect(() => schemaFault(schema, value)).toThrow('was not checked within 100 ms');
    expect(performance.now() - started).toBeLessThan(5000);
    expect(schemaFault(schema, { a: [1] })).toBeUndefined();
  });

  test('says what does not fit its patterns', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^a+$' } } };
    expect(schemaFault(schema, { a: 'aa' })).toBeUndefined();
    expect(schemaFault(schema, { a: 'b' })).toBe('/a must match pattern "^a+$"');
  });
});
