import { describe, expect, it } from 'vitest';
import { NEWEST, NEWEST_LEGACY } from '../../../generated/revisions.js';
import { modernMeta } from '../../support/peers.js';
import { serveHttp } from '../../support/http-server.js';
import '../../support/strict.js';

const ECHO = { name: 'echo', arguments: { text: 'hi' } };
const PROGRESS = { _meta: { progressToken: 7 } };

describe('a modern request', () => {
  it('is answered in JSON with 200 and makes no session', async () => {
    const { client } = await serveHttp();
    const answer = await client.modern('tools/call', ECHO);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect((await answer.message()).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'hi' }],
    });
  });

  it('ignores a session it names, and an event it says it had last', async () => {
    const { client } = await serveHttp();
    const headers = { 'mcp-session-id': 'forged', 'last-event-id': '1-1' };
    const answer = await client.modern('server/discover', {}, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect((await answer.message()).result).toMatchObject({ supportedVersions: [NEWEST] });
  });

  it.each([
    ['no version header', { 'mcp-protocol-version': undefined }],
    ['a version header that contradicts the body', { 'mcp-protocol-version': NEWEST_LEGACY }],
    ['no Mcp-Method', { 'mcp-method': undefined }],
    ['Mcp-Method in another case', { 'mcp-method': 'TOOLS/CALL' }],
    ['no Mcp-Name', { 'mcp-name': undefined }],
    ['Mcp-Name of another tool', { 'mcp-name': 'fail' }],
    [
      'Mcp-Name with bytes that are no ASCII',
      { 'mcp-name': Buffer.from('échó').toString('latin1') },
    ],
    ['Mcp-Name that is not Base64 where it says so', { 'mcp-name': '=?base64?ZWNobw?=' }],
  ])('is refused with 400, -32020 and its id for %s', async (_what, change) => {
    const { client } = await serveHttp();
    const answer = await client.modern('tools/call', ECHO, change);
    expect(answer.status).toBe(400);
    expect(await answer.message()).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  it('may encode Mcp-Name, pad it, and write header names in any case', async () => {
    const { client } = await serveHttp();
    const encoded = { 'mcp-name': '=?base64?ZWNobw==?=' };
    expect((await client.modern('tools/call', ECHO, encoded)).status).toBe(200);
    const shouted = { 'mcp-name': undefined, 'MCP-NAME': '  echo ' };
    expect((await client.modern('tools/call', ECHO, shouted)).status).toBe(200);
  });

  it('has its annotated arguments compared with their headers', async () => {
    const { client, server } = await serveHttp();
    server.tool(
      {
        name: 'place',
        inputSchema: {
          type: 'object',
          properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        },
      },
      ({ region }) => String(region),
    );
    const call = (region: string, headers: object) =>
      client.modern('tools/call', { name: 'place', arguments: { region } }, { ...headers });
    expect((await call('eu', { 'Mcp-Param-Region': 'eu' })).status).toBe(200);
    for (const headers of [{}, { 'Mcp-Param-Region': 'us' }]) {
      const refused = await call('eu', headers);
      expect(refused.status).toBe(400);
      expect((await refused.message()).error?.code).toBe(-32020);
    }
  });

  it.each([
    [400, -32602, 'tools/call', { name: 'nobody' }],
    [400, -32602, 'resources/read', { uri: 'test://nowhere' }],
    [404, -32601, 'initialize', {}],
    [404, -32601, 'ping', {}],
    [404, -32601, 'no/such', {}],
    [400, -32021, 'subscriptions/listen', { notifications: { taskIds: ['t'] } }],
  ])('gets status %i with error %i: %s', async (status, code, method, params) => {
    const { client } = await serveHttp();
    const answer = await client.modern(method, params);
    expect(await answer.message()).toMatchObject({ id: 1, error: { code } });
    expect(answer.status).toBe(status);
  });

  it('gets 400 for a version that is not served, and the list', async () => {
    const { client } = await serveHttp();
    const version = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' };
    const change = { 'mcp-protocol-version': '1900-01-01' };
    const answer = await client.modern('tools/list', { _meta: version }, change);
    expect(answer.status).toBe(400);
    expect((await answer.message()).error).toMatchObject({
      code: -32022,
      data: { supported: [NEWEST], requested: '1900-01-01' },
    });
  });

  it('is malformed, and not a legacy one, if only its header is modern', async () => {
    const { client } = await serveHttp();
    const headers = { 'mcp-protocol-version': NEWEST };
    const answer = await client.post(client.request('tools/list'), headers);
    expect(answer.status).toBe(400);
    expect((await answer.message()).error?.code).toBe(-32602);
  });

  it('has no batches', async () => {
    const { client } = await serveHttp();
    const headers = { 'mcp-protocol-version': NEWEST };
    const batch = [client.request('tools/list', modernMeta())];
    const answer = await client.post(batch, headers);
    expect(answer.status).toBe(400);
    expect((await answer.message()).error?.code).toBe(-32600);
  });

  it('may have the id of another one in flight: they are told apart', async () => {
    const { client, gate, another } = await serveHttp();
    const entered = gate.entered;
    const first = client.modern('tools/call', { name: 'gate' });
    await entered;
    const second = await another().modern('tools/call', ECHO);
    expect((await second.message()).id).toBe(1);
    gate.release('through');
    expect(await (await first).message()).toMatchObject({
      id: 1,
      result: { content: [{ text: 'through' }] },
    });
  });
});

describe('a modern POST that is no request', () => {
  it('is taken with 202 and no body if it is a notification, also an unknown one', async () => {
    const { client } = await serveHttp();
    for (const method of ['notifications/cancelled', 'notifications/nonsense']) {
      const body = { jsonrpc: '2.0', method, params: { requestId: 1 } };
      const answer = await client.post(body, { 'mcp-protocol-version': NEWEST });
      expect(answer.status).toBe(202);
      expect(await answer.text()).toBe('');
    }
  });

  it('cancels nothing by notification: the id could be anybody’s', async () => {
    const { client, gate, another } = await serveHttp();
    const entered = gate.entered;
    const call = client.modern('tools/call', { name: 'gate' });
    await entered;
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
    const headers = { 'mcp-protocol-version': NEWEST };
    await another().post({ jsonrpc: '2.0', ...cancelled }, headers);
    gate.release('unharmed');
    expect((await (await call).message()).result).toBeDefined();
  });

  it('is refused with 400 if it is a response', async () => {
    const { client, server } = await serveHttp();
    const body = { jsonrpc: '2.0', id: 1, result: {} };
    const answer = await client.post(body, { 'mcp-protocol-version': NEWEST });
    expect(answer.status).toBe(400);
    expect(server.core.diagnostics.count('response-unexpected')).toBe(1);
  });
});

it('GET and DELETE with a modern header get 405, and are told of POST', async () => {
  const { client } = await serveHttp();
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await client.send(method, { 'mcp-protocol-version': NEWEST });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('POST');
    expect((await answer.message()).error?.code).toBe(-32600);
  }
});

