import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NEWEST_LEGACY } from '../../../generated/revisions.js';
import { serveHttp } from '../../support/http-server.js';
import '../../support/strict.js';

function dial(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

describe('a client that is slow', () => {
  it.each([
    ['its headers', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'its body',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"json',
    ],
  ])('with %s is cut off with 408; others are served meanwhile', async (_what, begun) => {
    const { client, url } = await serveHttp({ requestTimeout: 200 });
    const socket = dial(url);
    socket.write(begun);
    const cut = readAll(socket);
    expect((await client.post(client.request('ping'))).status).toBe(200);
    expect(await cut).toMatch(/^(HTTP\/1.1 408 [^]*)?$/);
  });

  it('in reading a stream is cut off beyond the backlog, and its request cancelled', async () => {
    const { client, gate, server } = await serveHttp({ maxBacklog: 100_000 });
    const entered = gate.entered;
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    const answer = client.modern('tools/call', { name: 'gate', _meta });
    const ctx = await entered;
    ctx.log('info', 'begin');
    // Nobody reads the body of the answer.
    await answer;
    while (!ctx.signal.aborted) {
      ctx.log('info', 'x'.repeat(100_000));
      await new Promise(setImmediate);
    }
    expect(server.core.diagnostics.count('sse-reader-too-slow')).toBe(1);
  });

  it('that went away before its body was whole leaves nothing behind', async () => {
    const { client, url } = await serveHttp();
    const socket = dial(url);
    const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Content-Length: 99\r\n\r\n{"json`, () => socket.destroy());
    await once(socket, 'close');
    expect((await client.post(client.request('ping'))).status).toBe(200);
  });
});

it('headers beyond the limit get 431', async () => {
  const { client } = await serveHttp({ maxHeaders: 2048 });
  const headers = { 'mcp-name': 'x'.repeat(4000) };
  expect((await client.modern('tools/list', {}, headers)).status).toBe(431);
});

it('connections beyond the limit are closed', async () => {
  const { client, url, server } = await serveHttp({ maxConnections: 1 });
  const stream = (await client.modern('subscriptions/listen', { notifications: {} })).events();
  await stream.first(1);
  expect(await readAll(dial(url))).toBe('');
  expect(server.core.diagnostics.count('connection-dropped')).toBe(1);
  stream.drop();
});

describe('a request for which there is no room', () => {
  it('is refused with 503 and its id, and the next one is served', async () => {
    const { client, gate, another } = await serveHttp({}, { settings: { maxInFlight: 1 } });
    const entered = gate.entered;
    const running = client.modern('tools/call', { name: 'gate' });
    await entered;
    const other = another();
    for (const refused of [
      await other.modern('tools/list'),
      await other.post(other.request('tools/list')),
    ]) {
      expect(refused.status).toBe(503);
      const { id, error } = await refused.message();
      expect(id).toBeTypeOf('number');
      expect(error?.code).toBe(-32603);
    }
    gate.release('done');
    expect((await running).status).toBe(200);
    expect((await other.modern('tools/list')).status).toBe(200);
  });

  it('is refused with 503 if it would start a session too many, all being in use', async () => {
    const { client, server } = await serveHttp({ maxSessions: 1 });
    const session = await client.session(NEWEST_LEGACY);
    const stream = (await client.send('GET', session)).events();
    const refused = await client.post(client.request('initialize', handshake));
    expect(refused.status).toBe(503);
    expect((await refused.message()).error?.code).toBe(-32603);
    expect(server.core.diagnostics.count('too-many-sessions')).toBe(1);
    await client.send('DELETE', session);
    expect((await client.post(client.request('initialize', handshake))).status).toBe(200);
    stream.drop();
  });

  it('that starts a session too many ends the one that has been silent for longest', async () => {
    const { client } = await serveHttp({ maxSessions: 2 });
    const [first, second] = [
      await client.session(NEWEST_LEGACY),
      await client.session(NEWEST_LEGACY),
    ];
    const ping = async (session: Readonly<Record<string, string | undefined>>): Promise<number> =>
      (await client.post(client.request('ping'), session)).status;
    expect(await ping(first)).toBe(200);
    expect((await client.post(client.request('initialize', handshake))).status).toBe(200);
    expect(await ping(second)).toBe(404);
    expect(await ping(first)).toBe(200);
  });
});

const handshake = {
  protocolVersion: NEWEST_LEGACY,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
