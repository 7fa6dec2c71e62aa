import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { REVISIONS } from '../../generated/revisions.js';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';

const HELD = fileURLToPath(new URL('../fixtures/upstream/held.mjs', import.meta.url));

let config: Awaited<ReturnType<typeof configFile>>;

beforeAll(async () => {
  config = await configFile({
    mcpServers: {
      fix: fixtureServer('2025-11-25'),
      dead: { command: '/nowhere/at/all' },
    },
  });
});

afterAll(() => config.remove());

function mcpx(args: string[], env: NodeJS.ProcessEnv = {}): McpxProcess {
  const process = new McpxProcess(args, env);
  onTestFinished(async () => {
    await process.stop();
  });
  return process;
}

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const INITIALIZE = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

interface Reply {
  id: number;
  result: { tools: { name: string }[]; content: unknown };
}

const replies = ({ stdout }: McpxProcess): Reply[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Reply);

describe('mcpx serve on stdio', () => {
  it('ends in good order when nobody reads its output any more', async () => {
    const process = mcpx(['serve', '--config', config.path]);
    process.write(INITIALIZE);
    await process.printed(/"id":1/);
    process.child.stdout?.destroy();
    process.child.stdin?.on('error', () => undefined);
    for (let id = 2; id < 50; id++) process.write(request(id, 'tools/list', {}));
    expect(await process.ended).toEqual({ code: 0, signal: null });
    expect(process.stderr).toContain('stdout-failed');
  });

  it('B45: writes nothing but frames to stdout, and ends with its input', async () => {
    const process = mcpx(['serve', '--config', config.path]);
    process.write(INITIALIZE + request(2, 'tools/list', {}));
    await process.printed(/"id":2/);
    expect(await process.finish()).toEqual({ code: 0, signal: null });
    const names = replies(process)
      .find(({ id }) => id === 2)
      ?.result.tools.map(({ name }) => name);
    expect(names).toContain('fix_content');
    expect(process.stderr).toContain('fixture speaks 2025-11-25');
    expect(process.stderr).toContain('cannot start /nowhere/at/all');
  });

  it('offers an upstream under its own names where it is told to', async () => {
    const process = mcpx(['serve', '--config', config.path, '--passthrough', 'fix']);
    process.write(INITIALIZE + request(2, 'tools/call', { name: 'give_string', arguments: {} }));
    await process.printed(/"id":2/);
    expect(replies(process).at(-1)?.result.content).toEqual([{ type: 'text', text: '"text"' }]);
    await process.finish();
  });

  it('waits for calls after a first signal, and ends at once after a second', async () => {
    const process = mcpx(['serve', '--config', config.path]);
    process.write(INITIALIZE + request(2, 'tools/call', { name: 'fix_slow', arguments: {} }));
    await process.printed(/"id":1/);
    process.child.kill('SIGINT');
    await process.printed(/requests in flight may end/);
    process.child.kill('SIGINT');
    expect(await process.ended).toEqual({ code: 130, signal: null });
  });

  it('serves itself without a configuration', async () => {
    const process = mcpx(['serve', '--log-level', 'silent']);
    process.write(INITIALIZE + request(2, 'tools/list', {}));
    await process.printed(/"id":2/);
    expect(replies(process).at(-1)?.result.tools.length).toBeGreaterThan(0);
    await process.finish();
    expect(process.stderr).toBe('');
  });
});