describe('the stream of a modern request', () => {
  it('opens if something has to go before the reply, and ends with the reply', async () => {
    const { client } = await serveHttp();
    const _meta = { progressToken: 7, 'io.modelcontextprotocol/logLevel': 'info' };
    const answer = await client.modern('tools/call', { name: 'busy', _meta });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    const events = answer.events();
    await events.ended;
    expect(events.messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'notifications/message',
      1,
    ]);
    expect(events.received.every(({ id }) => id === undefined)).toBe(true);
  });

  it('opens when the call was silent for long, and is kept alive by comments', async () => {
    const { client, gate } = await serveHttp({ sseKeepAlive: 10 });
    const events = (await client.modern('tools/call', { name: 'gate' })).events();
    await events.until(() => events.comments.length >= 3);
    gate.release('at last');
    await events.ended;
    expect(events.messages).toMatchObject([{ result: { content: [{ text: 'at last' }] } }]);
  });

  it('opens after one such silence, with a comment at once', async () => {
    const { client, gate, another } = await serveHttp({ sseKeepAlive: 500 });
    // Opened first, so that its second comment is due later than what is waited for.
    const clock = (await another().modern('subscriptions/listen', { notifications: {} })).events();
    await clock.first(1);
    const events = (await client.modern('tools/call', { name: 'gate' })).events();
    await events.until(() => events.comments.length === 1);
    expect(clock.comments).toHaveLength(1);
    clock.drop();
    gate.release('done');
    await events.ended;
  });

  it('never opens for a client that takes JSON only; what was to go before is counted', async () => {
    const { client, server, gate, another } = await serveHttp({ sseKeepAlive: 5 });
    const accept = { accept: 'application/json' };
    const busy = await client.modern('tools/call', { name: 'busy', ...PROGRESS }, accept);
    expect(busy.headers['content-type']).toMatch(/^application\/json/);
    expect((await busy.message()).result).toMatchObject({ content: [{ text: 'done' }] });
    expect(server.core.diagnostics.count('frame-undeliverable')).toBe(2);

    const entered = gate.entered;
    const silent = client.modern('tools/call', { name: 'gate' }, accept);
    await entered;
    // Another stream shows that the silence was long enough.
    const other = (await another().modern('subscriptions/listen', { notifications: {} })).events();
    await other.until(() => other.comments.length >= 3);
    other.drop();
    gate.release('whole');
    expect((await silent).headers['content-type']).toMatch(/^application\/json/);
  });

  it('is what a client gets that takes nothing else', async () => {
    const { client } = await serveHttp();
    const accept = { accept: 'text/event-stream' };
    const answer = await client.modern('tools/call', ECHO, accept);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect((await answer.message()).result).toMatchObject({ content: [{ text: 'hi' }] });
  });

  it('is independent of other streams: each client gets its own progress', async () => {
    const { client, another: other } = await serveHttp();
    const answers = await Promise.all(
      [client, other()].map((each, at) =>
        each.modern('tools/call', { name: 'busy', _meta: { progressToken: at } }),
      ),
    );
    for (const [at, answer] of answers.entries()) {
      const events = answer.events();
      await events.ended;
      const tokens = events.messages.flatMap(({ params }) => params?.['progressToken'] ?? []);
      expect(tokens).toEqual([at, at]);
    }
  });

  it('cancels the request when the client closes it', async () => {
    const { client, gate } = await serveHttp();
    const entered = gate.entered;
    const call = client.modern('tools/call', { name: 'gate', ...PROGRESS });
    (await entered).progress({ progress: 1 });
    (await call).events().drop();
    await gate.aborted;
  });

  it('cancels the request also where nothing was streamed yet', async () => {
    const { client, gate } = await serveHttp();
    const gone = new AbortController();
    const entered = gate.entered;
    const call = client.modern('tools/call', { name: 'gate' }, {}, gone.signal);
    await entered;
    gone.abort();
    await expect(call).rejects.toThrow();
    await gate.aborted;
  });
});

