import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { loadChecker } from '../../src/edge/check.js';
import type { Outgoing } from '../../src/edge/contract.js';
import { faultsOf, type Fault } from '../../src/edge/faults.js';

const schema = {
  type: 'object',
  properties: { blocks: { type: 'array', items: { $ref: '#/$defs/Block' } } },
  $defs: {
    Block: {
      anyOf: [
        { $ref: '#/$defs/Text' },
        { $ref: '#/$defs/Image' },
        { $ref: '#/$defs/Resource' },
        { type: 'object', properties: { type: { const: 'inline' } }, required: ['type', 'here'] },
      ],
    },
    Text: {
      type: 'object',
      properties: { type: { const: 'text' }, text: { type: 'string' }, _meta: false },
      required: ['type', 'text'],
    },
    Image: {
      type: 'object',
      properties: { type: { const: 'image' }, data: { type: 'string' } },
      required: ['type', 'data'],
    },
    Resource: {
      type: 'object',
      properties: {
        type: { const: 'resource' },
        resource: { anyOf: [{ $ref: '#/$defs/TextContents' }, { $ref: '#/$defs/BlobContents' }] },
      },
      required: ['type', 'resource'],
    },
    TextContents: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    BlobContents: { type: 'object', properties: { blob: { type: 'string' } }, required: ['blob'] },
  },
};

const validate = new Ajv2020({ allErrors: true }).compile(schema);

function faults(...blocks: unknown[]): Fault[] {
  return validate({ blocks }) ? [] : faultsOf(validate.errors ?? []);
}

describe('a member of a union that is wrong', () => {
  test('is faulted as the member its constant names', () => {
    expect(faults({ type: 'text', text: 7 })).toEqual([
      { kind: 'schema', pointer: '/blocks/0/text', message: 'must be string', keyword: 'type' },
    ]);
    expect(faults({ type: 'inline' })).toEqual([
      {
        kind: 'schema',
        pointer: '/blocks/0',
        message: "must have required property 'here'",
        keyword: 'required',
      },
    ]);
  });

  test("is faulted apart for another revision's field", () => {
    expect(faults({ type: 'text', text: 'a', _meta: {} })).toEqual([
      {
        kind: 'foreign',
        pointer: '/blocks/0/_meta',
        message: 'is a field of another revision',
        keyword: 'false schema',
      },
    ]);
  });

  test('is faulted as a whole where no member has its constant', () => {
    expect(faults({ type: 'smell' })).toEqual([
      {
        kind: 'schema',
        pointer: '/blocks/0',
        message: 'must match a schema in anyOf',
        keyword: 'anyOf',
      },
    ]);
  });

  test('is faulted for each block that is wrong, and for no other', () => {
    const pointers = faults({ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text' });
    expect(pointers.map((fault) => fault.pointer)).toEqual(['/blocks/1', '/blocks/2']);
  });

  test('is faulted inside a union of its own', () => {
    const inner = faults({ type: 'resource', resource: { uri: 'a:b' } });
    expect(inner.map((fault) => fault.pointer)).toContain('/blocks/0/resource');
    expect(inner.every((fault) => fault.pointer === '/blocks/0/resource')).toBe(true);
  });

  test('is faulted in an instant where thousands are wrong, since nobody is served meanwhile', async () => {
    const check = await loadChecker();
    const content = Array.from({ length: 20_000 }, () => ({ type: 'text' }));
    const outgoing: Outgoing = {
      revision: '2025-06-18',
      sender: 'server',
      kind: 'result',
      method: 'tools/call',
    };
    const violations = check(outgoing, { jsonrpc: '2.0', id: 1, result: { content } });
    expect(violations).toHaveLength(content.length);
    expect(violations.at(-1)?.pointer).toBe('/result/content/19999');
  }, 10_000);
});
