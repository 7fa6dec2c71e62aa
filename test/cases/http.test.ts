import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { createServer } from '../../src/index.js';
import { serveHttp } from '../support/http-server.js';
import { gateway, scripted, toolsPage } from '../support/gateway.js';
import { ALL_REVISIONS, LEGACY, modernMeta, open, paramsFor } from '../support/peers.js';
import { sampleServer } from '../support/server.js';
import { StdioClient } from '../support/stdio-client.js';
import '../support/strict.js';

describe('headers that mirror the body', () => {
  const call = { name: 'echo', arguments: { text: 'x' } };

  it.each([
    ['Mcp-Name names another tool', { 'mcp-name': 'read_only_lookup' }],
    ['Mcp-Name is written in capitals', { 'mcp-name': 'ECHO' }],
    ['Mcp-Name is missing', { 'mcp-name': undefined }],
    ['Mcp-Method is missing', { 'mcp-method': undefined }],
    ['Mcp-Method names another method', { 'mcp-method': 'tools/list' }],
    ['MCP-Protocol-Version is missing', { 'mcp-protocol-version': undefined }],
    ['MCP-Protocol-Version is not that of the body', { 'mcp-protocol-version': '2025-11-25' }],
  ])('B12: refuse the request where %s', async (_how, change) => {
    const { client } = await serveHttp();
    const answer = await client.modern('tools/call', call, change);
    expect(answer.status).toBe(400);
    expect((await answer.message()).error?.code).toBe(-32020);
  });

  it.each([
    ['resources/read', { uri: 'test://text' }],
    ['prompts/get', { name: 'greet', arguments: { who: 'Ann' } }],
  ])('B12: name what %s is about, and have to', async (method, params) => {
    const { client } = await serveHttp();
    expect((await client.modern(method, params)).status).toBe(200);
    for (const name of [undefined, 'other', 'GREET', 'TEST://TEXT']) {
      const answer = await client.modern(method, params, { 'mcp-name': name });
      expect(answer.status).toBe(400);
      expect((await answer.message()).error?.code).toBe(-32020);
    }
  });

  it('B12: that contradict the body run neither of the two tools', async () => {
    const { client, server } = await serveHttp();
    const ran: string[] = [];
    for (const name of ['look_up', 'drop']) server.tool({ name }, () => String(ran.push(name)));
    const answer = await client.modern('tools/call', { name: 'drop' }, { 'mcp-name': 'look_up' });
    expect(answer.status).toBe(400);
    expect(ran).toEqual([]);
    expect((await client.modern('tools/call', { name: 'drop' })).status).toBe(200);
    expect(ran).toEqual(['drop']);
  });

  it('B12: are compared without regard to how their names are written', async () => {
    const { client } = await serveHttp();
    const change = { 'mcp-method': undefined, 'MCP-METHOD': 'tools/call' };
    expect((await client.modern('tools/call', call, change)).status).toBe(200);
  });

  it.each(LEGACY)('B12: do not matter to a request of %s', async (revision) => {
    const { client } = await serveHttp();
    const mirrors = { 'mcp-name': 'other', 'mcp-method': 'other' };
    const headers = { ...(await client.session(revision)), ...mirrors };
    expect((await client.post(client.request('tools/call', call), headers)).status).toBe(200);
  });

  it('B12: do not matter where the method is unknown: that is 404', async () => {
    const { client } = await serveHttp();
    const answer = await client.modern('tools/nothing');
    expect(answer.status).toBe(404);
    expect((await answer.message()).error?.code).toBe(-32601);
  });
});

