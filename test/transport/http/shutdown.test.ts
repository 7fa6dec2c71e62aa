import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NEWEST_LEGACY } from '../../../generated/revisions.js';
import { createServer } from '../../../src/index.js';
import { askClient } from '../../support/ask.js';
import { Gate } from '../../support/gate.js';
import { HttpClient } from '../../support/http-client.js';
import { serveHttp } from '../../support/http-server.js';
import '../../support/strict.js';

const LISTEN = { notifications: { toolsListChanged: true } };

describe('a server that closes', () => {
  it('ends listen streams in good order: cancelled first, then the result, then the end', async () => {
    const { client, server } = await serveHttp();
    const stream = (await client.modern('subscriptions/listen', LISTEN)).events();
    await stream.first(1);
    const closed = server.close();
    await stream.ended;
    expect(stream.messages.slice(1)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 1 } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
    await closed;
  });

  it('answers what is in flight, and refuses what is new with 503', async () => {
    const { client, server, gate, another } = await serveHttp();
    const entered = gate.entered;
    const running = client.modern('tools/call', { name: 'gate' });
    await entered;
    const late = another();
    const session = await late.session(NEWEST_LEGACY);
    const closed = server.close();
    for (const refused of [
      await late.modern('tools/list'),
      await late.post(late.request('tools/list')),
      await late.post([late.request('tools/list')]),
      await late.send('GET', session),
    ]) {
      expect(refused.status).toBe(503);
      expect(refused.headers['connection']).toBe('close');
      expect((await refused.message()).error?.code).toBe(-32603);
    }
    gate.release('finished');
    expect((await (await running).message()).result).toMatchObject({
      content: [{ text: 'finished' }],
    });
    await closed;
    await expect(client.modern('tools/list')).rejects.toThrow();
  });

  it('still takes the answers that calls in flight wait for', async () => {
    const { client, server, gate, another } = await serveHttp();
    const session = await client.session(NEWEST_LEGACY);
    const entered = gate.entered;
    const call = client.post(client.request('tools/call', { name: 'gate' }), session);
    const asked = askClient(await entered, 'ping');
    const events = (await call).events();
    const [question] = await events.first(1);
    const closed = server.close();
    const answer = { jsonrpc: '2.0', id: question?.id, result: {} };
    expect((await another().post(answer, session)).status).toBe(202);
    await asked;
    gate.release('asked');
    await events.ended;
    expect(events.messages[1]).toMatchObject({ result: {} });
    await closed;
  });

  it('cancels what takes longer than it is given, and says so', async () => {
    const { client, server, gate } = await serveHttp();
    const entered = gate.entered;
    const running = client.modern('tools/call', { name: 'gate' });
    await entered;
    const closed = server.close(20);
    await gate.aborted;
    const answer = await running;
    expect(answer.status).toBe(503);
    expect(await answer.message()).toMatchObject({ id: 1, error: { code: -32603 } });
    await closed;
  });

  it('ends the streams of sessions, and does not wait for clients that sent half a request', async () => {
    const { client, server, url } = await serveHttp();
    const session = await client.session(NEWEST_LEGACY);
    const stream = (await client.send('GET', session)).events();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n');
    socket.on('error', () => undefined);
    const cut = once(socket, 'close');
    await server.close();
    await stream.ended;
    await cut;
  });
});

it('one listener closes and leaves the others of the same server open', async () => {
  const server = createServer({ name: 'twice', version: '1' });
  const gate = new Gate(server);
  const [first, second] = [await server.http({ port: 0 }), await server.http({ port: 0 })];
  const client = new HttpClient(second.url);
  await first.close();
  const entered = gate.entered;
  const call = client.modern('tools/call', { name: 'gate' });
  await entered;
  gate.release('still here');
  expect((await call).status).toBe(200);
  await client.close();
  await server.close();
});
