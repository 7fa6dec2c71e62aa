/** Real processes that are killed while tasks run: what has finished is there afterwards, and nothing hangs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteStore, createServer, type McpServer } from '../../src/index.js';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, askingServer, configFile } from '../support/mcpx-process.js';
import type { Message } from '../support/stdio-client.js';

const ROUNDS = 5;
const CALLS = 12;
/** The longest call of a round, in milliseconds: most rounds end before it does. */
const LONGEST = 400;

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const META = { _meta: { [CAPABILITIES]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } };

let folder: string;
let state: string;
let config: Awaited<ReturnType<typeof configFile>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcpx-crash-'));
  state = join(folder, 'tasks.db');
  config = await configFile({
    mcpServers: { up: askingServer('2025-11-25') },
    protoMessages: { taskAfter: '1ms' },
  });
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await config.remove();
});

async function serve(): Promise<{ mcpx: McpxProcess; client: HttpClient }> {
  const mcpx = new McpxProcess([
    ...['serve', '--config', config.path, '--state', state, '--http', '127.0.0.1:0'],
  ]);
  const url = await mcpx.printed(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
  return { mcpx, client: new HttpClient(url) };
}

async function ask(client: HttpClient, method: string, params: object): Promise<Message> {
  return (await client.modern(method, { ...params, ...META })).message();
}

const statusOf = ({ result }: Message): unknown => result?.['status'];

test('a process that is killed at any moment loses no finished task', async () => {
  /** By id: the tag its result has to name, and whether a client has seen the result. */
  const tasks = new Map<string, { tag: string; seen: boolean }>();
  for (let round = 0; round < ROUNDS; round++) {
    const { mcpx, client } = await serve();
    for (const [taskId, task] of tasks) await readAgain(client, taskId, task);
    let finished = 0;
    let kill: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => (kill = resolve));
    const calls = Array.from({ length: CALLS }, async (_unused, n) => {
      const tag = `${round}-${n}`;
      const ms = Math.round((LONGEST * n) / CALLS);
      const created = await ask(client, 'tools/call', { name: 'up_work', arguments: { tag, ms } });
      const taskId = String(created.result?.['taskId']);
      const task = { tag, seen: false };
      tasks.set(taskId, task);
      for (;;) {
        const answer = await ask(client, 'tasks/get', { taskId });
        if (statusOf(answer) !== 'completed') continue;
        task.seen = true;
        if (++finished > round * 2) kill();
        return;
      }
    });
    const settled = Promise.allSettled(calls);
    await enough;
    mcpx.child.kill('SIGKILL');
    await mcpx.ended;
    await settled;
    await client.close();
  }
  const { mcpx, client } = await serve();
  for (const [taskId, task] of tasks) await readAgain(client, taskId, task);
  await client.close();
  expect(await mcpx.stop()).toEqual({ code: 0, signal: null });
  const seen = [...tasks.values()].filter((task) => task.seen);
  expect(seen.length).toBeGreaterThan(ROUNDS);
  expect(seen.length).toBeLessThan(tasks.size);
});

async function readAgain(
  client: HttpClient,
  taskId: string,
  { tag, seen }: { tag: string; seen: boolean },
): Promise<void> {
  const answer = await ask(client, 'tasks/get', { taskId });
  if (seen || statusOf(answer) === 'completed') {
    expect(answer.result).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: `worked ${tag}` }] },
    });
  } else {
    expect(answer.result).toMatchObject({
      status: 'failed',
      error: { message: 'The server was restarted while the task ran' },
    });
  }
}

test('a second process does not take the tasks of one that runs', async () => {
  const { mcpx, client } = await serve();
  const second = new McpxProcess(['serve'], { MCPX_TASKS_STATE: state });
  expect((await second.ended).code).toBe(1);
  expect(second.stderr).toBe(
    `mcpx: tasks.state: ${state} is in use by process ${mcpx.child.pid} (${state}.pid says so)\n`,
  );
  await client.close();
  await mcpx.stop();
});

test('a file that cannot be used is refused at the start, by name', async () => {
  const nowhere = join(folder, 'none', 'tasks.db');
  const wrong = await configFile({ tasks: { state: nowhere } });
  const mcpx = new McpxProcess(['serve', '--config', wrong.path]);
  expect((await mcpx.ended).code).toBe(1);
  expect(mcpx.stderr).toContain('mcpx: tasks.state: ENOENT');
  expect(mcpx.stderr).toContain(nowhere);
  await wrong.remove();
});

test('a server of the library keeps its tasks in a file, too', async () => {
  const file = join(folder, 'library.db');
  const start = async (): Promise<{ server: McpServer; client: HttpClient }> => {
    const server = createServer({ name: 'kept', version: '1', store: new SqliteStore(file) });
    const execution = { taskSupport: 'optional' } as const;
    server.tool({ name: 'done', execution }, (_args, ctx) => {
      ctx.takesLong();
      return Promise.resolve('kept');
    });
    const { url } = await server.http({ port: 0 });
    return { server, client: new HttpClient(url) };
  };
  const first = await start();
  const created = await ask(first.client, 'tools/call', { name: 'done', arguments: {} });
  const taskId = created.result?.['taskId'];
  await first.client.close();
  await first.server.close(0);
  const second = await start();
  const answer = await ask(second.client, 'tasks/get', { taskId });
  expect(answer.result).toMatchObject({
    status: 'completed',
    result: { content: [{ type: 'text', text: 'kept' }] },
  });
  await second.client.close();
  await second.server.close(0);
});
