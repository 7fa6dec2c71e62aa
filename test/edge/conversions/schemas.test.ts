import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { convert } from './convert.js';

describe('an outputSchema for a client that takes objects only', () => {
  test('comes back as it is where its root says object', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: true } };
    expect(convert('outputSchemaAsObject', schema)).toBe(schema);
  });

  test('is put under the one required property result', () => {
    expect(convert('outputSchemaAsObject', { type: 'array', items: { type: 'string' } })).toEqual({
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'string' } } },
      required: ['result'],
    });
  });

  test('keeps $schema at the root', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(convert('outputSchemaAsObject', { $schema, type: 'string' })).toEqual({
      $schema,
      type: 'object',
      properties: { result: { type: 'string' } },
      required: ['result'],
    });
  });

  test('means the same for what is wrapped the same way, references and recursion included', () => {
    const natural = {
      anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }],
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { $ref: '#' }, size: { $ref: '#/$defs/a~1b' } },
          required: ['size'],
        },
        'a/b': { type: 'integer' },
      },
    };
    const before = new Ajv2020().compile(natural);
    const after = new Ajv2020().compile(convert('outputSchemaAsObject', natural) as object);
    const values = [
      null,
      1,
      { size: 1 },
      { size: 'x' },
      { size: 1, next: null },
      { size: 1, next: { size: 2, next: {} } },
    ];
    for (const value of values) expect(after({ result: value })).toBe(before(value));
    expect(values.map((value) => before(value))).toContain(true);
  });

  test('keeps data and property names that only look like references', () => {
    const natural = {
      type: 'array',
      const: [{ $ref: '#/x' }],
      default: { $ref: '#' },
      items: { properties: { $ref: { type: 'string' }, const: { $ref: '#/items' } } },
    };
    expect(convert('outputSchemaAsObject', natural)).toMatchObject({
      properties: {
        result: {
          const: [{ $ref: '#/x' }],
          default: { $ref: '#' },
          items: {
            properties: { $ref: { type: 'string' }, const: { $ref: '#/properties/result/items' } },
          },
        },
      },
    });
  });

  test('keeps anchors, other documents, and all that stands below an $id of its own', () => {
    const natural = {
      allOf: [
        { $ref: '#here' },
        { $ref: 'https://example.com/s#/a' },
        { $id: 'https://example.com/own', $ref: '#/$defs/A', $defs: { A: {} } },
      ],
    };
    expect(convert('outputSchemaAsObject', natural)).toMatchObject({
      properties: { result: natural },
    });
    const named = { $id: 'https://example.com/root', $ref: '#/$defs/A', $defs: { A: {} } };
    expect(convert('outputSchemaAsObject', named)).toMatchObject({ properties: { result: named } });
  });
});

describe('boolean schemas of properties at the root', () => {
  test('are spelled as objects that mean the same', () => {
    expect(
      convert('inputSchemaBooleans', {
        type: 'object',
        properties: { any: true, none: false, deep: { properties: { any: true } } },
        additionalProperties: false,
      }),
    ).toEqual({
      type: 'object',
      properties: { any: {}, none: { not: {} }, deep: { properties: { any: true } } },
      additionalProperties: false,
    });
  });

  test('a schema without any comes back as it is', () => {
    for (const schema of [
      { type: 'object' },
      { properties: { a: {} } },
      { properties: [] },
      true,
    ]) {
      expect(convert('inputSchemaBooleans', schema)).toBe(schema);
    }
  });
});

describe('the title of a tool, where only annotations have one', () => {
  test('moves there', () => {
    expect(convert('toolTitleToAnnotations', { name: 't', title: 'T' })).toEqual({
      name: 't',
      annotations: { title: 'T' },
    });
    expect(
      convert('toolTitleToAnnotations', {
        name: 't',
        title: 'T',
        annotations: { readOnlyHint: true },
      }),
    ).toEqual({ name: 't', annotations: { readOnlyHint: true, title: 'T' } });
  });

  test('gives way to one that is there', () => {
    expect(
      convert('toolTitleToAnnotations', { name: 't', title: 'T', annotations: { title: 'A' } }),
    ).toEqual({ name: 't', annotations: { title: 'A' } });
  });
});
