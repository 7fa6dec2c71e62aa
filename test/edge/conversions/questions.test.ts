import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../../src/edge/refusal.js';
import { convert } from './convert.js';

describe('a field of an elicitation form', () => {
  test('titled choices become enum and enumNames', () => {
    expect(
      convert('titledEnumAsNames', {
        type: 'string',
        title: 'Size',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
      }),
    ).toEqual({ type: 'string', title: 'Size', enum: ['s', 'l'], enumNames: ['Small', 'Large'] });
  });

  test('multiple choice is refused', () => {
    const field = { type: 'array', items: { type: 'string', enum: ['a'] } };
    expect(() => convert('refuseMultiSelect', field)).toThrow(RefusedError);
    const single = { type: 'string', enum: ['a'] };
    expect(convert('refuseMultiSelect', single)).toBe(single);
  });
});

describe('an elicitation in url mode', () => {
  const params = { mode: 'url', message: 'Sign in', url: 'https://example.com' };

  test('gets an id where the revision needs one, and keeps the one it has', () => {
    expect(convert('elicitationId', params)).toEqual({
      ...params,
      elicitationId: expect.stringMatching(/^mcpx-.{36}$/) as unknown,
    });
    const named = { ...params, elicitationId: 'e1' };
    expect(convert('elicitationId', named)).toBe(named);
    const form = { mode: 'form', message: 'Name?' };
    expect(convert('elicitationId', form)).toBe(form);
  });

  test('is refused where there are forms only', () => {
    expect(() => convert('refuseUrlElicitation', params)).toThrow('no url elicitation');
    const form = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
    expect(convert('refuseUrlElicitation', form)).toBe(form);
  });
});

describe('a sampling request', () => {
  const text = (value: string): object => ({ type: 'text', text: value });

  test('several blocks become a message each, in order; none become none', () => {
    expect(
      convert('samplingBlocksSplit', [
        { role: 'user', content: [text('a'), text('b')] },
        { role: 'assistant', content: [] },
        { role: 'user', content: text('c') },
      ]),
    ).toEqual([
      { role: 'user', content: text('a') },
      { role: 'user', content: text('b') },
      { role: 'user', content: text('c') },
    ]);
  });

  test('messages of one block come back as they are', () => {
    const messages = [{ role: 'user', content: text('a') }];
    expect(convert('samplingBlocksSplit', messages)).toBe(messages);
  });

  test('tools offered or told of are refused', () => {
    const use = { type: 'tool_use', id: '1', name: 't', input: {} };
    for (const params of [
      { tools: [{ name: 't', inputSchema: { type: 'object' } }], messages: [] },
      { messages: [{ role: 'assistant', content: use }] },
      { messages: [{ role: 'assistant', content: [text('a'), use] }] },
      {
        messages: [
          { role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [] }] },
        ],
      },
    ]) {
      expect(() => convert('refuseSamplingTools', params)).toThrow('no tools in sampling');
    }
  });

  test('an empty list of tools offers nothing and is no reason to refuse', () => {
    const params = { tools: [], messages: [{ role: 'user', content: text('a') }] };
    expect(convert('refuseSamplingTools', params)).toBe(params);
  });

  test('audio is refused', () => {
    expect(() =>
      convert('refuseSamplingAudio', { type: 'audio', data: '', mimeType: 'a/b' }),
    ).toThrow('no audio in sampling');
    const block = text('a');
    expect(convert('refuseSamplingAudio', block)).toBe(block);
  });
});

describe('an answer', () => {
  const text = { type: 'text', text: 'a' };

  test('of several choices becomes one string where a field holds one value', () => {
    const answer = { action: 'accept', content: { colours: ['red', 'blue'], size: 3 } };
    expect(convert('choicesAsText', answer)).toEqual({
      action: 'accept',
      content: { colours: 'red, blue', size: 3 },
    });
    const plain = { action: 'accept', content: { size: 3 } };
    expect(convert('choicesAsText', plain)).toBe(plain);
  });

  test('of several sampled blocks becomes one text that names what is no text', () => {
    expect(convert('answerAsOneBlock', text)).toBe(text);
    expect(convert('answerAsOneBlock', [text])).toEqual(text);
    expect(
      convert('answerAsOneBlock', [
        text,
        { type: 'image', data: '', mimeType: 'image/png' },
        { type: 'tool_use', id: '1', name: 'search', input: {} },
      ]),
    ).toEqual({ type: 'text', text: 'a\n[image]\n[tool_use: search]' });
  });
});
