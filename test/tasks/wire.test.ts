import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer, RpcError, type McpServer } from '../../src/index.js';
import { modernMeta } from '../support/peers.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const WITH_TASKS = { extensions: { [TASKS]: {} } };

let server: McpServer;
let client: StdioClient;
/** Lets the tools that wait go on. */
let release: (text: string) => void;
let aborted: Promise<string>;

beforeEach(async () => {
  const gate = new Promise<string>((resolve) => {
    release = resolve;
  });
  let onAbort: (reason: string) => void = () => undefined;
  aborted = new Promise((resolve) => {
    onAbort = resolve;
  });
  server = createServer({
    name: 'tasks',
    version: '1',
    settings: { taskEager: 5, taskAfter: 5, pollInterval: 7 },
  });
  for (const taskSupport of ['optional', 'required', 'forbidden'] as const) {
    server.tool({ name: taskSupport, execution: { taskSupport } }, async (_args, ctx) => {
      ctx.signal.addEventListener('abort', () => onAbort(String(ctx.signal.reason)));
      return gate;
    });
  }
  server.tool({ name: 'silent' }, () => gate);
  server.tool({ name: 'fails', execution: { taskSupport: 'optional' } }, async () => {
    throw new Error(await gate);
  });
  server.tool({ name: 'breaks', execution: { taskSupport: 'optional' } }, async () => {
    throw new RpcError('internal', await gate, { why: 'because' });
  });
  server.tool({ name: 'asks', execution: { taskSupport: 'optional' } }, async (_args, ctx) => {
    await gate;
    const form = (name: string) => ({
      message: `${name}?`,
      requestedSchema: {
        type: 'object' as const,
        properties: { [name]: { type: 'string' as const } },
      },
    });
    const answers = await Promise.all([
      ctx.elicit(form('a'), { key: 'a' }),
      ctx.elicit(form('b'), { key: 'b' }),
    ]);
    return answers.map(({ content, action }) => content?.['a'] ?? content?.['b'] ?? action).join();
  });
  await server.core.start();
  client = new StdioClient(server.core);
});

afterEach(async () => {
  release('end');
  await client.end();
  await server.close(0);
});

const textOf = (result: unknown): unknown =>
  (result as { content?: { text: string }[] } | undefined)?.content?.[0]?.text;

