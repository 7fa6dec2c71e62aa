import { describe, expect, test } from 'vitest';
import { REVISIONS, eraOf, NEWEST, NEWEST_LEGACY, OLDEST } from '../../generated/revisions.js';
import { errorObject, liftedError } from '../../src/edge/errors.js';
import { RpcError, resourceNotFound } from '../../src/protocol/errors.js';

const relayed = (code: number): RpcError => new RpcError('relayed', 'no', { a: 1 }, code);

describe('an error of our own', () => {
  test('has the code of the era, and its data in both', () => {
    for (const { revision, era } of REVISIONS) {
      expect(errorObject(resourceNotFound('a:b'), revision)).toEqual({
        code: era === 'modern' ? -32602 : -32002,
        message: 'Resource not found: a:b',
        data: { uri: 'a:b' },
      });
    }
  });

  test('has no data where there is none', () => {
    expect(errorObject(new RpcError('internal', 'x'), OLDEST)).toEqual({
      code: -32603,
      message: 'x',
    });
  });
});

describe('an error relayed from an upstream', () => {
  test('keeps a code that says the same to everybody', () => {
    for (const { revision } of REVISIONS) {
      for (const code of [-32603, -32700, 1, -1, 42]) {
        expect(errorObject(relayed(code), revision)).toEqual({
          code,
          message: 'no',
          data: { a: 1 },
        });
      }
    }
  });

  test('loses a code that the revision does not define, and keeps its words', () => {
    const lost = { code: -32603, message: 'no', data: { a: 1 } };
    expect(errorObject(relayed(-32042), NEWEST_LEGACY).code).toBe(-32042);
    for (const { revision } of REVISIONS.filter((r) => r.revision !== NEWEST_LEGACY)) {
      expect(errorObject(relayed(-32042), revision)).toEqual(lost);
    }
    expect(errorObject(relayed(-32021), OLDEST)).toEqual(lost);
  });

  test('may use the server range for itself in the legacy era only', () => {
    for (const { revision } of REVISIONS) {
      const { code } = errorObject(relayed(-32000), revision);
      expect(code).toBe(eraOf(revision) === 'legacy' ? -32000 : -32603);
    }
  });
});

describe('an error from an upstream', () => {
  const lifted = (method: string, code: number): RpcError =>
    liftedError(method, { code, message: 'no', data: { a: 1 } });

  test('means not found on resources/read, with the code of either era, and nowhere else', () => {
    for (const code of [-32002, -32602]) {
      expect(lifted('resources/read', code)).toMatchObject({
        kind: 'resourceNotFound',
        message: 'no',
        data: { a: 1 },
      });
    }
    expect(lifted('tools/call', -32602).kind).toBe('invalidParams');
    expect(lifted('tools/call', -32002)).toMatchObject({ kind: 'relayed', relayedCode: -32002 });
  });

  test('that blames a header or a version is between mcpx and the upstream', () => {
    for (const code of [-32020, -32022]) {
      expect(errorObject(lifted('tools/call', code), NEWEST).code).toBe(-32603);
    }
  });

  test('that misses a capability is true of the client too', () => {
    expect(errorObject(lifted('tools/call', -32021), NEWEST).code).toBe(-32021);
    expect(errorObject(lifted('tools/call', -32021), NEWEST_LEGACY).code).toBe(-32602);
  });

  test('that only it understands is relayed under its own code', () => {
    expect(errorObject(lifted('tools/call', 1234), NEWEST)).toEqual({
      code: 1234,
      message: 'no',
      data: { a: 1 },
    });
  });
});
