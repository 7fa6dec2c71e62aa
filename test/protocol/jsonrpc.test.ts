import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/protocol/json.js';
import { idKey, sortFrame } from '../../src/protocol/jsonrpc.js';

describe('sorting a frame', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","id":"","method":"ping","params":{}}', 'request'],
    ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'notification'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'response'],
    ['{"jsonrpc":"2.0","error":{"code":1,"message":""}}', 'response'],
  ])('%s is a %s', (text, kind) => {
    expect(sortFrame(parseJson(text)).kind).toBe(kind);
  });

  test.each([
    ['[]', undefined],
    ['null', undefined],
    ['1', undefined],
    ['{"id":7,"method":"ping"}', 7],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', undefined],
    ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', undefined],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', undefined],
    ['{"jsonrpc":"2.0","id":3,"method":5}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":null}', 3],
    ['{"jsonrpc":"2.0","id":3}', 3],
    ['{"jsonrpc":"2.0","result":{}}', undefined],
    ['{"jsonrpc":"2.0","id":3,"result":4}', 3],
    ['{"jsonrpc":"2.0","id":3,"error":{"code":"x","message":""}}', 3],
  ])('%s is invalid and answered with id %s', (text, id) => {
    const sorted = sortFrame(parseJson(text));
    expect(sorted).toMatchObject({ kind: 'invalid', id });
    expect(sorted.kind === 'invalid' && sorted.reason).toBeTruthy();
  });

  test('the number 1 and the string "1" are different ids', () => {
    expect(idKey(1)).not.toBe(idKey('1'));
  });
});
