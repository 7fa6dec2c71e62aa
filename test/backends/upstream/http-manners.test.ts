/** What servers over HTTP do that nobody has told them to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import '../../support/strict.js';
import { call, upstream } from '../../support/upstream.js';

interface Asked {
  readonly method: string;
  readonly id?: number;
  readonly params?: { readonly arguments?: { readonly n?: number } };
}

interface Manners {
  /** A GET of a session that there is. */
  stream?(request: IncomingMessage, response: ServerResponse): void;
  /** A call in a session that there is. */
  call?(asked: Asked, response: ServerResponse): void;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

function answerTo({ id }: Asked, result: object = { content: [] }): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** A server of 2025-06-18 with sessions and one tool, up behind a backend. */
async function served(manners: Manners) {
  const sessions = new Set<string>();
  let minted = 0;
  const reply = (asked: Asked, response: ServerResponse): void => {
    if (asked.method === 'initialize') {
      const session = `session-${++minted}`;
      sessions.add(session);
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'served', version: '1' },
      };
      response.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': session });
      response.end(answerTo(asked, result));
    } else if (asked.id === undefined) response.writeHead(202).end();
    else if (asked.method === 'tools/list') {
      const tools = [{ name: 'tool', inputSchema: { type: 'object' } }];
      response.writeHead(200, JSON_TYPE).end(answerTo(asked, { tools }));
    } else manners.call?.(asked, response);
  };
  const server = createServer((request, response) => {
    const known = sessions.has(String(request.headers['mcp-session-id']));
    if (request.method !== 'POST') {
      if (known && request.method === 'GET' && manners.stream !== undefined)
        manners.stream(request, response);
      else response.writeHead(known ? 405 : 404).end();
      return;
    }
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const asked = JSON.parse(body) as Asked;
      if (asked.method === 'server/discover') {
        const error = { code: -32601, message: 'no such method' };
        response.writeHead(200, JSON_TYPE);
        response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
      } else if (asked.method !== 'initialize' && !known) response.writeHead(404).end();
      else reply(asked, response);
    });
  });
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { backend } = upstream({ kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} });
  await backend.start();
  return {
    backend,
    connections,
    forget: () => sessions.clear(),
    minted: () => minted,
    ask: (n: number) => backend.callTool('tool', { n }, call()),
  };
}

