/** The official clients of both eras, over both transports, in front of a fixture of every era. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEWEST, NEWEST_LEGACY } from '../../generated/revisions.js';
import { McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';

const INFO = { name: 'official', version: '1' };
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');

let config: Awaited<ReturnType<typeof configFile>>;
let mcpx: McpxProcess;
let url: URL;

beforeAll(async () => {
  config = await configFile({
    mcpServers: { legacy: fixtureServer('2025-06-18'), modern: fixtureServer(NEWEST) },
  });
  mcpx = new McpxProcess(['serve', '--config', config.path, '--http', '127.0.0.1:0']);
  url = new URL(await mcpx.printed(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/));
});

afterAll(async () => {
  await mcpx.stop();
  await config.remove();
});

const command = (): { command: string; args: string[]; env: Record<string, string> } => ({
  command: process.execPath,
  args: ['--import', TSX, MAIN, 'serve', '--config', config.path, '--log-level', 'error'],
  env: { MCPX_CHECK_OUTGOING: 'error', MCPX_UPSTREAM_ERA_CACHE: 'false' },
});

/** What the two clients have in common. */
interface Session {
  version(): string | undefined;
  list(): Promise<string[]>;
  call(name: string): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  prompt(name: string): Promise<unknown>;
  close(): Promise<void>;
}

async function legacy(transport: Transport & { protocolVersion?: string }): Promise<Session> {
  const client = new LegacyClient(INFO);
  let version: string | undefined;
  const start = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (agreed) => {
    version = agreed;
    start?.(agreed);
  };
  await client.connect(transport);
  return {
    version: () => version,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) => client.callTool({ name, arguments: {} }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name) => client.getPrompt({ name, arguments: { who: 'Ann' } }),
    close: () => client.close(),
  };
}

async function modern(transport: ModernHttp | ModernStdio): Promise<Session> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) => client.callTool({ name, arguments: {} }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name) => client.getPrompt({ name, arguments: { who: 'Ann' } }),
    close: () => client.close(),
  };
}

const ways: [string, string, () => Promise<Session>][] = [
  ['legacy', 'stdio', () => legacy(new LegacyStdio(command()))],
  ['legacy', 'HTTP', () => legacy(new LegacyHttp(url))],
  ['modern', 'stdio', () => modern(new ModernStdio(command()))],
  ['modern', 'HTTP', () => modern(new ModernHttp(url))],
];

describe.each(ways)('the official %s client over %s', (era, _transport, open) => {
  let session: Session;

  beforeAll(async () => {
    session = await open();
  });

  afterAll(() => session.close());

  it('agrees on the newest revision of its era', () => {
    expect(session.version()).toBe(era === 'modern' ? NEWEST : NEWEST_LEGACY);
  });

  it.each(['legacy', 'modern'])(
    'lists, calls, reads and prompts an upstream that is %s',
    async (ns) => {
      expect(await session.list()).toContain(`${ns}_content`);
      // It checks what it gets against the outputSchema that was listed.
      for (const kind of ['object', 'array', 'string', 'number', 'boolean', 'null']) {
        const result = await session.call(`${ns}_give_${kind}`);
        expect(result).toHaveProperty('structuredContent');
      }
      const content = await session.call(`${ns}_content`);
      expect(content).toMatchObject({ content: { length: 6 } });
      const read = await session.read(`mcpx://${ns}/fixture://text`);
      expect(read).toMatchObject({ contents: [{ text: 'hello' }] });
      expect(await session.prompt(`${ns}_every`)).toMatchObject({ messages: { length: 7 } });
    },
  );
});
