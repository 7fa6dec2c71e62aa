import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FACTS } from '../../generated/facts.js';
import { NEWEST, NEWEST_LEGACY, OLDEST, type Revision } from '../../generated/revisions.js';
import type { McpServer } from '../../src/index.js';
import { ALL_REVISIONS, LEGACY, isModern, open, paramsFor } from '../support/peers.js';
import { sampleServer } from '../support/server.js';
import { StdioClient } from '../support/stdio-client.js';
import '../support/strict.js';

let server: McpServer;
let client: StdioClient;

beforeEach(async () => {
  server = sampleServer();
  await server.core.start();
  client = new StdioClient(server.core);
});

afterEach(async () => {
  await client.end();
  await server.close();
});

function names(list: unknown): string[] {
  return (list as { name: string }[]).map(({ name }) => name);
}

describe.each(ALL_REVISIONS)('a client of %s', (revision: Revision) => {
  const modern = isModern(revision);
  const result = (method: string, params: object = {}, meta: object = {}) =>
    client.result(method, paramsFor(revision, params, meta));
  const errorOf = async (method: string, params: object = {}) =>
    (await client.request(method, paramsFor(revision, params))).error;

  beforeEach(() => open(client, revision));

  it('learns who it talks to and what there is', async () => {
    if (modern) {
      expect(await result('server/discover')).toMatchObject({
        resultType: 'complete',
        supportedVersions: [NEWEST],
        instructions: 'Call echo.',
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3' } },
        cacheScope: 'public',
        ttlMs: 60_000,
      });
    } else {
      const { result: answer } = client.received[0] ?? {};
      expect(answer).toMatchObject({
        protocolVersion: revision,
        serverInfo: { name: 'sample', version: '1.2.3' },
        instructions: 'Call echo.',
        capabilities: { tools: { listChanged: true }, prompts: {}, logging: {} },
      });
    }
  });

  it('lists and calls tools', async () => {
    const { tools } = await result('tools/list');
    expect(names(tools)).toEqual(['echo', 'sum', 'fail', 'slow', 'busy']);
    expect(await result('tools/call', { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(await result('tools/call', { name: 'sum' })).toMatchObject({
      content: [{ type: 'text', text: '3' }],
    });
    expect(await result('tools/call', { name: 'fail' })).toMatchObject({
      content: [{ type: 'text', text: 'out of cheese' }],
      isError: true,
    });
  });

  it('is told of arguments that do not fit in the form of its revision', async () => {
    const params = paramsFor(revision, { name: 'echo', arguments: { text: 5 } });
    const { result: answer, error } = await client.request('tools/call', params);
    const text = 'Invalid arguments for tool echo: /text must be string';
    if (FACTS[revision].toolInputErrorsAreResults) {
      expect(answer).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
    } else {
      expect(error).toMatchObject({ code: -32602, message: text });
    }
  });

  it('gets an error that points at what is wrong with a request', async () => {
    expect(await errorOf('tools/call', { arguments: {} })).toMatchObject({
      code: -32602,
      data: { pointer: '/params' },
    });
    expect(await errorOf('tools/call', { name: 'echo', arguments: [] })).toMatchObject({
      code: -32602,
      data: { pointer: '/params/arguments' },
    });
    expect((await errorOf('tools/call', { name: 'nobody' }))?.code).toBe(-32602);
    expect((await errorOf('prompts/get', { name: 'nobody' }))?.code).toBe(-32602);
    expect(await errorOf('prompts/get', { name: 'greet' })).toMatchObject({
      code: -32602,
      data: { pointer: '/params/arguments/who' },
    });
    expect((await errorOf('no/such'))?.code).toBe(-32601);
  });

  it('lists and gets prompts', async () => {
    expect(names((await result('prompts/list'))['prompts'])).toEqual(['greet']);
    const prompt = await result('prompts/get', { name: 'greet', arguments: { who: 'Ann' } });
    expect(prompt).toMatchObject({
      description: 'Greets',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ann' } }],
    });
  });

  it('lists and reads resources', async () => {
    expect(names((await result('resources/list'))['resources'])).toEqual(['text', 'bytes']);
    const { resourceTemplates } = await result('resources/templates/list');
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'test://item/{id}', name: 'item' }]);
    expect(await result('resources/read', { uri: 'test://text' })).toMatchObject({
      contents: [{ uri: 'test://text', mimeType: 'text/plain', text: 'hello' }],
    });
    expect(await result('resources/read', { uri: 'test://bytes' })).toMatchObject({
      contents: [{ uri: 'test://bytes', blob: 'AQID' }],
    });
    expect(await result('resources/read', { uri: 'test://item/7' })).toMatchObject({
      contents: [{ uri: 'test://item/7', text: 'item 7' }],
    });
  });

  it('is told that a resource is missing by the code of its era, and which', async () => {
    for (const uri of ['test://nothing', 'test://item/0', 'mcpx://nobody/a']) {
      expect(await errorOf('resources/read', { uri })).toMatchObject({
        code: modern ? -32602 : -32002,
        data: { uri },
      });
    }
  });

  it('gets completions, a hundred at most', async () => {
    const ref = { type: 'ref/prompt', name: 'greet' };
    const many = await result('completion/complete', {
      ref,
      argument: { name: 'who', value: 'x' },
    });
    expect(many['completion']).toMatchObject({ total: 150, hasMore: true });
    expect((many['completion'] as { values: string[] }).values).toHaveLength(100);
    const template = { type: 'ref/resource', uri: 'test://item/{id}' };
    const argument = { name: 'id', value: '1' };
    expect(
      (await result('completion/complete', { ref: template, argument }))['completion'],
    ).toEqual({ values: ['1', '12'] });
    const unknown = { type: 'ref/prompt', name: 'nobody' };
    expect((await errorOf('completion/complete', { ref: unknown, argument }))?.code).toBe(-32602);
  });

  it('gets progress that grows, and log messages from the level it named', async () => {
    const level = modern ? { 'io.modelcontextprotocol/logLevel': 'notice' } : {};
    if (!modern) await result('logging/setLevel', { level: 'notice' });
    const before = client.received.length;
    await result('tools/call', { name: 'busy' }, { progressToken: 'p', ...level });
    const came = client.received.slice(before);
    expect(came.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'notifications/message',
      undefined,
    ]);
    expect(came[0]?.params).toMatchObject({ progressToken: 'p', progress: 1, total: 3 });
    expect(came[1]?.params).toMatchObject({ progressToken: 'p', progress: 2 });
    expect(came[2]?.params).toMatchObject({
      level: 'warning',
      logger: 'busy',
      data: { careful: true },
    });
  });

  it('gets no progress without a token', async () => {
    const before = client.received.length;
    await result('tools/call', { name: 'busy' });
    const methods = client.received.slice(before).map(({ method }) => method);
    expect(methods).not.toContain('notifications/progress');
    // A modern client that named no level hears nothing at all.
    if (modern) expect(methods).toEqual([undefined]);
  });

  it('cancels a call and hears no more of it', async () => {
    client.send({
      jsonrpc: '2.0',
      id: 77,
      method: 'tools/call',
      params: paramsFor(revision, { name: 'slow' }),
    });
    client.notify('notifications/cancelled', { requestId: 77, reason: 'enough' });
    await result('tools/list');
    await client.end();
    expect(client.received.filter(({ id }) => id === 77)).toEqual([]);
  });

  it('cannot cancel by an id of another type, or one that is unknown', async () => {
    client.notify('notifications/cancelled', { requestId: '999' });
    client.notify('notifications/cancelled', {});
    client.notify('notifications/nonsense');
    expect(names((await result('tools/list'))['tools'])).toHaveLength(5);
    expect(server.core.diagnostics.count('cancelled-nothing')).toBe(2);
    expect(server.core.diagnostics.count('notification-unknown')).toBe(1);
  });

  it('gets its ids back as they are, also twice at a time', async () => {
    const list = (id: unknown) =>
      `{"jsonrpc":"2.0","id":${String(id)},"method":"tools/list","params":${JSON.stringify(
        paramsFor(revision),
      )}}\n`;
    client.raw(list('"1"') + list('1') + list('1') + list('0') + list('-1') + list('""'));
    await client.frame(({ id }) => id === '');
    const ids = client.received.map(({ id }) => id).filter((id) => !String(id).startsWith('c'));
    expect(ids).toEqual(['1', 1, 1, 0, -1, '']);
  });

  it('is refused what its revision does not have any more', async () => {
    const removed = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe'];
    for (const method of removed) {
      const params = { level: 'info', uri: 'test://text', protocolVersion: revision };
      const error = await errorOf(method, params);
      if (modern) expect(error?.code).toBe(-32601);
      else expect(error?.code).not.toBe(-32601);
    }
    if (!modern) expect((await errorOf('server/discover'))?.code).toBe(-32601);
  });
});