describe('mcpx serve --http', () => {
  it('says where it listens, what it serves and how to connect, and ends on a signal', async () => {
    const process = mcpx(['serve', '--config', config.path, '--http', '127.0.0.1:0']);
    const url = await process.printed(/listens on (http:\/\/127\.0\.0\.1:\d+\/mcp)/);
    await process.printed(/"mcpServers"/);
    for (const { revision } of REVISIONS) expect(process.stdout).toContain(revision);
    expect(process.stdout).toContain(`"url": "${url}"`);
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: INITIALIZE,
    });
    expect(answer.headers.get('mcp-session-id')).toBeTruthy();
    await answer.text();
    process.child.kill('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
    expect(process.stderr).not.toContain('listening');
    const { hostname, port } = new URL(url);
    const refused = new Promise((resolve) => {
      connect(Number(port), hostname).once('error', resolve);
    });
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

it('mcpx serve --http says in a line that it cannot have the address', async () => {
  const { host, port, close } = await takenAddress();
  const process = mcpx(['serve', '--http', `${host}:${port}`, '--log-level', 'silent']);
  expect((await process.ended).code).toBe(1);
  expect(process.stdout).toBe('');
  expect(process.stderr).toMatch(
    /^mcpx: --http: cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\n$/,
  );
  await close();
});

it('mcpx serve --http starts no upstream where it cannot have the address', async () => {
  const { host, port, close } = await takenAddress();
  const process = mcpx(['serve', '--config', config.path, '--http', `${host}:${port}`]);
  expect((await process.ended).code).toBe(1);
  expect(process.stderr).toMatch(/cannot listen on .*EADDRINUSE/);
  expect(process.stderr).not.toContain('fixture speaks');
  expect(process.stderr).not.toContain('/nowhere/at/all');
  await close();
});

describe('mcpx serve --http while its upstreams start', () => {
  async function starting() {
    const folder = await mkdtemp(join(tmpdir(), 'mcpx-held-'));
    const slow = { command: process.execPath, args: [HELD, 'held', folder, 'start'] };
    const file = await configFile({ mcpServers: { slow } });
    const child = mcpx(['serve', '--config', file.path, '--http', '127.0.0.1:0']);
    const url = await child.printed(/"url":"(http:[^"]+)","msg":"requests wait/);
    const client = new HttpClient(url);
    onTestFinished(async () => {
      await client.close();
      await child.stop();
      await file.remove();
      await rm(folder, { recursive: true });
    });
    await child.printed(/held is asked to start/);
    return { child, url, client, release: () => writeFile(join(folder, 'start'), '') };
  }

  it('has requests wait, says so at /v1, and says that it listens once it serves', async () => {
    const { child, url, client, release } = await starting();
    const listed = client.modern('tools/list');
    const gone = new AbortController();
    const unwanted = client.modern('tools/list', {}, {}, gone.signal).catch(() => 'gone');
    const ready = await fetch(new URL('/v1/ready', url));
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ phase: 'starting', starting: ['slow'] });
    expect((await fetch(new URL('/v1/health', url))).status).toBe(200);
    expect(child.stdout).toBe('');
    gone.abort();
    expect(await unwanted).toBe('gone');
    await release();
    const { result } = await (await listed).message();
    expect(JSON.stringify(result)).toContain('"slow_held"');
    await child.printed(/mcpx \S+ listens on http/);
    expect((await fetch(new URL('/v1/ready', url))).status).toBe(200);
  });

  it('ends in good order when it is told to', async () => {
    const { child } = await starting();
    child.child.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stdout).toBe('');
    expect(child.stderr).toContain('held sees its input end');
  });
});

async function takenAddress(): Promise<{ host: string; port: number; close: () => Promise<void> }> {
  const taker = createServer();
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const { address, port } = taker.address() as AddressInfo;
  return {
    host: address,
    port,
    close: () => new Promise((resolve) => taker.close(() => resolve())),
  };
}

describe('mcpx', () => {
  it('tells its version and its options', async () => {
    const version = mcpx(['--version']);
    await version.ended;
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const help = mcpx(['serve', '--help']);
    await help.ended;
    expect(help.stdout).toContain('--transport-max-body <value>');
    expect(help.stdout).toContain('default 8MiB');
  });

  it.each([
    [['serve', '--transport-max-body', 'big'], {}, /--transport-max-body: "big" is not a size/],
    [['serve'], { MCPX_MCP_PAGE_SIZE: '0' }, /MCPX_MCP_PAGE_SIZE: "0" is not a whole number/],
    [['serve', '--transport-allowed-origins', '*'], {}, /"\*" is not a list of origins/],
    [['serve'], { MCPX_NO_SUCH: '0' }, /MCPX_NO_SUCH: there is no such setting/],
    [['serve', '--config', '/nowhere.json'], {}, /\/nowhere\.json: cannot be read/],
    [['serve', '--passthrough', 'x'], {}, /--passthrough: there is no server x; there are: none/],
    [['serve', '--http', 'a:b:c'], {}, /Expected host:port/],
    [['serve', '--check-outgoing', 'maybe'], {}, /Allowed choices are off, warn, error/],
  ])('refuses %j %j with a line that says why', async (args, env, message) => {
    const process = mcpx(args, env);
    expect((await process.ended).code).toBe(1);
    expect(process.stdout).toBe('');
    expect(process.stderr).toMatch(message);
    expect(process.stderr).not.toMatch(/\n\s+at /);
  });
});
