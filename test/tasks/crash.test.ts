/** Real processes that are killed while tasks run: what has finished is there afterwards, and nothing hangs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const second = new McpxProcess(['serve', '--config', config.path, '--state', state]);
  expect((await second.ended).code).toBe(1);
  expect(second.stderr).toContain(`in use by process ${mcpx.child.pid}`);
  await client.close();
  await mcpx.stop();
});
