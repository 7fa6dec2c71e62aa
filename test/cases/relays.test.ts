import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { gateway, scripted, toolsPage } from '../support/gateway.js';
import { sampleServer } from '../support/server.js';
import { createHttpServer } from '../../src/transport/http/server.js';
import { HttpClient } from '../support/http-client.js';
import { ALL_REVISIONS, isModern } from '../support/peers.js';
import { StdioClient } from '../support/stdio-client.js';
import '../support/strict.js';

describe('progress', () => {
  const step = (progress: number) => ({
    method: 'notifications/progress',
    params: { progressToken: '$token', progress, message: `step ${progress}` },
  });
  const slow = {
    $before: [step(1), step(2), step(2), step(1), step(3)],
    $after: [step(4)],
    content: [{ type: 'text', text: '$params' }],
  };
  const opened = () =>
    gateway({
      up: scripted({ pages: toolsPage({ name: 'slow' }), results: { 'tools/call slow': slow } }),
    });

  it('B33: goes to whom it belongs, under the token and of the type that each has given', async () => {
    const { client, diagnostics } = await opened();
    const [a, b] = [await client('2025-11-25'), await client('2025-11-25')];
    const c = await client('2025-11-25');
    const call = (token: unknown) => ({ name: 'up_slow', _meta: { progressToken: token } });
    const [forA, forB] = await Promise.all([
      a.result<{ content: { text: string }[] }>('tools/call', call(1)),
      b.result<{ content: { text: string }[] }>('tools/call', call(1)),
      c.result('tools/call', call('1')),
    ]);
    const tokens = [forA, forB].map(
      ({ content }) =>
        (JSON.parse(content[0]?.text ?? '') as { _meta: { progressToken: number } })._meta
          .progressToken,
    );
    expect(new Set(tokens).size).toBe(2);
    for (const [one, token] of [
      [a, 1],
      [b, 1],
      [c, '1'],
    ] as const) {
      const heard = one.raw.received.filter(({ method }) => method === 'notifications/progress');
      expect(heard.map(({ params }) => params)).toEqual(
        [1, 2, 3].map((progress) => ({
          progressToken: token,
          progress,
          message: `step ${progress}`,
        })),
      );
      // Nothing comes behind the answer: the next one has been behind what the upstream sent late.
      await one.result('tools/call', { name: 'up_slow' });
      expect(one.raw.received.at(-2)).toHaveProperty('result');
    }
    expect(diagnostics.count('upstream-progress-unawaited')).toBeGreaterThanOrEqual(3);
  });

  it.each(ALL_REVISIONS)(
    'B33: comes to a client of %s on the stream of its call alone',
    async (rev) => {
      const { core } = await opened();
      const server = createHttpServer(core, { port: 0 });
      const { url } = await server.listen();
      const clients = [new HttpClient(url), new HttpClient(url)];
      onTestFinished(async () => {
        await Promise.all(clients.map((client) => client.close()));
        await server.close(0);
      });
      const params = { name: 'up_slow', _meta: { progressToken: 1 } };
      const heard = await Promise.all(
        clients.map(async (client) => {
          const session = isModern(rev) ? {} : await client.session(rev);
          const sent = isModern(rev)
            ? client.modern('tools/call', params)
            : client.post(client.request('tools/call', params), session);
          const stream = (await sent).events();
          await stream.ended;
          return stream.messages;
        }),
      );
      for (const messages of heard) {
        expect(messages.map(({ params }) => params?.['progress'])).toEqual([1, 2, 3, undefined]);
        expect(messages[0]?.params?.['progressToken']).toBe(1);
        expect(messages.at(-1)).toHaveProperty('result');
      }
    },
  );

  it('B33: is not asked for where the client has not asked, and none is sent', async () => {
    const { client } = await opened();
    const one = await client('2025-11-25');
    expect(await one.text('up_slow')).not.toContain('progressToken');
    expect(one.raw.received.some(({ method }) => method === 'notifications/progress')).toBe(false);
  });

  it('B33: has no message for a client of 2024-11-05', async () => {
    const { client } = await opened();
    const one = await client('2024-11-05');
    await one.result('tools/call', { name: 'up_slow', _meta: { progressToken: 'p' } });
    const heard = one.raw.received.find(({ method }) => method === 'notifications/progress');
    expect(heard?.params).toEqual({ progressToken: 'p', progress: 1 });
  });
});

