import { describe, expect, test } from 'vitest';
import { schemaFaults } from '../../src/edge/embedded.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

describe('a schema inside a message', () => {
  test('is read as 2020-12 where it declares nothing', () => {
    expect(schemaFaults({ type: 'object', prefixItems: [{ type: 'string' }] })).toEqual([]);
    expect(schemaFaults({ type: 'object', items: [{ type: 'string' }] })).not.toEqual([]);
  });

  test('is read as draft-07 where it says so', () => {
    expect(schemaFaults({ $schema: DRAFT_07, items: [{ type: 'string' }] })).toEqual([]);
    expect(schemaFaults({ $schema: DRAFT_07, type: 'text' })).not.toEqual([]);
  });

  test('is left alone in a dialect that is not known', () => {
    expect(schemaFaults({ $schema: 'https://example.com/mine', type: 7 })).toEqual([]);
  });

  test('is faulted where it is wrong', () => {
    expect(
      schemaFaults({ type: 'object', properties: { a: { type: 'strnig' } } })[0],
    ).toMatchObject({
      pointer: '/properties/a/type',
    });
    expect(schemaFaults({ type: 'object', properties: [] })[0]).toMatchObject({
      pointer: '/properties',
    });
  });

  test('is faulted for a reference that leads nowhere', () => {
    expect(
      schemaFaults({ $defs: { A: {} }, allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }),
    ).toEqual([{ pointer: '', message: 'refers to #/$defs/B, where there is nothing' }]);
  });

  test('may use data that looks like a reference', () => {
    expect(schemaFaults({ default: { $ref: '#/nowhere' }, properties: { $ref: true } })).toEqual(
      [],
    );
  });
});
