import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METHODS } from '../../generated/methods.js';
import { NEWEST, REVISIONS, type Revision } from '../../generated/revisions.js';
import { translate } from '../../src/audit/translate.js';
import { translateText } from '../../src/audit/translate-text.js';
import { NOTIFICATIONS, RESULTS } from '../support/messages.js';

const result = (body: object) => ({ jsonrpc: '2.0', id: 1, result: body });
const by = (from: Revision, to: Revision, method: string, body: object) =>
  translate(result(body), { from, to, method });

describe('a downgrade', () => {
  test('gives what the edge gives, and names each row and each conversion that did it', () => {
    const { frame, steps } = by(NEWEST, '2024-11-05', 'tools/call', {
      resultType: 'complete',
      content: [
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'text', text: 'a', _meta: { mine: 1 } },
      ],
      structuredContent: { sum: 1 },
    });
    expect(frame).toEqual(
      result({
        content: [
          { type: 'text', text: '[audio: audio/wav, 3 bytes]' },
          { type: 'text', text: 'a' },
          { type: 'text', text: '{"sum":1}' },
        ],
      }),
    );
    expect(steps.map(({ pointer, what, by: row }) => [pointer, what, row])).toEqual([
      ['/result', 'converted', 'structuredContentAsText'],
      ['/result/resultType', 'dropped', 'CallToolResult.resultType'],
      ['/result/content/0', 'converted', 'audioAsText'],
      ['/result/content/1/_meta', 'dropped', 'TextContent._meta'],
    ]);
  });

  test('answers the discovery as the handshake', () => {
    const discovered = { resultType: 'complete', supportedVersions: [NEWEST], capabilities: {} };
    expect(by(NEWEST, '2025-06-18', 'server/discover', discovered).frame).toMatchObject({
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'example' } },
    });
  });

  test.each([
    [{ method: 'subscriptions/listen', id: 1, params: {} }, 'has no subscriptions/listen'],
    [
      {
        method: 'sampling/createMessage',
        id: 1,
        params: {
          maxTokens: 1,
          messages: [],
          tools: [{ name: 'a', inputSchema: { type: 'object' } }],
        },
      },
      'no tools in sampling',
    ],
  ])('says why a peer gets nothing of %j', (message, reason) => {
    const { frame, refused } = translate(
      { jsonrpc: '2.0', ...message },
      { from: NEWEST, to: '2025-06-18' },
    );
    expect(frame).toBeUndefined();
    expect(refused).toContain(reason);
  });

  test('says what cannot be said because it asks instead of answering', () => {
    expect(by(NEWEST, '2025-06-18', 'tools/call', { resultType: 'input_required' })).toMatchObject({
      frame: undefined,
      refused: expect.stringContaining('input_required') as unknown,
    });
  });

  test('spells errors as the revision does', () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'gone' } };
    const up = translate(error, { from: '2025-06-18', to: NEWEST, method: 'resources/read' });
    expect(up.frame).toMatchObject({ error: { code: -32602 } });
    expect(up.steps).toMatchObject([{ pointer: '/error/code', what: 'converted' }]);
  });
});

describe('an upgrade', () => {
  test('puts the envelope around what an older peer sends', () => {
    const { frame, steps } = by('2024-11-05', NEWEST, 'tools/list', { tools: [] });
    expect(frame).toMatchObject({ result: { resultType: 'complete', ttlMs: 0, tools: [] } });
    expect(steps.map(({ pointer, what }) => `${what} ${pointer}`)).toEqual([
      'added /result/resultType',
      'added /result/ttlMs',
      'added /result/cacheScope',
      'added /result/_meta/io.modelcontextprotocol~1serverInfo',
    ]);
  });

  test('of a request names the revision in it', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } };
    expect(translate(call, { from: '2025-06-18', to: NEWEST }).frame).toMatchObject({
      params: { name: 'a', _meta: { 'io.modelcontextprotocol/protocolVersion': NEWEST } },
    });
  });
});

describe.each(REVISIONS.filter(({ revision }) => revision !== NEWEST))(
  'what is explained for $revision',
  ({ revision }) => {
    const here = ({ method }: { method: string }) => method in METHODS[revision];

    test.each(RESULTS.filter(here))(
      'is all that changes in a result of $method',
      ({ method, value }) => {
        fc.assert(
          fc.property(value, (body) => {
            const { frame, steps } = by(NEWEST, revision, method, body);
            const changed = JSON.stringify(frame) !== JSON.stringify(result(body));
            expect(steps.length > 0).toBe(changed);
            for (const { reason } of steps) expect(reason).not.toBe('');
          }),
          { numRuns: 25 },
        );
      },
    );

    test.each(NOTIFICATIONS.filter(here))('is all that changes in $method', ({ method, value }) => {
      fc.assert(
        fc.property(value, (params) => {
          const message = { jsonrpc: '2.0', method, params };
          const { frame, steps } = translate(message, { from: NEWEST, to: revision });
          expect(steps.length > 0).toBe(JSON.stringify(frame) !== JSON.stringify(message));
        }),
        { numRuns: 25 },
      );
    });
  },
);

const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

describe('a text of messages', () => {
  const options = { from: NEWEST, to: '2024-11-05' } as const;

  test('has its results told by the requests before them', () => {
    const text = [
      { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: {} },
      { jsonrpc: '2.0', id: 'a', result: { tools: [], ttlMs: 1 } },
    ].map((message) => JSON.stringify(message));
    expect(translateText(text.join('\n'), options)[1]?.frame).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: { tools: [] },
    });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'line 1 is a result, and nothing says'],
    ['[{"jsonrpc":"2.0"}]', '[0] is no message'],
    ['{"jsonrpc":', 'line 1 cannot be read as JSON'],
    [nested(100_000), 'line 1 cannot be read as JSON: nests deeper than 256 levels'],
  ])('%.40s is refused with its place', (text, message) => {
    expect(() => translateText(text, options)).toThrow(message);
  });
});
