import { describe, expect, test } from 'vitest';
import { RawNumber } from '../../../src/protocol/json.js';
import { convert } from './convert.js';

const text = (value: string): object => ({ type: 'text', text: value });

describe('structuredContent for a client without it', () => {
  test('stays readable as JSON in a text block at the end', () => {
    expect(
      convert('structuredContentAsText', { content: [text('Done.')], structuredContent: { n: 1 } }),
    ).toEqual({ content: [text('Done.'), text('{"n":1}')] });
  });

  test('is not repeated where a text block says the same, however it is laid out', () => {
    const content = [text('{ "b": [1, 2],\n  "a": null }')];
    const converted = convert('structuredContentAsText', {
      content,
      structuredContent: { a: null, b: [1, 2] },
    });
    expect(converted).toEqual({ content });
  });

  test('is not repeated where it is a string that stands in the text as it is', () => {
    const content = [text('hello')];
    expect(convert('structuredContentAsText', { content, structuredContent: 'hello' })).toEqual({
      content,
    });
  });

  test('counts when it is null, false, 0 or empty', () => {
    for (const value of [null, false, 0, '', [], {}]) {
      expect(convert('structuredContentAsText', { content: [], structuredContent: value })).toEqual(
        {
          content: [text(JSON.stringify(value))],
        },
      );
    }
  });

  test('keeps every digit of a number', () => {
    const structuredContent = { id: new RawNumber('9007199254740993') };
    expect(convert('structuredContentAsText', { content: [], structuredContent })).toEqual({
      content: [text('{"id":9007199254740993}')],
    });
    const content = [text('{"id": 9007199254740993}')];
    expect(convert('structuredContentAsText', { content, structuredContent })).toEqual({ content });
  });

  test('a result without it comes back as it is', () => {
    const result = { content: [text('x')], _meta: { mine: 1 } };
    expect(convert('structuredContentAsText', result)).toBe(result);
  });
});

describe('structuredContent for a client that takes objects only', () => {
  test('is put under result, and its JSON into a text block', () => {
    for (const value of [['x', 'y'], 'x', 1.5, true, null]) {
      expect(
        convert('structuredContentAsObject', { content: [], structuredContent: value }),
      ).toEqual({
        content: [text(JSON.stringify(value))],
        structuredContent: { result: value },
      });
    }
  });

  test('comes back as it is where it is an object and the tool says so', () => {
    const result = { content: [], structuredContent: { n: 1 } };
    expect(convert('structuredContentAsObject', result)).toBe(result);
    const tool = {
      name: 't',
      inputSchema: { type: 'object' as const },
      outputSchema: { type: 'object' },
    };
    expect(convert('structuredContentAsObject', result, { tool })).toBe(result);
  });

  test('is wrapped even as an object where the tool was listed with a wrapped schema', () => {
    const tool = {
      name: 't',
      inputSchema: { type: 'object' as const },
      outputSchema: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    };
    expect(
      convert('structuredContentAsObject', { content: [], structuredContent: { n: 1 } }, { tool }),
    ).toEqual({ content: [text('{"n":1}')], structuredContent: { result: { n: 1 } } });
  });
});