describe('subscriptions/listen', () => {
  const wish = { notifications: { toolsListChanged: true } };

  it('is acknowledged at once and told of changes, as often as it is opened', async () => {
    const { client, server } = await serveHttp();
    const streams = await Promise.all(
      [1, 2].map(async () => (await client.modern('subscriptions/listen', wish)).events()),
    );
    for (const stream of streams) {
      expect(await stream.first(1)).toMatchObject([
        { method: 'notifications/subscriptions/acknowledged', params: wish },
      ]);
    }
    server.tool({ name: 'new' }, () => 'new');
    for (const [at, stream] of streams.entries()) {
      const [, changed] = await stream.first(2);
      expect(changed).toMatchObject({
        method: 'notifications/tools/list_changed',
        params: { _meta: { 'io.modelcontextprotocol/subscriptionId': at + 1 } },
      });
      stream.drop();
    }
  });

  it('is kept alive by comments', async () => {
    const { client } = await serveHttp({ sseKeepAlive: 10 });
    const stream = (await client.modern('subscriptions/listen', wish)).events();
    await stream.until(() => stream.comments.length >= 2);
    stream.drop();
  });

  it('needs a client that takes a stream: 406', async () => {
    const { client } = await serveHttp();
    const accept = { accept: 'application/json' };
    for (const answer of [
      await client.modern('subscriptions/listen', wish, accept),
      await client.post(client.request('subscriptions/listen', wish), accept),
    ]) {
      expect(answer.status).toBe(406);
      const { id, error } = await answer.message();
      expect(id).toBeTypeOf('number');
      expect(error?.code).toBe(-32600);
    }
  });
});
