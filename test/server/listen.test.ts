import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEWEST_LEGACY } from '../../generated/revisions.js';
import type { McpServer } from '../../src/index.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { createCore } from '../../src/server/core.js';
import { LEGACY, modernMeta } from '../support/peers.js';
import { sampleServer } from '../support/server.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

let server: McpServer;
let client: StdioClient;

beforeEach(async () => {
  server = sampleServer();
  await server.core.start();
  client = new StdioClient(server.core);
});

afterEach(async () => {
  await client.end();
  await server.close(0);
});

const isOf = (id: string | number) => (frame: Message) =>
  (frame.params?.['_meta'] as Record<string, unknown> | undefined)?.[SUBSCRIPTION_ID] === id;

const streamOf = (id: string | number): Message[] => client.received.filter(isOf(id));

/** Opens a stream and resolves to its acknowledgement. */
function listen(id: string | number, notifications: object, meta: object = {}): Promise<Message> {
  const params = { notifications, ...modernMeta(meta) };
  client.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
  return client.frame((frame) => isOf(id)(frame) || frame.id === id);
}

/** Everything that was to be sent before this has arrived when it resolves. */
const caughtUp = (): Promise<Message> => client.request('tools/list', modernMeta());

describe('a listen stream', () => {
  it('opens with what was agreed to: what was asked for and can be delivered', async () => {
    const filter = {
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ['test://text', 'test://text', 'mcpx://nobody/x'],
      somethingElse: true,
    };
    expect(await listen('L', filter)).toMatchObject({
      method: ACKNOWLEDGED,
      params: {
        notifications: { toolsListChanged: true },
        _meta: { [SUBSCRIPTION_ID]: 'L' },
      },
    });
    const { notifications } = streamOf('L')[0]?.params as { notifications: object };
    expect(notifications).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['test://text', 'mcpx://nobody/x'],
    });
  });

  it('carries what its filter names, and nothing else', async () => {
    await listen('tools', { toolsListChanged: true });
    await listen(7, { promptsListChanged: true, resourceSubscriptions: ['test://text'] });
    await listen('nothing', {});
    server.tool({ name: 'new' }, () => '');
    server.prompt({ name: 'newer' }, () => '');
    server.resourceUpdated('test://text');
    server.resourceUpdated('test://bytes');
    await client.frame(({ method }) => method === 'notifications/tools/list_changed');
    await client.frame(({ method }) => method === 'notifications/prompts/list_changed');
    const methods = (id: string | number): (string | undefined)[] =>
      streamOf(id).map(({ method }) => method);
    expect(methods('tools')).toEqual([ACKNOWLEDGED, 'notifications/tools/list_changed']);
    expect(methods(7)).toEqual([
      ACKNOWLEDGED,
      'notifications/resources/updated',
      'notifications/prompts/list_changed',
    ]);
    expect(methods('nothing')).toEqual([ACKNOWLEDGED]);
    expect(streamOf(7)[1]?.params).toMatchObject({ uri: 'test://text' });
  });

  it('tells once of many changes', async () => {
    await listen('L', { toolsListChanged: true });
    for (let at = 0; at < 100; at++) server.tool({ name: `tool${at}` }, () => '');
    await client.frame(({ method }) => method === 'notifications/tools/list_changed');
    const last = server.prompt({ name: 'marker' }, () => '');
    await listen('M', { promptsListChanged: true });
    last.remove();
    await client.frame(({ method }) => method === 'notifications/prompts/list_changed');
    expect(streamOf('L')).toHaveLength(2);
  });

  it('tells of a resource below the one that is watched', async () => {
    await listen('L', { resourceSubscriptions: ['test://item'] });
    server.resourceUpdated('test://item/7');
    server.resourceUpdated('test://items');
    await caughtUp();
    expect(streamOf('L').slice(1)).toMatchObject([{ params: { uri: 'test://item/7' } }]);
  });

  it('is ended by the client with a cancellation, and then silent', async () => {
    await listen('L', { resourceSubscriptions: ['test://text'] });
    client.notify('notifications/cancelled', { requestId: 'L' });
    server.resourceUpdated('test://text');
    await caughtUp();
    expect(streamOf('L')).toHaveLength(1);
    await client.end();
    expect(client.received.filter(({ id }) => id === 'L')).toEqual([]);
  });

  it('is ended by the server with a cancellation and then the result', async () => {
    await listen('L', { toolsListChanged: true });
    await client.end();
    expect(client.received.slice(-2)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 'L' } },
      { id: 'L', result: { resultType: 'complete', _meta: { [SUBSCRIPTION_ID]: 'L' } } },
    ]);
  });

  it('is ended when the whole server closes, before requests in flight are', async () => {
    await listen('L', { toolsListChanged: true });
    const params = { name: 'slow', ...modernMeta() };
    client.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params });
    await caughtUp();
    await server.close(1);
    await client.end();
    expect(client.received.slice(-2)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 'L' } },
      { id: 'L', result: { resultType: 'complete' } },
    ]);
  });

  it('does not count among the requests in flight', async () => {
    const narrow = sampleServer({ settings: { maxInFlight: 1, maxStreams: 2 } });
    client = new StdioClient(narrow.core);
    await listen('a', {});
    await listen('b', {});
    expect(await client.request('tools/list', modernMeta())).toHaveProperty('result');
    expect((await listen('c', {})).error?.code).toBe(-32603);
  });

  it('of tasks needs the tasks extension', async () => {
    const { error } = await listen('L', { taskIds: ['1'] });
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
    const declared = {
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    expect((await listen('M', { taskIds: ['1'] }, declared)).method).toBe(ACKNOWLEDGED);
  });

  it('is refused without a filter, or with too many resources in it', async () => {
    expect(await client.errorCode('subscriptions/listen', modernMeta())).toBe(-32602);
    const uris = Array.from({ length: 1001 }, (_, at) => `test://item/${at}`);
    expect((await listen('L', { resourceSubscriptions: uris })).error).toMatchObject({
      code: -32602,
      data: { pointer: '/params/notifications/resourceSubscriptions', limit: 1000 },
    });
  });
});

