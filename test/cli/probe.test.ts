import { expect, test } from 'vitest';
import { EVERYTHING } from '../support/mcpx-process.js';
import { MAIN, probe } from '../support/probe.js';
import { recordingServer } from '../support/recording-server.js';

test("a real server's leaks are named, with since when the fields exist", async () => {
  const { code, results } = await probe('--', EVERYTHING.command, ...EVERYTHING.args);
  expect(code).toBe(2);
  expect(results.map(({ asked, revision }) => [asked, revision])).toEqual([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', undefined],
  ]);
  expect(results[0]?.leaks).toContainEqual(
    expect.objectContaining({
      in: 'answer to tools/list',
      pointer: '/result/tools/*/title',
      exists: 'Tool.title since 2025-06-18',
      times: 13,
    }),
  );
  expect(results[3]?.leaks).toEqual([]);
  expect(results[4]?.refused).toContain('-32601');
});

test('mcpx itself leaks nothing, in any revision', async () => {
  const { code, results } = await probe('--', process.execPath, '--import', 'tsx', MAIN, 'serve');
  for (const { asked, revision, leaks, mistakes, answers } of results) {
    expect({ revision, leaks, mistakes }).toEqual({ revision: asked, leaks: [], mistakes: [] });
    expect(answers['mcpx/no-such-method']).toBe('refused with -32601');
  }
  expect(code).toBe(0);
});

/** Says hello where only messages belong, and puts every mistake into its handshake. */
const LOUD = `
process.stdout.write('Server ready\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== 'initialize') return;
  const result = { protocolVersion: '2025-06-18', capabilities: [], serverInfo: { name: 'loud' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

test('B45: what is no JSON on the output of a server is counted, and what is wrong in it is named', async () => {
  const asked = ['--revision', '2025-06-18', '--timeout', '300'];
  const { code, results } = await probe(...asked, '--', process.execPath, '-e', LOUD);
  expect(code).toBe(2);
  expect(results[0]?.transport).toEqual({ 'upstream-line-not-json': 1 });
  expect(results[0]?.mistakes.map(({ check, pointer }) => `${check} ${pointer}`)).toEqual([
    'schema-type /result/capabilities',
    'schema-required /result/serverInfo',
  ]);
  expect(results[0]?.answers['ping']).toBe('no answer to ping within 300 ms');
});

test('a server that is not there is told apart from one that is faulty', async () => {
  const { code, results } = await probe('--revision', '2025-06-18', 'http://127.0.0.1:9/mcp');
  expect(code).toBe(1);
  expect(results[0]?.refused).toContain('ECONNREFUSED');
});

test('a server that says nothing at all is waited for once, and not for each revision', async () => {
  const timeout = 2000;
  const mute = 'process.stdin.resume(); setInterval(() => undefined, 60_000);';
  const asked = ['--timeout', String(timeout), '--', process.execPath, '-e', mute];
  const { code, results } = await probe(...asked);
  expect(code).toBe(1);
  expect(results.map(({ refused, silent }) => ({ refused, silent }))).toEqual(
    [timeout, ...Array.from({ length: 4 }, () => timeout / 5)].map((ms, at) => ({
      refused: `no answer to ${at === 4 ? 'server/discover' : 'initialize'} within ${ms} ms`,
      silent: true,
    })),
  );
});

test('a server that is silent on a handshake is still found out to be of the modern era', async () => {
  const result = {
    ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    ...{ supportedVersions: ['2026-07-28'], capabilities: {} },
  };
  const { url } = await recordingServer(({ body }, reply) => {
    const { id, method } = JSON.parse(body.toString()) as { id: number; method: string };
    if (method === 'initialize') return reply.hijack();
    return { jsonrpc: '2.0', id, result };
  });
  const revisions = ['--revision', '2025-11-25', '--revision', '2026-07-28'];
  const { results } = await probe(...revisions, '--timeout', '3000', url);
  expect(results.map(({ revision }) => revision)).toEqual([undefined, '2026-07-28']);
});