describe('a modern client with the tasks extension', () => {
  const request = (method: string, params: object, capabilities: object = WITH_TASKS) =>
    client.request(method, {
      ...params,
      ...modernMeta({ 'io.modelcontextprotocol/clientCapabilities': capabilities }),
    });
  const call = (name: string, capabilities?: object) =>
    request('tools/call', { name, arguments: {} }, capabilities);
  const idOf = ({ result }: Message): string => String(result?.['taskId']);
  const get = (id: string) => request('tasks/get', { taskId: id });

  /** Asks until the task has the status: the one way there is to wait without a stream. */
  async function until(id: string, status: string): Promise<Message> {
    for (;;) {
      const answer = await get(id);
      if (answer.result?.['status'] === status) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test('is told of the extension, and of no core tasks', async () => {
    const { result } = await request('server/discover', {});
    expect(result?.['capabilities']).toMatchObject({ extensions: { [TASKS]: {} } });
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
  });

  test.each(['optional', 'required', 'silent'])('gets a task of a slow call: %s', async (name) => {
    const created = await call(name);
    expect(created.result).toMatchObject({
      resultType: 'task',
      status: 'working',
      pollIntervalMs: 7,
      ttlMs: 600_000,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(created.result).not.toHaveProperty('task');
    expect((await get(idOf(created))).result).toMatchObject({
      resultType: 'complete',
      status: 'working',
    });
    release('done');
    const { result } = await until(idOf(created), 'completed');
    expect(textOf(result?.['result'])).toBe('done');
  });

  test.each([
    ['optional', {}],
    ['forbidden', WITH_TASKS],
    ['silent', { ...WITH_TASKS, elicitation: {} }],
    ['silent', {}],
  ])('waits for %s with %j', async (name, capabilities) => {
    const answer = call(name, capabilities);
    setTimeout(() => release('done'), 30);
    expect(textOf((await answer).result)).toBe('done');
  });

  test('is answered directly where the call is quick', async () => {
    release('quick');
    expect(textOf((await call('optional')).result)).toBe('quick');
  });

  test('without it is refused what needs it, before anything runs', async () => {
    for (const answer of [
      await call('required', {}),
      await request('tasks/get', { taskId: 'x' }, {}),
      await request('tasks/update', { taskId: 'x', inputResponses: {} }, {}),
      await request('tasks/cancel', { taskId: 'x' }, { tasks: {} }),
    ]) {
      expect(answer.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: WITH_TASKS },
      });
    }
  });

  test('reads an isError result as completed, an error as failed', async () => {
    const [fails, breaks] = await Promise.all([call('fails'), call('breaks')]);
    release('broken');
    const failed = await until(idOf(fails), 'completed');
    expect(failed.result?.['result']).toMatchObject({ isError: true });
    const broken = await until(idOf(breaks), 'failed');
    expect(broken.result).toMatchObject({
      error: { code: -32603, message: 'broken', data: { why: 'because' } },
    });
    expect(broken.result).not.toHaveProperty('result');
  });

  test('answers the questions of a task key by key', async () => {
    const caps = { ...WITH_TASKS, elicitation: {} };
    const created = await call('asks', caps);
    const id = idOf(created);
    release('go');
    const asked = await until(id, 'input_required');
    expect(Object.keys(asked.result?.['inputRequests'] as object)).toEqual(['a', 'b']);
    const update = (inputResponses: object) =>
      request('tasks/update', { taskId: id, inputResponses });
    const first = await update({ a: { action: 'accept', content: { a: '1' } }, x: 17 });
    expect(first.result).toMatchObject({ resultType: 'complete' });
    expect(first.result).not.toHaveProperty('status');
    const left = await get(id);
    expect(Object.keys(left.result?.['inputRequests'] as object)).toEqual(['b']);
    await update({ a: { action: 'cancel' } });
    expect((await update({ b: { action: 'perhaps' } })).error?.code).toBe(-32602);
    await update({ b: { action: 'accept', content: { b: '2' } } });
    const { result } = await until(id, 'completed');
    expect(textOf(result?.['result'])).toBe('1,2');
  });

  test('cancels a task: it is acknowledged, what runs is stopped, and it ends once', async () => {
    const id = idOf(await call('optional'));
    const cancel = () => request('tasks/cancel', { taskId: id });
    expect((await cancel()).result).toMatchObject({ resultType: 'complete' });
    expect(await aborted).toContain('cancelled');
    release('late');
    expect((await get(id)).result).toMatchObject({ status: 'cancelled' });
    expect((await cancel()).error).toBeUndefined();
  });

  test('is told of what it listens to', async () => {
    const id = idOf(await call('optional'));
    client.send({
      jsonrpc: '2.0',
      id: 'l',
      method: 'subscriptions/listen',
      params: {
        notifications: { taskIds: [id, 'unknown'] },
        ...modernMeta({ 'io.modelcontextprotocol/clientCapabilities': WITH_TASKS }),
      },
    });
    const agreed = await client.frame(
      (frame) => frame.method === 'notifications/subscriptions/acknowledged',
    );
    expect(agreed.params).toMatchObject({ notifications: { taskIds: [id] } });
    release('done');
    const told = await client.frame((frame) => frame.method === 'notifications/tasks');
    expect(told.params).toMatchObject({
      taskId: id,
      status: 'completed',
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' },
    });
  });

  test('has neither tasks/list nor tasks/result, and knows no other ids', async () => {
    for (const method of ['tasks/list', 'tasks/result']) {
      expect((await request(method, { taskId: 'x' })).error?.code).toBe(-32601);
    }
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect((await request(method, { taskId: 'x' })).error).toMatchObject({
        code: -32602,
        data: { taskId: 'x' },
      });
    }
  });
});

describe.each(['2025-11-25', '2025-06-18', '2024-11-05'])('a client of %s', (revision) => {
  const call = (name: string, task: object | null = {}) =>
    client.request('tools/call', { name, arguments: {}, ...(task && { task }) });
  const idOf = ({ result }: Message): string =>
    String((result?.['task'] as { taskId: string } | undefined)?.taskId);

  beforeEach(async () => {
    await client.initialize(revision, { elicitation: {} });
  });

  test('that sends task gets one, and its result when it has ended', async () => {
    const created = await call('optional', { ttl: 5000 });
    expect(created.result).toMatchObject({
      task: { status: 'working', ttl: 5000, pollInterval: 7 },
    });
    expect(created.result).not.toHaveProperty('resultType');
    const taskId = idOf(created);
    expect((await client.result('tasks/get', { taskId }))['status']).toBe('working');
    const result = client.result('tasks/result', { taskId });
    release('done');
    expect(textOf(await result)).toBe('done');
    const { tasks } = await client.result('tasks/list');
    expect(tasks).toMatchObject([{ taskId, status: 'completed' }]);
  });

  test('that sends none waits for the result', async () => {
    const answer = call('optional', null);
    release('done');
    expect(textOf((await answer).result)).toBe('done');
  });

  test('cannot make a task of what is none', async () => {
    for (const name of ['forbidden', 'silent']) {
      expect((await call(name)).error?.code).toBe(-32601);
    }
  });

  test('reads an isError result as failed, and gets it all the same', async () => {
    const taskId = idOf(await call('fails'));
    const result = client.result('tasks/result', { taskId });
    release('broken');
    expect(await result).toMatchObject({ isError: true });
    expect((await client.result('tasks/get', { taskId }))['status']).toBe('failed');
  });

  test('gets the error that a task ended with', async () => {
    const taskId = idOf(await call('breaks'));
    const result = client.request('tasks/result', { taskId });
    release('broken');
    expect((await result).error).toMatchObject({ code: -32603, message: 'broken' });
  });

  test('cancels a task once', async () => {
    const taskId = idOf(await call('optional'));
    expect(await client.result('tasks/cancel', { taskId })).toMatchObject({ status: 'cancelled' });
    expect(await aborted).toContain('cancelled');
    expect(await client.errorCode('tasks/cancel', { taskId })).toBe(-32602);
    expect(await client.errorCode('tasks/result', { taskId })).toBe(-32603);
  });

  test('sees no task of another connection', async () => {
    const taskId = idOf(await call('optional'));
    const other = new StdioClient(server.core);
    await other.initialize(revision);
    expect((await other.result('tasks/list'))['tasks']).toEqual([]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect(await other.errorCode(method, { taskId })).toBe(-32602);
    }
    await other.end();
  });

  test('reads its tasks page by page', async () => {
    const small = createServer({ name: 's', version: '1', settings: { pageSize: 2 } });
    small.tool({ name: 'now', execution: { taskSupport: 'optional' } }, () => 'now');
    await small.core.start();
    const reader = new StdioClient(small.core);
    await reader.initialize(revision);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      made.push(idOf(await reader.request('tools/call', { name: 'now', task: {} })));
    }
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await reader.result('tasks/list', cursor === undefined ? {} : { cursor });
      seen.push(...(page['tasks'] as { taskId: string }[]).map(({ taskId }) => taskId));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual(made);
    expect(await reader.errorCode('tasks/list', { cursor: 'made up' })).toBe(-32602);
    await reader.end();
    await small.close();
  });
});

