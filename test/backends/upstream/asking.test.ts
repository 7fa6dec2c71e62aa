/** What an upstream asks during a call, as far as the upstream's side of it goes. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CallToolResult } from '../../../generated/newest/types.js';
import { NEWEST } from '../../../generated/revisions.js';
import type { Bare } from '../../../src/backends/backend.js';
import type { AskOptions, Question } from '../../../src/backends/context.js';
import type { UpstreamTarget } from '../../../src/backends/upstream/options.js';
import { call, textOf, upstream, type FakeCall } from '../../support/upstream.js';
import '../../support/strict.js';

const FIXTURE = fileURLToPath(new URL('../../fixtures/upstream/asking.mjs', import.meta.url));
const asking = (revision: string): UpstreamTarget => ({
  kind: 'stdio',
  command: process.execPath,
  args: [FIXTURE, revision],
  env: {},
});

type Ask = (question: Question, options: AskOptions) => Promise<object>;

function askable(ask: Ask, options: Parameters<typeof call>[0] = {}): FakeCall {
  return {
    ...call(options),
    canAsk: () => true,
    ask: (question, more = {}) => ask(question, more),
  };
}

const thinks = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('the time of a call stands still until the last of its questions is answered', async () => {
  const { backend } = upstream(asking('2025-11-25'), { callTimeout: 200 });
  await backend.start();
  let asked = 0;
  const ctx = askable(async () => {
    await thinks(asked++ * 400);
    return { action: 'accept', content: {} };
  });
  expect(textOf(await backend.callTool('two', {}, ctx))).toBe('accept, accept');
});

test('a call that takes too long for itself is still given up after its questions', async () => {
  const { backend } = upstream(asking('2025-11-25'), { callTimeout: 200 });
  await backend.start();
  await expect(backend.callTool('work', { ms: 600 }, call())).rejects.toThrow('within 200 ms');
});

test('a question ends with the call it belongs to', async () => {
  const { backend } = upstream(asking('2025-06-18'));
  await backend.start();
  let ended: Promise<unknown> | undefined;
  const ctx: FakeCall = askable((_question, { signal }) => {
    ended = new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve((signal.reason as Error).message));
    });
    ctx.cancel();
    return new Promise(() => undefined);
  });
  await expect(backend.callTool('once', {}, ctx)).rejects.toThrow('the client cancelled');
  expect(await ended).toBe('tools/call has ended, for which it was asked');
});

const WITH_TASKS = {
  peer: { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
};

test('a task whose question nobody answers fails with the reason, instead of waiting for ever', async () => {
  const { backend } = upstream(asking(NEWEST));
  await backend.start();
  const ctx = askable(() => Promise.reject(new Error('nobody is there')), WITH_TASKS);
  await expect(backend.callTool('late', { tag: 't' }, ctx)).rejects.toThrow(
    'elicitation/create: nobody is there',
  );
});

test('a task is asked about each question once, and followed to its result', async () => {
  const { backend } = upstream(asking(NEWEST));
  await backend.start();
  let asked = 0;
  const ctx = askable(async () => {
    asked++;
    await thinks(100);
    return { action: 'decline' };
  }, WITH_TASKS);
  expect(textOf(await backend.callTool('late', { tag: 't' }, ctx))).toBe('decline');
  expect(asked).toBe(1);
});

test('two tasks of a 2025-11-25 upstream on one connection each ask their own client', async () => {
  const { backend } = upstream(asking('2025-11-25'));
  await backend.start();
  const seen: Question[] = [];
  const job = async (tag: string): Promise<Bare<CallToolResult>> => {
    const ctx = askable(async (question) => {
      seen.push(question);
      await thinks(50);
      return { action: 'accept', content: { name: tag } };
    });
    return backend.callTool('job', { tag }, ctx);
  };
  const results = await Promise.all([job('a'), job('b')]);
  expect(results.map(textOf)).toEqual(['accept a for job-a', 'accept b for job-b']);
  // What the upstream calls its tasks is none of the clients' business.
  expect(JSON.stringify([...results, ...seen])).not.toContain('related-task');
  expect(seen).toHaveLength(2);
});