describe('GET and DELETE on the endpoint', () => {
  const STREAM = { accept: 'text/event-stream' };

  it('B26: without a session are refused with what is allowed', async () => {
    const { client } = await serveHttp();
    const answer = await client.send('GET', STREAM);
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toContain('POST');
  });

  it.each(LEGACY)('B26: give a session of %s its stream as soon as it has begun', async (rev) => {
    const { client } = await serveHttp();
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: rev, capabilities: {}, clientInfo };
    const begun = await client.post(client.request('initialize', params));
    await begun.text();
    const session = { 'mcp-session-id': begun.headers['mcp-session-id'] as string };
    const stream = await client.send('GET', { ...session, ...STREAM });
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toContain('text/event-stream');
    stream.events().drop();
  });

  it('B26: of a session that there is not are answered with 404', async () => {
    const { client } = await serveHttp();
    for (const method of ['GET', 'DELETE'] as const) {
      const unknown = { ...STREAM, 'mcp-session-id': 'nobody' };
      expect((await client.send(method, unknown)).status).toBe(404);
    }
  });

  it('B26: give a session its stream, and its end', async () => {
    const { client } = await serveHttp();
    const session = await client.session('2025-11-25');
    const stream = await client.send('GET', { ...session, ...STREAM });
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toContain('text/event-stream');
    expect((await client.send('DELETE', session)).status).toBeLessThan(300);
    await stream.events().ended;
    expect((await client.send('DELETE', session)).status).toBe(404);
    expect((await client.send('GET', { ...session, ...STREAM })).status).toBe(404);
  });

  it.each(['GET', 'DELETE'] as const)('B26: of the modern era: %s is refused', async (method) => {
    const { client } = await serveHttp();
    const answer = await client.send(method, { ...STREAM, 'mcp-protocol-version': NEWEST });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('POST');
  });

  it('B26: are all there is beside POST: OPTIONS is 405 with what is allowed', async () => {
    const { client } = await serveHttp();
    const answer = await client.send('OPTIONS');
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET, POST, DELETE');
  });
});

describe('Host and Origin', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('B28: of a page that has been rebound to loopback are refused', async () => {
    const { client, server } = await serveHttp();
    let ran = 0;
    server.tool({ name: 'count' }, () => String(++ran));
    const call = client.request('tools/call', { name: 'count' });
    const host = 'rebind.attacker.test';
    for (const headers of [{ host, origin: `http://${host}` }, { origin: `http://${host}` }]) {
      expect((await client.post(list, headers)).status).toBe(403);
      expect((await client.post(call, headers)).status).toBe(403);
      expect((await client.modern('tools/call', { name: 'count' }, headers)).status).toBe(403);
    }
    expect(ran).toBe(0);
  });

  it('B28: of a proxy are refused with the name of the setting, and accepted once it is set', async () => {
    const closed = await serveHttp();
    const host = 'mcp.example.test';
    const refused = await closed.client.post(list, { host });
    expect(refused.status).toBe(403);
    expect((await refused.message()).error?.message).toContain('allowedOrigins');
    const open = await serveHttp({ allowedOrigins: ['https://mcp.example.test'] });
    const headers = { host, origin: 'https://mcp.example.test' };
    expect((await open.client.post(list, headers)).status).toBe(200);
    expect((await open.client.post(list, { host })).status).toBe(200);
  });

  it('B28: are not taken from what a proxy says of them', async () => {
    const { client } = await serveHttp({ allowedOrigins: ['https://mcp.example.test'] });
    const headers = { host: 'rebind.attacker.test', 'x-forwarded-host': 'mcp.example.test' };
    expect((await client.post(list, headers)).status).toBe(403);
  });

  it('B28: may be without an Origin', async () => {
    const { client } = await serveHttp();
    expect((await client.post(list)).status).toBe(200);
  });
});

describe('a batch', () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'sum' } },
  ];

  it('B31: of 2025-03-26 is answered element by element', async () => {
    const { client } = await serveHttp();
    const session = await client.session('2025-03-26');
    const answer = await client.post([...batch, { jsonrpc: '2.0', id: 7, method: 7 }], session);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('"id":1');
    expect(text).toContain('"id":2');
    expect(text).toMatch(/"id":7,"error":\{"code":-32600/);
  });

  it('B31: may hold no handshake, and is 202 where it holds notifications only', async () => {
    const { client } = await serveHttp();
    const session = await client.session('2025-03-26');
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {} };
    const handshake = { jsonrpc: '2.0', id: 3, method: 'initialize', params };
    const answer = await (await client.post([handshake], session)).text();
    expect(answer).toContain('-32600');
    expect((await client.post([batch[1]], session)).status).toBe(202);
  });

  it('B31: that is empty is no message', async () => {
    const { client } = await serveHttp();
    const session = await client.session('2025-03-26');
    const answer = await client.post([], session);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('-32600');
  });

  it.each(LEGACY.filter((revision) => revision !== '2025-03-26'))(
    'B31: is refused to a client of %s',
    async (revision) => {
      const { client } = await serveHttp();
      const session = await client.session(revision);
      const headers = { ...session, 'mcp-protocol-version': revision };
      const answer = await client.post(batch, headers);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('-32600');
    },
  );

  it('B31: is refused to a modern client, whatever is in it', async () => {
    const { client } = await serveHttp();
    const params = { name: 'sum', ...modernMeta() };
    const element = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call' };
    expect((await client.post([element], headers)).status).toBe(400);
  });
});