describe('a client of 2025-11-25', () => {
  beforeEach(async () => {
    await client.initialize('2025-11-25', { elicitation: {} });
  });

  test('is told of tasks at the handshake, and that a tool requires them', async () => {
    expect(client.received[0]?.result?.['capabilities']).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    expect(await client.errorCode('tools/call', { name: 'required' })).toBe(-32601);
  });

  test('is asked what a task asks, in the name of the task', async () => {
    const { result } = await client.request('tools/call', { name: 'asks', task: {} });
    const { taskId } = result?.['task'] as { taskId: string };
    const answer = client.result('tasks/result', { taskId });
    release('go');
    for (const key of ['a', 'b']) {
      const question = await client.frame(
        (frame) => frame.method === 'elicitation/create' && frame.params?.['message'] === `${key}?`,
      );
      expect(question.params).toMatchObject({
        _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
      });
      client.send({
        jsonrpc: '2.0',
        id: question.id,
        result: { action: 'accept', content: { [key]: key } },
      });
    }
    expect(await answer).toMatchObject({
      content: [{ text: 'a,b' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    const statuses = client.received
      .filter((frame) => frame.method === 'notifications/tasks/status')
      .map((frame) => frame.params?.['status']);
    expect(statuses).toContain('input_required');
    expect(statuses.at(-1)).toBe('completed');
  });
});