describe.each(LEGACY)('a session of %s', (revision) => {
  beforeEach(() => open(client, revision));

  it('gets an empty answer to ping', async () => {
    expect(await client.result('ping')).toEqual({});
  });

  it('refuses a level that does not exist', async () => {
    expect(await client.errorCode('logging/setLevel', { level: 'loud' })).toBe(-32602);
  });

  it('serves modern requests side by side', async () => {
    const modern = await client.result('tools/list', paramsFor(NEWEST));
    expect(modern).toMatchObject({ resultType: 'complete' });
    expect(await client.result('tools/list')).not.toHaveProperty('resultType');
  });
});

describe('the handshake', () => {
  it.each(['1900-01-01', NEWEST, '2099-01-01', 'banana'])(
    'answers %s with the newest legacy revision',
    async (asked) => {
      expect(await client.initialize(asked)).toMatchObject({ protocolVersion: NEWEST_LEGACY });
    },
  );

  it('may be done again, and then holds what was agreed last', async () => {
    await client.initialize(NEWEST_LEGACY);
    await client.initialize(OLDEST);
    const { tools } = await client.result('tools/list');
    expect((tools as object[])[0]).not.toHaveProperty('title');
  });

  it('is not needed to be served as the oldest revision', async () => {
    const { tools } = await client.result('tools/list');
    expect((tools as object[])[0]).toEqual({
      name: 'echo',
      description: 'Says it back',
      inputSchema: expect.anything() as unknown,
    });
  });

  it('is not taken away by server/discover', async () => {
    await client.result('server/discover', paramsFor(NEWEST));
    expect(await client.initialize(OLDEST)).toMatchObject({ protocolVersion: OLDEST });
  });
});

describe('a server that offers nothing but tools', () => {
  it('has no methods of what it does not offer', async () => {
    const { createServer } = await import('../../src/index.js');
    const bare = createServer({ name: 'bare', version: '1' });
    bare.tool({ name: 'one' }, () => '1');
    const other = new StdioClient(bare.core);
    await other.initialize(NEWEST_LEGACY);
    for (const method of ['prompts/get', 'resources/read', 'completion/complete']) {
      expect(await other.errorCode(method)).toBe(-32601);
      expect(await other.errorCode(method, paramsFor(NEWEST))).toBe(-32601);
    }
    // Many a client of the legacy era asks for every list, whatever was declared.
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      expect(Object.values(await other.result(method))).toEqual([[]]);
      expect(await other.errorCode(method, paramsFor(NEWEST))).toBe(-32601);
    }
    await other.end();
  });
});
