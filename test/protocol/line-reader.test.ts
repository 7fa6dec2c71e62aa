import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src/protocol/line-reader.js';

function read(chunks: readonly Buffer[], maxLine = 1000): string[] {
  const seen: string[] = [];
  const reader = new LineReader(
    {
      line: (text) => seen.push(text),
      overlong: () => seen.push('<overlong>'),
      undecodable: () => seen.push('<undecodable>'),
    },
    maxLine,
  );
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

describe('lines from bytes', () => {
  const text = '{"a":"日本 😀"}\r\n\n\r\n{"b":1}\nlast';
  const lines = ['{"a":"日本 😀"}', '{"b":1}', 'last'];
  const bytes = Buffer.from(text);

  it('are the same wherever the bytes are cut', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(lines);
    }
  });

  it('are the same byte by byte', () => {
    expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(lines);
  });

  it('that are too long are reported once and skipped to their end', () => {
    const chunks = ['x'.repeat(8), 'x'.repeat(8), 'x\nok\n'].map((part) => Buffer.from(part));
    expect(read(chunks, 10)).toEqual(['<overlong>', 'ok']);
    expect(read([Buffer.from('0123456789\n0123456789a\n')], 10)).toEqual([
      '0123456789',
      '<overlong>',
    ]);
  });

  it('that are not UTF-8 are reported', () => {
    expect(read([Buffer.from([0x22, 0xff, 0x22, 0x0a, 0x31, 0x0a])])).toEqual([
      '<undecodable>',
      '1',
    ]);
  });
});
