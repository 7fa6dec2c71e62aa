/** Six servers that other people have made, all at once, behind one mcpx, for clients of every revision. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as NewestServer, createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadChecker, type Checker } from '../../src/edge/check.js';
import { describeViolation } from '../../src/edge/outgoing.js';
import { McpxProcess, configFile } from '../support/mcpx-process.js';
import { ALL_REVISIONS } from '../support/peers.js';
import { startSseServer, type SseServer } from '../support/sse-server.js';
import { CheckedHttpClient } from './checked-client.js';

const MODULES = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/', import.meta.url),
);

function installed(name: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [join(MODULES, name, 'dist/index.js'), ...args] };
}

function newestServer(): NewestServer {
  const server = new NewestServer({ name: 'newest', version: '1' });
  const inputSchema = z.object({ message: z.string() });
  server.registerTool('say', { description: 'Says it', inputSchema }, ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }));
  return server;
}

/** A tool of each, called with these arguments, says this. */
const SAMPLES: readonly [tool: string, args: object, says: RegExp][] = [
  ['everything_echo', { message: 'hello' }, /hello/],
  ['everything_get-sum', { a: 2, b: 3 }, /5/],
  ['files_read_text_file', { path: 'HERE/note.txt' }, /a note/],
  ['files_list_directory', { path: 'HERE' }, /note\.txt/],
  ['memory_read_graph', {}, /entities/],
  [
    'thinking_sequentialthinking',
    { thought: 'so', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    /thoughtNumber/,
  ],
  ['newest_say', { message: 'from the newest' }, /from the newest/],
  ['oldest_say', { message: 'from the oldest' }, /from the oldest/],
];

let check: Checker;
let folder: string;
let config: Awaited<ReturnType<typeof configFile>>;
let newest: Server;
let oldest: SseServer;
let mcpx: McpxProcess;
let url: string;

beforeAll(async () => {
  check = await loadChecker();
  folder = await mkdtemp(join(tmpdir(), 'mcpx-upstreams-'));
  await writeFile(join(folder, 'note.txt'), 'a note');
  const handler = toNodeHandler(createMcpHandler(newestServer));
  newest = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => newest.listen(0, '127.0.0.1', resolve));
  const { port } = newest.address() as AddressInfo;
  oldest = await startSseServer((server) => {
    const inputSchema = { message: z.string() };
    server.registerTool('say', { description: 'Says it', inputSchema }, ({ message }) => ({
      content: [{ type: 'text', text: message }],
    }));
  });
  config = await configFile({
    mcpServers: {
      everything: installed('server-everything'),
      files: installed('server-filesystem', folder),
      memory: {
        ...installed('server-memory'),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
      },
      thinking: installed('server-sequential-thinking'),
      newest: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
      oldest: { url: oldest.url },
    },
  });
  // What is wrong is sent all the same, so that the clients here find it, too.
  const env = { MCPX_CHECK_OUTGOING: 'warn' };
  mcpx = new McpxProcess(['serve', '--config', config.path, '--http', '127.0.0.1:0'], env);
  url = await mcpx.printed(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
});

afterAll(async () => {
  await mcpx.stop();
  newest.closeAllConnections();
  newest.close();
  oldest.close();
  await config.remove();
  await rm(folder, { recursive: true });
});

describe.each(ALL_REVISIONS)('a client of %s in front of six servers', (revision) => {
  let client: CheckedHttpClient;

  beforeAll(async () => {
    client = new CheckedHttpClient(revision, check, url);
    await client.open();
  });

  afterAll(() => client.close());

  it('gets the tools of all of them on one list', async () => {
    const names = (await client.list('tools/list', 'tools')).map(({ name }) => String(name));
    const of = (namespace: string) => names.filter((name) => name.startsWith(`${namespace}_`));
    expect(of('everything').length).toBeGreaterThan(8);
    expect(of('files').length).toBeGreaterThan(10);
    expect(of('memory')).toHaveLength(9);
    expect(of('thinking')).toHaveLength(1);
    expect(of('newest')).toEqual(['newest_say']);
    expect(of('oldest')).toEqual(['oldest_say']);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(SAMPLES)('calls %s', async (name, args, says) => {
    const given = JSON.parse(JSON.stringify(args).replace('HERE', folder)) as object;
    const result = await client.result('tools/call', { name, arguments: given });
    expect(result['isError']).not.toBe(true);
    expect(JSON.stringify(result['content'])).toMatch(says);
  });

  it('lists what else there is, and reads some of it', async () => {
    const [resource] = await client.list('resources/list', 'resources');
    await client.result('resources/read', { uri: resource?.['uri'] });
    await client.list('resources/templates/list', 'resourceTemplates');
    expect((await client.list('prompts/list', 'prompts')).length).toBeGreaterThan(0);
  });

  it('is never sent a frame that its revision does not allow', () => {
    expect(client.violations.map(describeViolation)).toEqual([]);
  });
});

describe('the six servers', () => {
  it('were never sent a frame that their revision does not allow', () => {
    expect(mcpx.stderr).not.toContain('outgoing ');
  });
});
