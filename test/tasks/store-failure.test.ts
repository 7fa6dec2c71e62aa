/** A store that fails at the worst moment: a full disk, a result that cannot be written. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory.js';
import type { TaskRecord } from '../../src/store/record.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { Continuation } from '../../src/questions/continuation.js';
import { createServer, type McpServer } from '../../src/index.js';
import { Tasks } from '../../src/tasks/tasks.js';
import { modernMeta } from '../support/peers.js';
import { StdioClient } from '../support/stdio-client.js';

class FullDisk extends MemoryStore {
  full: (record: TaskRecord) => boolean = () => false;

  override put(record: TaskRecord): void {
    if (this.full(record)) throw new Error('The disk is full');
    super.put(record);
  }
}

let store: FullDisk;
let tasks: Tasks;
let continuation: Continuation;
let diagnostics: Diagnostics;

beforeEach(() => {
  store = new FullDisk();
  diagnostics = new Diagnostics();
  tasks = new Tasks(store, { tasksTtl: 1000, maxTasks: 10 }, diagnostics);
  continuation = new Continuation();
});
afterEach(() => {
  tasks.close();
});

const start = (): string =>
  tasks.create('ann', 'tool', { continuation, tool: undefined, abandon: () => undefined }).id;
const never = new AbortController().signal;

test('a result that cannot be kept makes the task failed, and whoever waits is told', async () => {
  const id = start();
  const finished = tasks.finished(id, 'ann', never);
  store.full = ({ status }) => status === 'completed';
  continuation.ended({ result: { content: [] } });
  expect(await finished).toMatchObject({
    status: 'failed',
    error: { message: 'The result of the call could not be kept' },
  });
  expect(diagnostics.counts().get('task-not-kept')).toBe(1);
});

test('a task whose end could not be written at all fails as soon as the store takes it', async () => {
  const id = start();
  const finished = tasks.finished(id, 'ann', never);
  store.full = () => true;
  continuation.ended({ result: { content: [] } });
  expect(await finished).toMatchObject({ status: 'working' });
  store.full = () => false;
  tasks.sweep();
  expect(tasks.get(id, 'ann')).toMatchObject({
    status: 'failed',
    error: { message: 'How the task ended could not be kept' },
  });
});

test('a question of a task is asked although that cannot be written', async () => {
  const id = start();
  store.full = () => true;
  const answer = continuation.ask({ method: 'roots/list' }, { key: 'a' });
  await new Promise((resolve) => setImmediate(resolve));
  store.full = () => false;
  tasks.update(id, 'ann', { a: { roots: [] } });
  expect(await answer).toEqual({ roots: [] });
});

test('what ends after everything was closed is not written anywhere', () => {
  start();
  tasks.close();
  store.full = () => {
    throw new Error('it is closed');
  };
  continuation.ended({ result: { content: [] } });
  tasks = new Tasks(new MemoryStore(), { tasksTtl: 1, maxTasks: 1 }, diagnostics);
});

test('what runs is stopped although its cancellation cannot be written', async () => {
  const stopped = new Promise<string>((resolve) => {
    tasks.create('bob', 'tool', { continuation, tool: undefined, abandon: resolve });
  });
  store.full = () => true;
  tasks.disown('bob');
  expect(await stopped).toBe('The task was cancelled');
});

test('a call that cannot become a task stays what it is', async () => {
  let release: (text: string) => void = () => undefined;
  const gate = new Promise<string>((resolve) => (release = resolve));
  store.full = () => {
    release('inline');
    return true;
  };
  const server: McpServer = createServer({
    name: 'full',
    version: '1',
    store,
    settings: { taskAfter: 1 },
  });
  server.tool({ name: 'slow' }, () => gate);
  await server.core.start();
  const client = new StdioClient(server.core);
  const { result } = await client.request('tools/call', {
    name: 'slow',
    arguments: {},
    ...modernMeta({
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    }),
  });
  expect(result?.['content']).toEqual([{ type: 'text', text: 'inline' }]);
  await client.end();
  await server.close(0);
});