describe('a session over HTTP', () => {
  it('that has no stream of its own, and says so with 404, is kept', async () => {
    let refused = 0;
    const { ask, minted } = await served({
      stream: (_request, response) => {
        refused++;
        response.writeHead(404).end('Cannot GET /mcp');
      },
      call: (asked, response) => response.writeHead(200, JSON_TYPE).end(answerTo(asked)),
    });
    await expect.poll(() => refused).toBe(1);
    for (let n = 0; n < 5; n++) expect(await ask(n)).toEqual({ content: [] });
    expect(minted()).toBe(1);
  });

  it('that is forgotten during calls has none of them made twice, and all of them answered', async () => {
    const made: (number | undefined)[] = [];
    const held: (() => void)[] = [];
    const { ask, forget, minted } = await served({
      call: (asked, response) => {
        const n = asked.params?.arguments?.n;
        made.push(n);
        const content = [{ type: 'text', text: `done ${n}` }];
        const end = () => response.writeHead(200, JSON_TYPE).end(answerTo(asked, { content }));
        if (n === 1 || n === 2) held.push(end);
        else end();
      },
    });
    const long = [ask(1), ask(2)];
    await expect.poll(() => held.length).toBe(2);
    forget();
    const short = [ask(3), ask(4)];
    expect(await Promise.all(short)).toMatchObject([
      { content: [{ text: 'done 3' }] },
      { content: [{ text: 'done 4' }] },
    ]);
    for (const end of held) end();
    expect(await Promise.all(long)).toMatchObject([
      { content: [{ text: 'done 1' }] },
      { content: [{ text: 'done 2' }] },
    ]);
    expect(made.toSorted()).toEqual([1, 2, 3, 4]);
    expect(minted()).toBe(2);
  });

  it('that is forgotten goes with the backend, and so do the calls that it still had in hand', async () => {
    const made: (number | undefined)[] = [];
    const { ask, forget, backend, connections } = await served({
      call: (asked, response) => {
        const n = asked.params?.arguments?.n;
        made.push(n);
        if (n !== 1) response.writeHead(200, JSON_TYPE).end(answerTo(asked));
      },
    });
    const long = ask(1);
    await expect.poll(() => made).toEqual([1]);
    forget();
    await ask(2);
    await Promise.all([expect(long).rejects.toThrow('mcpx has closed it'), backend.close()]);
    await expect.poll(() => connections.size).toBe(0);
    expect(made).toEqual([1, 2]);
  });

  it('that is forgotten as soon as it has a stream is opened anew with pauses', async () => {
    let forget = (): void => undefined;
    const server = await served({
      stream: (_request, response) => {
        response.writeHead(200, STREAM_TYPE).end('retry: 100\n\n');
        // By then it has told what it has.
        setTimeout(() => forget(), 50);
      },
    });
    ({ forget } = server);
    const minted = (many: number) => expect.poll(server.minted, { timeout: 20_000 }).toBe(many);
    // The first of them after 100 ms each.
    await minted(12);
    const since = performance.now();
    await minted(13);
    expect(performance.now() - since).toBeGreaterThan(900);
  }, 30_000);

  it('that is forgotten again and again fails no call', async () => {
    const { ask, forget, minted } = await served({
      call: (asked, response) => response.writeHead(200, JSON_TYPE).end(answerTo(asked)),
    });
    for (let n = 0; n < 5; n++) {
      forget();
      expect(await ask(n)).toEqual({ content: [] });
    }
    expect(minted()).toBe(6);
  });
});

describe('a stream over HTTP', () => {
  it.each(['retry: 0', 'retry: 99999999999999'])(
    'that ends at once and says %s is not opened again without a pause',
    async (retry) => {
      let opened = 0;
      const { ask } = await served({
        stream: (_request, response) => {
          opened++;
          response.writeHead(200, STREAM_TYPE).end(`${retry}\n\n`);
        },
        call: (asked, response) => response.writeHead(200, JSON_TYPE).end(answerTo(asked)),
      });
      await expect.poll(() => opened).toBeGreaterThan(0);
      const since = performance.now();
      for (let n = 0; n < 200; n++) await ask(n);
      expect(opened).toBeLessThanOrEqual(2 + (performance.now() - since) / 100);
    },
  );

  it('that goes on though its answer has come is ended, and its connection with it', async () => {
    const { ask, connections } = await served({
      call: (asked, response) => {
        response.writeHead(200, STREAM_TYPE).write(`data: ${answerTo(asked)}\n\n`);
      },
    });
    const answers = Array.from({ length: 10 }, (_, n) => ask(n));
    expect(await Promise.all(answers)).toHaveLength(10);
    expect(connections.size).toBeGreaterThanOrEqual(10);
    await expect.poll(() => connections.size, { timeout: 25_000 }).toBeLessThan(5);
  }, 30_000);
});

describe('an answer over HTTP', () => {
  it('may have a byte order mark in front', async () => {
    const { ask } = await served({
      call: (asked, response) => response.writeHead(200, JSON_TYPE).end(`\uFEFF${answerTo(asked)}`),
    });
    expect(await ask(1)).toEqual({ content: [] });
  });

  it('that leads elsewhere fails the call with the address, and is not followed', async () => {
    const { ask } = await served({
      call: (_asked, response) => response.writeHead(307, { location: '/mcp/' }).end(),
    });
    await expect(ask(1)).rejects.toThrow(
      'Upstream "fixture" cannot be reached: HTTP 307 leads to /mcp/; mcpx goes nowhere but to the url',
    );
  });
});
