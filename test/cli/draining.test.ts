import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient, type EventReader } from '../support/http-client.js';
import { McpxProcess, configFile } from '../support/mcpx-process.js';
import type { Message } from '../support/stdio-client.js';

const HELD = fileURLToPath(new URL('../fixtures/upstream/held.mjs', import.meta.url));
const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The configuration is changed by `configure`; `release` lets calls with that tag, or starts, go on. */
async function configured(servers: (held: Held) => object, flags: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-held-'));
  const held: Held = (label, ...start) => ({
    command: process.execPath,
    args: [HELD, label, folder, ...start],
  });
  const file = await configFile({ mcpServers: servers(held) });
  const mcpx = new McpxProcess(['serve', '--config', file.path, '--http', '127.0.0.1:0', ...flags]);
  onTestFinished(async () => {
    await mcpx.stop();
    await file.remove();
    await rm(folder, { recursive: true });
    expect(mcpx.stderr).not.toContain('outgoing ');
  });
  return {
    mcpx,
    held,
    release: (tag: string) => writeFile(join(folder, tag), ''),
    configure: async (next: object | string) => {
      const text = typeof next === 'string' ? next : JSON.stringify({ mcpServers: next });
      await writeFile(file.path, text);
      mcpx.child.kill('SIGHUP');
    },
  };
}

type Held = (label: string, ...start: string[]) => object;

