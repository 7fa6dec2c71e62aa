import { describe, expect, test } from 'vitest';
import type { ProjectionTable } from '../../generated/projections/table.js';
import type { Conversion } from '../../src/edge/conversions/conversion.js';
import { compileProjection } from '../../src/edge/projection.js';
import { deepFreeze } from '../support/freeze.js';

const table: ProjectionTable = {
  revision: 'r1',
  results: { look: 'Result', empty: null },
  requests: { ask: 'Tree' },
  notifications: {},
  shapes: {
    Result: {
      kind: 'object',
      drop: ['extra'],
      fields: { blocks: 'Blocks', byName: 'Named', _meta: 'Meta' },
    },
    Meta: { kind: 'object', drop: ['r2/only'], fields: {} },
    Blocks: { kind: 'array', items: 'Block' },
    Block: {
      kind: 'union',
      discriminator: 'type',
      cases: { text: null, picture: 'Picture' },
      convert: ['soundAsText'],
    },
    Picture: { kind: 'object', drop: ['_meta'], fields: {} },
    Named: { kind: 'record', values: 'Picture' },
    Tree: { kind: 'object', drop: ['leaf'], fields: { children: 'Trees' } },
    Trees: { kind: 'array', items: 'Tree' },
  },
};

const soundAsText: Conversion = (block) =>
  (block as { type?: unknown } | null)?.type === 'sound'
    ? { type: 'text', text: 'a sound' }
    : block;

const projection = compileProjection(table, { soundAsText });
const look = (value: unknown): unknown =>
  projection.results.get('look')?.(deepFreeze(value), undefined);
const ask = (value: unknown): unknown =>
  projection.requests.get('ask')?.(deepFreeze(value), undefined);

describe('a value in which nothing changes', () => {
  test('comes back as it is', () => {
    const value = { blocks: [{ type: 'text', text: 'x' }], byName: { a: { type: 'picture' } } };
    expect(look(value)).toBe(value);
  });

  test('may hold fields and members that no revision has heard of', () => {
    const value = { mine: { extra: 1 }, blocks: [{ type: 'smell', _meta: {} }, 'junk', null] };
    expect(look(value)).toBe(value);
  });

  test('may be of a kind that the shape does not expect', () => {
    for (const value of [null, 7, 'x', [], { blocks: { type: 'picture', _meta: {} } }]) {
      expect(look(value)).toBe(value);
    }
  });

  test('needs no shape at all', () => {
    const value = { extra: 1 };
    expect(projection.results.get('empty')?.(value, undefined)).toBe(value);
  });
});

describe('a value in which something changes', () => {
  test('is copied down to the change, and shares the rest', () => {
    const value = {
      extra: 1,
      blocks: [{ type: 'text' }, { type: 'picture', _meta: {}, data: [] }],
      byName: { kept: {} },
    };
    const projected = look(value) as typeof value;
    expect(projected).toEqual({
      blocks: [{ type: 'text' }, { type: 'picture', data: [] }],
      byName: { kept: {} },
    });
    expect(projected.blocks[0]).toBe(value.blocks[0]);
    expect(projected.byName).toBe(value.byName);
  });

  test('keeps the order of its keys', () => {
    const projected = look({ z: 1, extra: 2, blocks: [{ type: 'picture', _meta: 0 }], a: 3 });
    expect(Object.keys(projected as object)).toEqual(['z', 'blocks', 'a']);
  });

  test('keeps a key called __proto__', () => {
    const projected = look(JSON.parse('{"__proto__":{"polluted":true},"extra":1}'));
    expect(JSON.stringify(projected)).toBe('{"__proto__":{"polluted":true}}');
  });

  test('does not mistake inherited properties for dropped ones', () => {
    const odd = compileProjection(
      {
        ...table,
        shapes: { ...table.shapes, Result: { kind: 'object', drop: ['toString'], fields: {} } },
      },
      { soundAsText },
    );
    const value = {};
    expect(odd.results.get('look')?.(value, undefined)).toBe(value);
  });
});

test('an emptied _meta goes, one that was empty stays', () => {
  expect(look({ _meta: { 'r2/only': 1 } })).toEqual({});
  expect(look({ _meta: { 'r2/only': 1, mine: 2 } })).toEqual({ _meta: { mine: 2 } });
  expect(look({ _meta: {} })).toEqual({ _meta: {} });
});

test('a conversion runs before the member is chosen', () => {
  expect(look({ blocks: [{ type: 'sound', _meta: {} }] })).toEqual({
    blocks: [{ type: 'text', text: 'a sound' }],
  });
});

test('a shape that contains itself is followed all the way', () => {
  expect(ask({ leaf: 1, children: [{ children: [{ leaf: 2, name: 'deep' }] }] })).toEqual({
    children: [{ children: [{ name: 'deep' }] }],
  });
});

test('a method that the table does not name has no projector', () => {
  expect(projection.results.get('toString')).toBeUndefined();
  expect(projection.requests.get('look')).toBeUndefined();
});

test('a table that names a conversion or a shape that is not there is refused', () => {
  expect(() => compileProjection(table, {})).toThrow('r1: there is no conversion soundAsText');
  const broken = { ...table, requests: { ask: 'Gone' } };
  expect(() => compileProjection(broken, { soundAsText })).toThrow('r1: there is no shape Gone');
});
