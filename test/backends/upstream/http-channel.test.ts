import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Channel } from '../../../src/backends/upstream/channel.js';
import { HttpChannel } from '../../../src/backends/upstream/http-channel.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';

const LIMIT = 1000;
const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const ANSWER = { jsonrpc: '2.0', id: 1, result: {} };
const EVENT = `id: 9\ndata: ${JSON.stringify(ANSWER)}\n\n`;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A channel to a server, in an agreed session of 2025-11-25. */
async function channelTo(handler: Handler) {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const target = { kind: 'http', url: `http://127.0.0.1:${port}/mcp?a=b`, headers: {} } as const;
  const messages: unknown[] = [];
  const listener = {
    message: (value: unknown, via?: number) => void messages.push([value, via]),
    unusable: (id: number, what: string) => void messages.push([id, what]),
    closed: (reason: Error) => void messages.push(reason),
  };
  const channel = new HttpChannel(target, 'up', listener, new Diagnostics(), LIMIT);
  onTestFinished(() => channel.close());
  channel.speaks('2025-11-25', true);
  return { channel, messages, server };
}

function ask(channel: Channel, id = 1): Promise<void> {
  return channel.send({ id, method: 'ping', text: '{}' });
}

describe('an answer over HTTP', () => {
  it('comes whole, however it is cut', async () => {
    const { channel, messages } = await channelTo((_request, response) => {
      response.writeHead(200, JSON_TYPE);
      const bytes = Buffer.from(JSON.stringify({ ...ANSWER, result: { text: 'Zürich' } }));
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    await ask(channel);
    expect(messages).toEqual([[{ ...ANSWER, result: { text: 'Zürich' } }, 1]]);
  });

  it('that breaks off is told of, and so is one that is no JSON', async () => {
    let times = 0;
    const { channel, messages } = await channelTo((_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '20' });
      if (times++ === 0) response.write('{"half', () => response.destroy());
      else response.end('this is not JSON at ');
    });
    await expect(ask(channel)).rejects.toThrow('other side closed');
    await expect(ask(channel, 2)).rejects.toThrow('HTTP 200 with text that is not JSON');
    expect(messages).toEqual([]);
  });

  it('with a long body that nobody wants ends its connection, and one with a short body does not', async () => {
    let length = 1_000;
    const { channel, server } = await channelTo((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/html' });
      response.end('x'.repeat(length));
    });
    const connections: Socket[] = [];
    server.on('connection', (connection) => connections.push(connection));
    const refused = 'HTTP 500 with text/html';
    await expect(ask(channel)).rejects.toThrow(refused);
    await expect(ask(channel)).rejects.toThrow(refused);
    expect(connections.filter(({ destroyed }) => destroyed)).toEqual([]);
    length = 50_000_000;
    await expect(ask(channel)).rejects.toThrow(refused);
    await expect.poll(() => connections.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  });
});

describe('a stream over HTTP', () => {
  it('that breaks is taken up where it was, as often as it breaks', async () => {
    const asked: (string | undefined)[] = [];
    const { channel, messages } = await channelTo(({ method, headers }, response) => {
      response.writeHead(200, STREAM_TYPE);
      if (method === 'POST') {
        response.end('id: 7\nretry: 1\ndata:\n\n');
        return;
      }
      asked.push(headers['last-event-id'] as string);
      if (asked.length === 1) response.end();
      else if (asked.length === 2) response.write(': there\n\n', () => response.destroy());
      else response.end(EVENT);
    });
    await ask(channel);
    expect(asked).toEqual(['7', '7', '7']);
    expect(messages).toEqual([[ANSWER, 1]]);
  });

  it('that ends without an answer and without an id is told of', async () => {
    const { channel } = await channelTo((_request, response) => {
      response.writeHead(200, STREAM_TYPE).end(': nothing\n\n');
    });
    await expect(ask(channel)).rejects.toThrow('the stream ended before the answer came');
  });

  it('that was taken up is closed when nobody waits for its request any more', async () => {
    let takenUp: (response: ServerResponse) => void;
    const resumed = new Promise<ServerResponse>((resolve) => (takenUp = resolve));
    const { channel, messages } = await channelTo(({ method }, response) => {
      response.writeHead(200, STREAM_TYPE).flushHeaders();
      if (method === 'POST') response.end('id: 7\nretry: 1\ndata:\n\n');
      else takenUp(response);
    });
    const sent = ask(channel);
    const open = await resumed;
    channel.abandon(1);
    await sent;
    if (!open.closed) await once(open, 'close');
    expect(messages).toEqual([]);
  });
});

describe('a request over HTTP that is given up', () => {
  it('ends at once, before there is a connection and after', async () => {
    const { channel, messages, server } = await channelTo((_request, response) => {
      response.writeHead(200, STREAM_TYPE).flushHeaders();
    });
    const early = ask(channel);
    channel.abandon(1);
    await early;
    const came = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const late = ask(channel, 2);
    const [, open] = await came;
    channel.abandon(2);
    await late;
    if (!open.closed) await once(open, 'close');
    expect(messages).toEqual([]);
  });

  it('ends with the channel, and nothing is sent any more', async () => {
    let requests = 0;
    const { channel } = await channelTo(({ method }, response) => {
      requests++;
      if (method === 'DELETE') response.end();
    });
    const waiting = ask(channel);
    await expect.poll(() => requests).toBe(1);
    await channel.close();
    await waiting;
    await ask(channel, 2);
    expect(requests).toBe(1);
  });
});