async function serving(servers: (held: Held) => object, flags: readonly string[] = []) {
  const started = await configured(servers, flags);
  const client = new HttpClient(await started.mcpx.printed(/listens on (http:[^\s"]+)/));
  onTestFinished(() => client.close());
  const request = async (method: string, params: Record<string, unknown>, signal?: AbortSignal) =>
    (await client.modern(method, params, {}, signal)).message();
  const call = (name: string, args: object = {}, more: object = {}) =>
    request('tools/call', { name, arguments: args, ...more });
  const names = async (): Promise<string[]> => {
    const { result } = await request('tools/list', {});
    return (result?.['tools'] as { name: string }[]).map(({ name }) => name);
  };
  return { ...started, client, request, call, names };
}

const textOf = ({ result }: Message): string | undefined =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

async function listening(client: HttpClient, notifications: object): Promise<EventReader> {
  const events = (await client.modern('subscriptions/listen', { notifications })).events();
  await events.first(1);
  onTestFinished(() => events.drop());
  return events;
}

describe('a call in flight on an upstream that a reload changes', () => {
  it('ends where it was made, with its progress, while new calls go to the new one', async () => {
    const { mcpx, held, client, call, names, release, configure } = await serving((held) => ({
      up: held('one'),
    }));
    const events = (
      await client.modern('tools/call', {
        name: 'up_hold',
        arguments: { tag: 'a' },
        _meta: { progressToken: 'p' },
      })
    ).events();
    await events.first(1);
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    expect(textOf(await call('up_pid'))).toMatch(/^\d+$/);
    await release('b');
    expect(textOf(await call('up_hold', { tag: 'b' }))).toBe('b of two');
    const metrics = async (): Promise<string> =>
      (await fetch(new URL('/v1/metrics', client.url))).text();
    expect(await metrics()).toContain('mcpx_backends_leaving 1\n');
    await release('a');
    const [first, second, answer = {}] = await events.first(3);
    expect([first?.params?.['progress'], second?.params?.['progress']]).toEqual([1, 2]);
    expect(textOf(answer)).toBe('a of one');
    await mcpx.printed(/one sees its input end/);
    await expect.poll(metrics).toContain('mcpx_backends_leaving 0\n');
    expect(mcpx.stderr).not.toContain('one is told to terminate');
    expect(mcpx.stderr).not.toContain('two sees its input end');
  });

  it('is the old one alone: the list changes once, and never has both or neither', async () => {
    const { mcpx, held, client, call, names, release, configure } = await serving((held) => ({
      up: held('one'),
    }));
    await names();
    const events = await listening(client, { toolsListChanged: true });
    const slow = call('up_hold', { tag: 'a' });
    await configure({ up: held('two', 'start') });
    await mcpx.printed(/two is asked to start/);
    expect(await names()).toContain('up_one');
    await release('start');
    await events.first(2);
    const after = await names();
    expect(after).toContain('up_two');
    expect(after).not.toContain('up_one');
    expect(new Set(after).size).toBe(after.length);
    await release('a');
    expect(textOf(await slow)).toBe('a of one');
    // Another change, to see that none came in between.
    await configure({ up: held('three') });
    await events.first(3);
    expect(await names()).toContain('up_three');
    expect(events.messages.slice(1).map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/tools/list_changed',
    ]);
  });

  it('is cancelled there when its client cancels it', async () => {
    const { mcpx, held, request, names, configure } = await serving((held) => ({
      up: held('one'),
    }));
    const cancelling = new AbortController();
    const params = { name: 'up_hold', arguments: { tag: 'a' } };
    const slow = request('tools/call', params, cancelling.signal).catch(() => 'cancelled');
    await mcpx.printed(/one runs a/);
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    cancelling.abort();
    expect(await slow).toBe('cancelled');
    await mcpx.printed(/one is told to cancel a/);
    await mcpx.printed(/one sees its input end/);
  });

  it('gets the answer to what it has asked', async () => {
    const { mcpx, held, call, names, configure } = await serving((held) => ({ up: held('one') }));
    const _meta = { [CAPABILITIES]: { elicitation: { form: {} } } };
    const { result } = await call('up_ask', { tag: 'who' }, { _meta });
    expect(result).toMatchObject({ resultType: 'input_required' });
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    const [key = ''] = Object.keys(result?.['inputRequests'] as object);
    const answer = { action: 'accept', content: { name: 'Ann' } };
    const { requestState } = result as { requestState?: string };
    const inputResponses = { [key]: answer };
    const answered = await call('up_ask', { tag: 'who' }, { _meta, inputResponses, requestState });
    expect(textOf(answered)).toBe('Ann for one');
    await mcpx.printed(/one sees its input end/);
  });

  it('goes on as the task that it has become', async () => {
    const { mcpx, held, call, request, names, release, configure } = await serving((held) => ({
      up: held('one'),
    }));
    const _meta = { [CAPABILITIES]: { extensions: { [TASKS]: {} } } };
    const { result } = await call('up_job', { tag: 'a' }, { _meta });
    const taskId = result?.['taskId'] as string;
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    const task = async (): Promise<Record<string, unknown> | undefined> =>
      (await request('tasks/get', { taskId, _meta })).result;
    expect(await task()).toMatchObject({ status: 'working' });
    await release('a');
    await expect.poll(task).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'a of one' }] },
    });
    await mcpx.printed(/one sees its input end/);
  });

  it('ends with mcpx in good time, and so does its upstream', async () => {
    const { mcpx, held, call, names, configure, release } = await serving((held) => ({
      up: held('one'),
    }));
    const slow = call('up_hold', { tag: 'a' });
    await mcpx.printed(/one runs a/);
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    mcpx.child.kill('SIGTERM');
    await mcpx.printed(/requests in flight may end/);
    await release('a');
    expect(textOf(await slow)).toBe('a of one');
    expect(await mcpx.ended).toEqual({ code: 0, signal: null });
    expect(mcpx.stderr).toContain('one sees its input end');
    expect(mcpx.stderr).toContain('two sees its input end');
  });

  it('is cut when mcpx has to end, and its upstream is ended in order', async () => {
    const { mcpx, held, call, names, configure } = await serving(
      (held) => ({ up: { ...held('one'), env: { LINGER: '300' } } }),
      ['--transport-stdio-drain', '50ms'],
    );
    const slow = call('up_hold', { tag: 'a' }).catch(() => 'cut');
    await mcpx.printed(/one runs a/);
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    mcpx.child.kill('SIGTERM');
    await slow;
    expect(await mcpx.ended).toEqual({ code: 0, signal: null });
    expect(mcpx.stderr).toContain('one is done');
    expect(mcpx.stderr).toContain('two sees its input end');
  });
});

