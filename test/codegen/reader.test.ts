import { describe, expect, test } from 'vitest';
import { readModelText } from '../../codegen/read/reader.js';

const read = (text: string) => readModelText('2026-07-28', text);
const typeOf = (text: string, name = 'A') => read(text).definitions[name]?.type;
const object = (properties: object, index?: object) => ({
  kind: 'object',
  properties,
  ...(index !== undefined && { index }),
});

describe('the reader takes what the official files use', () => {
  test.each([
    ['T[]', 'export type A = string[];'],
    ['Array<T>', 'export type A = Array<string>;'],
  ])('%s is a list', (_form, text) => {
    expect(typeOf(text)).toEqual({ kind: 'array', items: { kind: 'string' } });
  });

  test('a parenthesised union in front of [] is a list of either', () => {
    expect(typeOf('export type A = (string | null)[];')).toEqual({
      kind: 'array',
      items: { kind: 'union', members: [{ kind: 'null' }, { kind: 'string' }] },
    });
  });

  test.each([
    ['Record<string, unknown>', object({}, { kind: 'any' })],
    ['Record<string, never>', object({}, { kind: 'never' })],
    ['{ [key: string]: unknown }', object({}, { kind: 'any' })],
    ['{ [key: string]: B }', object({}, { kind: 'ref', name: 'B' })],
  ])('%s is an object with an index', (type, expected) => {
    expect(typeOf(`export type B = string; export type A = ${type};`)).toEqual(expected);
  });

  test('`object` and `{}` are objects that say nothing, `any` and `unknown` anything', () => {
    for (const type of ['object', '{}']) {
      expect(typeOf(`export type A = ${type};`)).toMatchObject({ kind: 'object', properties: {} });
    }
    for (const type of ['any', 'unknown']) {
      expect(typeOf(`export type A = ${type};`)).toEqual({ kind: 'any' });
    }
  });

  test('an interface has what it extends, once; its own word counts', () => {
    const text = `
      export interface Base { name: string; kind: string }
      export interface Other { title?: string }
      export interface A extends Base, Other { kind: "a" }`;
    expect(typeOf(text)).toEqual(
      object({
        kind: { optional: false, type: { kind: 'literal', value: 'a' } },
        name: { optional: false, type: { kind: 'string' } },
        title: { optional: true, type: { kind: 'string' } },
      }),
    );
  });

  test('Omit in a heritage clause leaves the property out', () => {
    const text = `
      export interface Base { name: string; error: string }
      export interface A extends Omit<Base, "error"> { error: number }`;
    expect(typeOf(text)).toMatchObject({ properties: { error: { type: { kind: 'integer' } } } });
  });

  test('typeof a constant is the constant', () => {
    const text = 'export const V = "2.0"; export interface A { v: typeof V }';
    expect(typeOf(text)).toMatchObject({
      properties: { v: { type: { kind: 'literal', value: '2.0' } } },
    });
    expect(read(text).constants).toEqual({ V: '2.0' });
  });

  test('tags that change the JSON Schema are read, prose and other tags are not', () => {
    const text = `
      /** Prose. @category \`x\` */
      export interface A {
        /** A share. @TJS-type number @minimum 0 @maximum 1 @example {@link A} */
        share?: number;
        /** @format uri */
        uri: string;
        /** @maxItems 100 */
        values: string[];
      }`;
    expect(typeOf(text)).toMatchObject({
      properties: {
        share: { type: { kind: 'number', minimum: 0, maximum: 1 } },
        uri: { type: { kind: 'string', format: 'uri' } },
        values: { type: { kind: 'array', maxItems: 100 } },
      },
    });
  });

  test('a number is an integer unless tagged', () => {
    expect(typeOf('export type A = number;')).toEqual({ kind: 'integer' });
  });
});

describe('what it cannot read is named with its place', () => {
  test.each([
    ['export type A = keyof B; export interface B { a: string }', /:1:\d+/],
    ['export interface A { a: string', /:1:\d+/],
    ['\nexport enum A { B }', /:2:\d+/],
  ])('%s', (text, place) => {
    expect(() => read(text)).toThrow(place);
  });
});