describe('a stream over a backend', () => {
  it('leaves out the resources of an owner that cannot tell of updates', async () => {
    const mute = new LocalBackend('mute');
    mute.addResource({ uri: 'test://mute', name: 'mute' }, () => '');
    Object.defineProperty(mute, 'subscribe', { value: undefined });
    const able = new LocalBackend('able');
    able.addResource({ uri: 'test://able', name: 'able' }, () => '');
    const core = createCore({
      info: { name: 'two', version: '1' },
      mounts: [
        { backend: mute, names: 'namespaced' },
        { backend: able, names: 'namespaced' },
      ],
    });
    client = new StdioClient(core);
    const uris = ['mcpx://mute/test://mute', 'mcpx://able/test://able'];
    const { params } = await listen('L', { resourceSubscriptions: uris });
    expect(params?.['notifications']).toEqual({ resourceSubscriptions: [uris[1]] });
    able.resourceUpdated('test://able');
    await caughtUp();
    expect(streamOf('L')[1]?.params).toMatchObject({ uri: uris[1] });
  });

  it('subscribes once for all who watch, and unsubscribes with the last', async () => {
    const heard: string[] = [];
    const backend = new LocalBackend('one');
    backend.addResource({ uri: 'test://one', name: 'one' }, () => '');
    backend.subscribe = (uri?: string) => void heard.push(`subscribe ${uri}`);
    backend.unsubscribe = (uri?: string) => void heard.push(`unsubscribe ${uri}`);
    const mounts = [{ backend, names: 'own' as const }];
    client = new StdioClient(createCore({ info: { name: 'one', version: '1' }, mounts }));
    await client.initialize(NEWEST_LEGACY);
    await listen('a', { resourceSubscriptions: ['test://one'] });
    await client.result('resources/subscribe', { uri: 'test://one' });
    client.notify('notifications/cancelled', { requestId: 'a' });
    await caughtUp();
    expect(heard).toEqual(['subscribe test://one']);
    await client.result('resources/unsubscribe', { uri: 'test://one' });
    expect(heard).toEqual(['subscribe test://one', 'unsubscribe test://one']);
  });
});

describe.each(LEGACY)('a session of %s', (revision) => {
  beforeEach(() => client.initialize(revision));

  it('hears of every list without asking, and of the resources it subscribed to', async () => {
    expect(await client.result('resources/subscribe', { uri: 'test://text' })).toEqual({});
    server.resourceUpdated('test://text');
    server.resourceUpdated('test://bytes');
    server.tool({ name: 'new' }, () => '');
    const changed = await client.frame(
      ({ method }) => method === 'notifications/tools/list_changed',
    );
    expect(changed).not.toHaveProperty('params');
    const updates = client.received.filter((f) => f.method === 'notifications/resources/updated');
    expect(updates.map(({ params }) => params)).toEqual([{ uri: 'test://text' }]);
  });

  it('may subscribe to what is not there, and unsubscribe from what it never had', async () => {
    expect(await client.result('resources/subscribe', { uri: 'test://gone' })).toEqual({});
    expect(await client.result('resources/unsubscribe', { uri: 'test://gone' })).toEqual({});
    expect(await client.result('resources/unsubscribe', { uri: 'test://other' })).toEqual({});
    const before = client.received.length;
    server.resourceUpdated('test://gone');
    await client.request('ping');
    expect(client.received.slice(before)).toHaveLength(1);
  });

  it('hears nothing before it says that it is ready', async () => {
    const other = new StdioClient(server.core);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    await other.result('initialize', params);
    server.tool({ name: 'new' }, () => '');
    await client.frame(({ method }) => method === 'notifications/tools/list_changed');
    await other.end();
    expect(other.received).toHaveLength(1);
  });

  it('may listen as a modern client does, on the same connection', async () => {
    expect(await listen('L', { toolsListChanged: true })).toMatchObject({ method: ACKNOWLEDGED });
    server.tool({ name: 'new' }, () => '');
    await client.frame(
      (frame) => frame.method === 'notifications/tools/list_changed' && isOf('L')(frame),
    );
    await caughtUp();
    const told = client.received.filter((f) => f.method === 'notifications/tools/list_changed');
    expect(told.filter(isOf('L'))).toHaveLength(1);
    expect(told).toHaveLength(2);
  });
});

it('a client that never shook hands is told of nothing', async () => {
  const silent = new StdioClient(server.core);
  await client.initialize(NEWEST_LEGACY);
  server.tool({ name: 'new' }, () => '');
  await client.frame(({ method }) => method === 'notifications/tools/list_changed');
  await silent.end();
  expect(silent.received).toEqual([]);
});
