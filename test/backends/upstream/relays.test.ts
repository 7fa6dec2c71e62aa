import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST, type Revision } from '../../../generated/revisions.js';
import { createHttpServer } from '../../../src/transport/http/server.js';
import { gateway, scripted, toolsPage } from '../../support/gateway.js';
import { HttpClient } from '../../support/http-client.js';
import { ALL_REVISIONS, isModern } from '../../support/peers.js';
import { overHttp, overStdio } from '../../support/upstream.js';
import '../../support/strict.js';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const LEVEL = 'io.modelcontextprotocol/logLevel';

const hops = ALL_REVISIONS.flatMap((client) =>
  ['2024-11-05', '2025-06-18', '2025-11-25', NEWEST].map((upstream) => [client, upstream] as const),
);

describe('a call between two revisions', () => {
  it.each(hops)('takes its log and its trace along: %s to %s', async (revision, of) => {
    const { client } = await gateway({ up: overStdio(of) });
    const one = await client(revision);
    if (!isModern(revision)) await one.result('logging/setLevel', { level: 'warning' });
    const _meta = { traceparent: TRACE, ...(isModern(revision) && { [LEVEL]: 'warning' }) };
    const result = await one.result<{ content: { text: string }[] }>('tools/call', {
      name: 'up_talk',
      _meta,
    });
    const { meta } = JSON.parse(result.content[0]?.text ?? '') as { meta: object };
    expect(meta).toMatchObject({ traceparent: TRACE });
    const logged = one.raw.received.filter(({ method }) => method === 'notifications/message');
    expect(logged.map(({ params }) => [params?.['level'], params?.['data']])).toEqual([
      ['error', { careful: true }],
    ]);
  });

  it.each(hops)('is cancelled at its far end, and not answered: %s to %s', async (revision, of) => {
    const { client } = await gateway({ up: overStdio(of) });
    const one = await client(revision);
    one.raw.send({
      ...{ jsonrpc: '2.0', id: 'slow', method: 'tools/call' },
      params: one.params({ name: 'up_slow' }),
    });
    // What is asked behind it on the same connection says that it is there.
    await one.text('up_cancelled');
    one.raw.notify('notifications/cancelled', { requestId: 'slow' });
    await expect.poll(async () => JSON.parse(await one.text('up_cancelled')) as []).toHaveLength(1);
    expect(one.raw.received.filter(({ id }) => id === 'slow')).toEqual([]);
  });

  it.each(hops)('keeps what nobody else understands: %s to %s', async (revision, of) => {
    const own = { 'example.test/key': { nested: ['value', 1, null] } };
    const blob = Buffer.from([0, 255, 10, 13, 128]).toString('base64');
    const content = [
      { type: 'text', text: 'one', 'x-own': 1, _meta: own },
      { type: 'resource', resource: { uri: 'x:1', blob, 'x-own': [2] } },
    ];
    const result = { content, 'x-own': { deep: {} }, _meta: own };
    const pages = toolsPage({ name: 't', 'x-own': 3 });
    const results = { 'tools/call t': result };
    const { client } = await gateway({
      up: scripted({ revision: of as Revision, pages, results }),
    });
    const one = await client(revision);
    expect((await one.tools())[0]).toMatchObject({ name: 'up_t', 'x-own': 3 });
    const called = await one.call('up_t');
    expect(called).toMatchObject({ 'x-own': { deep: {} }, _meta: own });
    expect(called.content[0]).toMatchObject({ text: 'one', 'x-own': 1 });
    expect(called.content[1]).toMatchObject({ resource: { blob, 'x-own': [2] } });
  });
});

describe('an upstream over HTTP', () => {
  it.each(['2025-11-25', NEWEST])('of %s never sees credentials of a client', async (revision) => {
    const target = await overHttp(revision);
    const { core } = await gateway({ up: target });
    const server = createHttpServer(core, { port: 0 });
    const client = new HttpClient((await server.listen()).url);
    onTestFinished(async () => {
      await client.close();
      await server.close(0);
    });
    const secrets = {
      authorization: 'Bearer of-the-client',
      cookie: 'session=of-the-client',
      'x-api-key': 'of-the-client',
    };
    const name = 'up_where';
    const args = { region: 'eu', level: 1 };
    const mirrors = { 'mcp-param-region': 'eu', 'mcp-param-level': '1' };
    for (const answer of [
      await client.modern('tools/call', { name, arguments: args }, { ...secrets, ...mirrors }),
      await client.post(client.request('tools/call', { name, arguments: args }), secrets),
    ]) {
      const { result } = await answer.message();
      const [block] = result?.['content'] as [{ text: string }];
      const { headers } = JSON.parse(block.text) as { headers: Record<string, string> };
      // Its own, from the configuration, are there.
      expect(headers['x-test']).toBe('yes');
      expect(block.text).not.toContain('of-the-client');
    }
  });

  it('is called over connections that stay open', async () => {
    let connections = 0;
    const http = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += String(chunk)));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        const envelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        const result = {
          'server/discover': { supportedVersions: [NEWEST], capabilities: { tools: {} } },
          'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
          'tools/call': { content: [] },
        }[method];
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { ...envelope, ...result } }));
      });
    });
    http.on('connection', () => connections++);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const { client } = await gateway({ up: { kind: 'http', url, headers: {} } });
    const one = await client(NEWEST);
    for (let calls = 0; calls < 20; calls++) expect(await one.call('up_t')).toBeDefined();
    expect(connections).toBeLessThanOrEqual(2);
  });
});