describe('a batch on stdio', () => {
  const ping = { jsonrpc: '2.0', id: 'b', method: 'tools/list' };

  async function opened(revision: Revision): Promise<StdioClient> {
    const server = sampleServer();
    await server.core.start();
    const client = new StdioClient(server.core);
    onTestFinished(async () => {
      await client.end();
      await server.close(0);
    });
    await open(client, revision);
    return client;
  }

  it.each(ALL_REVISIONS)('B31: is answered in %s as the revision has it', async (revision) => {
    const client = await opened(revision);
    const before = client.received.length;
    const element = { ...ping, params: paramsFor(revision) };
    client.raw(`${JSON.stringify([element, { ...element, id: 'c' }])}\n`);
    const { error, result } = await client.frame(() => true, before);
    if (revision === '2025-03-26') {
      expect(result).toHaveProperty('tools');
      expect(client.batches[0]?.map(({ id }) => id)).toEqual(['b', 'c']);
    } else {
      expect(error?.code ?? client.received.at(-1)?.error?.code).toBe(-32600);
      expect(JSON.stringify(client.received.slice(before))).not.toContain('"tools":');
    }
    client.raw('[]\n');
    const none = await client.frame(({ error, id }) => error !== undefined && id === undefined);
    expect(none.error?.code).toBe(-32600);
  });

  it('B31: goes to an upstream as the messages it is made of', async () => {
    const pages = toolsPage({ name: 'one' }, { name: 'received' });
    const content = [{ type: 'text', text: 'ok' }];
    const up = scripted({
      revision: '2025-03-26',
      pages,
      results: { 'tools/call one': { content } },
    });
    const { client } = await gateway({ up });
    const { raw } = await client('2025-03-26');
    const call = (id: string, name: string) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name, arguments: {} },
    });
    raw.raw(`${JSON.stringify([call('x', 'up_one'), call('y', 'gone'), call('z', 'up_one')])}\n`);
    await raw.frame(({ id }) => id === 'z');
    const replies = new Map(raw.batches[0]?.map((frame) => [frame.id, frame]));
    // Each element is judged by itself.
    expect(replies.get('y')?.error?.code).toBe(-32602);
    expect(replies.get('x')?.result).toMatchObject({ content });
    const { result } = await raw.request('tools/call', { name: 'up_received' });
    const [block] = result?.['content'] as [{ text: string }];
    const frames = JSON.parse(block.text) as { params?: { name?: string } }[];
    expect(frames.some((frame) => Array.isArray(frame))).toBe(false);
    expect(frames.filter(({ params }) => params?.name === 'one')).toHaveLength(2);
  });
});

describe('a body', () => {
  const echo = (length: number) => ({
    name: 'echo',
    arguments: { text: 'x'.repeat(length) },
  });

  it('B44: of 105162 bytes is nothing special', async () => {
    const { client } = await serveHttp();
    const frame = client.request('tools/call', echo(105_000));
    const answer = await client.post(frame);
    expect(answer.status).toBe(200);
    expect((await answer.message()).result).toHaveProperty('content.0.text');
  });

  it('B44: over the limit is refused in the words of JSON-RPC, and the session goes on', async () => {
    const { client } = await serveHttp({ maxBody: 64 * 1024 });
    const session = await client.session('2025-11-25');
    const refused = await client.post(client.request('tools/call', echo(100_000)), session);
    expect(refused.status).toBe(413);
    const { error, id } = await refused.message();
    expect(id ?? null).toBeNull();
    expect(error?.message).toMatch(/65536/);
    expect((await client.post(client.request('tools/list'), session)).status).toBe(200);
  });

  it('B44: of an answer may be an event of two million bytes', async () => {
    const server = createServer({ name: 'large', version: '1' });
    server.tool({ name: 'large' }, (_args, ctx) => {
      ctx.progress({ progress: 1 });
      return 'x'.repeat(2_000_000);
    });
    const listening = await server.http({ port: 0 });
    const { HttpClient } = await import('../support/http-client.js');
    const client = new HttpClient(listening.url);
    try {
      const _meta = { progressToken: 1 };
      const answer = await client.modern('tools/call', { name: 'large', _meta });
      expect(answer.headers['content-type']).toContain('text/event-stream');
      expect(JSON.stringify(await answer.message()).length).toBeGreaterThan(2_000_000);
    } finally {
      await client.close();
      await listening.close(0);
    }
  });
});
