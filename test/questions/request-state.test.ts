import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StateSigner, type Bound } from '../../src/questions/request-state.js';

const bound: Bound = {
  method: 'tools/call',
  params: { name: 'ask', arguments: { a: 1, b: { c: [1, 2] } }, _meta: { progressToken: 1 } },
  principal: 'ann',
};
const state = { call: 'c1', round: 1, answers: { name: { action: 'accept' } } };

describe('a requestState', () => {
  const signer = new StateSigner(1000);
  const signed = signer.sign(bound, state, 0);

  test('comes back as it was given', () => {
    expect(signer.verify(bound, signed, 999)).toMatchObject(state);
  });

  test('is good for a retry: other metadata, answers, and the keys in another order', () => {
    const retry = {
      arguments: { b: { c: [1, 2] }, a: 1 },
      name: 'ask',
      _meta: {},
      inputResponses: { x: {} },
      requestState: signed,
    };
    expect(signer.verify({ ...bound, params: retry }, signed, 1)).toMatchObject(state);
  });

  test.each<[string, Bound, string, number]>([
    ['has expired', bound, signed, 1000],
    ['belongs to another request', { ...bound, method: 'prompts/get' }, signed, 1],
    ['belongs to another request', { ...bound, params: { name: 'other' } }, signed, 1],
    ['belongs to somebody else', { ...bound, principal: 'bob' }, signed, 1],
    ['belongs to somebody else', { ...bound, principal: undefined }, signed, 1],
    ['its signature is wrong', bound, signed.slice(0, -2), 1],
    ['its signature is wrong', bound, `A${signed}`, 1],
    ['its signature is wrong', bound, new StateSigner(1000).sign(bound, state, 0), 1],
    ['is not one that was given', bound, signed.split('.')[0] ?? '', 1],
    ['is not one that was given', bound, '', 1],
    ['is not one that was given', bound, `${signed}.x`, 1],
  ])('%s: refused', (why, request, text, now) => {
    expect(() => signer.verify(request, text, now)).toThrow(why);
  });

  test('that is cut or altered anywhere is refused', () => {
    fc.assert(
      fc.property(fc.nat(signed.length - 1), fc.boolean(), (at, cut) => {
        const other = signed[at] === 'A' ? 'B' : 'A';
        const forged = cut
          ? signed.slice(0, at)
          : signed.slice(0, at) + other + signed.slice(at + 1);
        // The last character of Base64 has bits that say nothing.
        if (!cut && at === signed.length - 1) return;
        expect(() => signer.verify(bound, forged, 1)).toThrow('requestState');
      }),
    );
  });

  test('is good in another process with the same key, and after a rotation', () => {
    const [old, young] = ['an old key', 'a young key'];
    const given = new StateSigner(1000, [old]).sign(bound, state, 0);
    expect(new StateSigner(1000, [young, old]).verify(bound, given, 1)).toMatchObject(state);
    expect(() => new StateSigner(1000, [young]).verify(bound, given, 1)).toThrow('signature');
  });
});