describe('what is too large', () => {
  it('B44: is refused with the limit, line by line, and the connection goes on', async () => {
    const server = sampleServer();
    await server.core.start();
    const client = new StdioClient(server.core, { maxLine: 1024 * 1024 });
    onTestFinished(async () => {
      await client.end();
      await server.close(0);
    });
    await client.initialize('2025-11-25');
    client.raw('x'.repeat(12_000_000));
    client.raw('\n');
    const refused = await client.frame(({ error }) => error !== undefined);
    expect(refused.error?.message).toMatch(/1048576/);
    expect(await client.result('ping')).toEqual({});
  });

  it('B44: from an upstream fails its call while it is read, and nothing else', async () => {
    let sent = 0;
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as {
          id: number;
          method: string;
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        if (method !== 'tools/call') {
          const result = {
            ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
            ...{ supportedVersions: [NEWEST], capabilities: { tools: {} } },
            tools: [{ name: 'huge', inputSchema: { type: 'object' } }],
          };
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
          return;
        }
        const more = (): void => {
          while (sent < 200 && !response.destroyed) {
            sent++;
            if (!response.write(megabyte)) return;
          }
          response.end();
        };
        response.on('drain', more);
        more();
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const { port } = http.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const { client } = await gateway({ up: { kind: 'http', url, headers: {} } });
    const one = await client('2025-11-25');
    const { error } = await one.request('tools/call', { name: 'up_huge' });
    expect(error?.message).toContain('more than 67108864 bytes');
    expect(sent).toBeLessThan(150);
    expect(await one.names()).toEqual(['up_huge']);
  });
});

describe('a command on Windows', () => {
  it('B48: is found by its extension, and run in a way that keeps its arguments as they are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpx-windows-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'npx.CMD'), '', { mode: 0o755 });
    const library = createRequire(import.meta.url).resolve('cross-spawn');
    // The library asks for the platform when it is loaded.
    const script = `
      Object.defineProperty(process, 'platform', { value: 'win32' });
      const parse = require(${JSON.stringify(library)})._parse;
      const env = { PATH: ${JSON.stringify(folder)}, PATHEXT: '.EXE;.CMD' };
      const args = ['-y', 'some-server', 'C:\\\\Program Files\\\\x & y'];
      const { command, args: parsed, options } = parse('npx', args, { env });
      process.stdout.write(JSON.stringify([command, ...parsed, options.windowsVerbatimArguments]));
    `;
    const printed = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    const [command, ...args] = JSON.parse(printed) as unknown[];
    expect(command).toMatch(/cmd\.exe$/);
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    expect(args[3]).toContain('^"C:\\Program^ Files\\x^ ^&^ y^"');
    expect(args[4]).toBe(true);
  });
});

describe('an error number that has no meaning', () => {
  it('B06: goes on to a legacy client as it came, and to a modern one as a failure', async () => {
    const failing = { $error: { code: -32004, message: 'Unsupported protocol version' } };
    const pages = toolsPage({ name: 't' });
    const up = scripted({ pages, results: { 'tools/call t': failing } });
    const { client } = await gateway({ up });
    for (const [revision, code] of [
      ['2025-11-25', -32004],
      [NEWEST, -32603],
    ] as const) {
      const { error } = await (await client(revision)).request('tools/call', { name: 'up_t' });
      expect(error).toMatchObject({ code, message: 'Unsupported protocol version' });
    }
  });
});
