import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { AnswerFinder } from '../../../src/backends/upstream/answer-finder.js';

function found(...pieces: readonly string[]): number[] {
  const ids: number[] = [];
  const finder = new AnswerFinder((id) => ids.push(id));
  for (const piece of pieces) finder.push(piece);
  return ids;
}

const messages: Readonly<Record<string, readonly [text: string, ids: readonly number[]]>> = {
  'an answer': ['{"jsonrpc":"2.0","id":7,"result":{"id":1,"t":"\\"id\\":2,\\\\"}}', [7]],
  'an answer with its id behind': [
    '{"result":{"a":[{"id":1,"result":[]}],"b":"}{"},"jsonrpc":"2.0","id" : 12 }',
    [12],
  ],
  'an error': ['{"id":3,"error":{"code":-32000,"message":"id"}}', [3]],
  'several answers': [
    '[{"id":1,"result":{}},{"result":{"id":9},"id":2},{"method":"x","id":5}]',
    [1, 2],
  ],
  'a request': ['{"jsonrpc":"2.0","id":1,"method":"result","params":{"result":1}}', []],
  'a notification': ['{"method":"m","params":{"id":1,"error":{"id":2}}}', []],
  'an answer to nobody': ['{"id":null,"error":{"code":1}}', []],
  'an event of several lines': [
    'id: 4\nevent: message\ndata: {\ndata: "id":5,\ndata: "result":{}}',
    [5],
  ],
  'no JSON': ['id: 3 result "error": {]{', []],
};

describe('what a message answers', () => {
  it.each(Object.entries(messages))('is found in %s, wherever it is cut', (_name, [text, ids]) => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(found(text.slice(0, cut), text.slice(cut))).toEqual(ids);
    }
  });

  it('is found whatever the result is', () => {
    fc.assert(
      fc.property(fc.nat(), fc.jsonValue(), fc.boolean(), (id, result, idFirst) => {
        const frame = idFirst ? { id, result } : { result, id };
        expect(found(JSON.stringify(frame))).toEqual([id]);
        expect(found(...Array.from(JSON.stringify(frame, null, 1)))).toEqual([id]);
      }),
    );
  });

  it('is found before the message ends', () => {
    expect(found('{"id":1,"result":{"text":"and so on')).toEqual([1]);
  });
});