describe('a call in flight on an upstream that a reload removes', () => {
  it('ends, while new calls are refused at once although others still start', async () => {
    const { mcpx, held, call, release, configure } = await serving((held) => ({
      up: held('one'),
      stays: held('rest'),
    }));
    const slow = call('up_hold', { tag: 'a' });
    await mcpx.printed(/one runs a/);
    await configure({ stays: held('rest'), comes: held('never', 'start') });
    await mcpx.printed(/never is asked to start/);
    expect((await call('up_pid')).error?.message).toBe('Unknown tool: up_pid');
    expect(textOf(await call('stays_pid'))).toMatch(/^\d+$/);
    await release('a');
    expect(textOf(await slow)).toBe('a of one');
    await mcpx.printed(/one sees its input end/);
  });

  it('ends also where the same one comes back meanwhile', async () => {
    const { mcpx, held, call, names, release, configure } = await serving((held) => ({
      up: held('one'),
    }));
    const before = textOf(await call('up_pid'));
    const slow = call('up_hold', { tag: 'a' });
    await mcpx.printed(/one runs a/);
    await configure({});
    await expect.poll(names).not.toContain('up_hold');
    await configure({ up: held('one') });
    await expect.poll(names).toContain('up_hold');
    const after = textOf(await call('up_pid'));
    expect(after).not.toBe(before);
    await release('a');
    expect(textOf(await slow)).toBe('a of one');
    await mcpx.printed(/one sees its input end/);
    expect(textOf(await call('up_pid'))).toBe(after);
  });
});

describe('what a client watches of an upstream that a reload changes', () => {
  it('is told of by the new one, also where that was away in between', async () => {
    const { mcpx, held, client, call, names, configure } = await serving((held) => ({
      up: held('one'),
    }));
    const uri = 'mcpx://up/held://it';
    const events = await listening(client, { resourceSubscriptions: [uri] });
    await mcpx.printed(/one resources\/subscribe/);
    await configure({ up: held('two') });
    await mcpx.printed(/two resources\/subscribe/);
    await call('up_touch');
    expect((await events.first(2))[1]).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri },
    });
    await configure({});
    await expect.poll(names).not.toContain('up_touch');
    await configure({ up: held('three') });
    await mcpx.printed(/three resources\/subscribe/);
    await call('up_touch');
    expect((await events.first(3))[2]).toMatchObject({ params: { uri } });
  });
});

describe('a reload upon a reload', () => {
  it('does not wait for the upstreams of the one before, and ends those that nobody wants', async () => {
    const { mcpx, held, names, configure } = await serving((held) => ({ up: held('one') }));
    await configure({ up: held('two', 'never') });
    await mcpx.printed(/two is asked to start/);
    expect(await names()).toContain('up_one');
    await configure({ up: held('three') });
    await expect.poll(names).toContain('up_three');
    await mcpx.printed(/two sees its input end/);
    await mcpx.printed(/one sees its input end/);
    expect(await names()).not.toContain('up_two');
  });

  it('keeps what serves where the file is broken, and takes up the next one', async () => {
    const { mcpx, held, call, names, release, configure } = await serving((held) => ({
      up: held('one'),
    }));
    const slow = call('up_hold', { tag: 'a' });
    await mcpx.printed(/one runs a/);
    await configure('{ "mcpServers": ');
    await mcpx.printed(/the configuration stays as it was: [^\n]*config\.json:1[^\n]*is not JSON/);
    expect(await names()).toContain('up_one');
    await configure({ up: held('two') });
    await expect.poll(names).toContain('up_two');
    await release('a');
    expect(textOf(await slow)).toBe('a of one');
  });

  it('removes an upstream that was still to take the place of another, and that other', async () => {
    const { mcpx, held, names, configure } = await serving((held) => ({ up: held('one') }));
    await configure({ up: held('two', 'never') });
    await mcpx.printed(/two is asked to start/);
    await configure({});
    await mcpx.printed(/two sees its input end/);
    await mcpx.printed(/one sees its input end/);
    expect((await names()).filter((name) => name.startsWith('up_'))).toEqual([]);
  });
});

describe('a reload while mcpx starts', () => {
  it('puts an upstream that starts in the place of one that does not come up', async () => {
    const { mcpx, held, configure } = await configured((held) => ({ up: held('one', 'never') }));
    await mcpx.printed(/one is asked to start/);
    await configure({ up: held('two') });
    const client = new HttpClient(await mcpx.printed(/listens on (http:[^\s"]+)/));
    onTestFinished(() => client.close());
    const { result } = await (await client.modern('tools/list')).message();
    const names = (result?.['tools'] as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('up_two');
    await mcpx.printed(/one sees its input end/);
  });

  it('does not keep mcpx from ending while an upstream does not come up', async () => {
    const { mcpx } = await configured((held) => ({ up: held('one', 'never') }));
    await mcpx.printed(/one is asked to start/);
    mcpx.child.kill('SIGTERM');
    expect(await mcpx.ended).toEqual({ code: 0, signal: null });
    expect(mcpx.stderr).toContain('one sees its input end');
  });
});
