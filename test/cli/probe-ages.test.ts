import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ALL_REVISIONS, isModern } from '../support/peers.js';
import { probe } from '../support/probe.js';

interface Aged {
  /** In node_modules: a package as it was published, with the SDK of its day. */
  readonly server: string;
  /** What it settles on, asked as a client of each revision with a handshake. */
  readonly settles: readonly string[];
  /** By what it settles on: the fields that this revision never had, and when they exist. */
  readonly leaks: Readonly<Record<string, readonly string[]>>;
  readonly tools: string;
}

const ANNOTATIONS = '/result/tools/*/annotations: Tool.annotations since 2025-03-26';
const EXECUTION = '/result/tools/*/execution: Tool.execution from 2025-11-25 until 2026-07-28';
const OUTPUT = '/result/tools/*/outputSchema: Tool.outputSchema since 2025-06-18';
const TITLE = '/result/tools/*/title: Tool.title since 2025-06-18';

const only = (revision: string): string[] => Array<string>(4).fill(revision);

const AGES: readonly Aged[] = [
  {
    // SDK 0.5
    server: 'server-sequential-thinking-0.6.2',
    settles: only('2024-11-05'),
    leaks: {},
    tools: '1 item',
  },
  {
    // SDK 1.0
    server: 'server-memory-0.6.2',
    settles: only('2024-11-05'),
    leaks: {},
    tools: '9 items',
  },
  {
    // SDK 1.12
    server: 'server-everything-2025.7.1',
    settles: ['2024-11-05', '2025-03-26', '2025-03-26', '2025-03-26'],
    leaks: {
      '2024-11-05': [
        '/result/capabilities/completions: ServerCapabilities.completions since 2025-03-26',
      ],
    },
    tools: '8 items',
  },
  {
    // SDK 1.19
    server: 'server-sequential-thinking-2025.11.25',
    settles: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-06-18'],
    leaks: { '2024-11-05': [OUTPUT, TITLE], '2025-03-26': [OUTPUT, TITLE] },
    tools: '1 item',
  },
  {
    // The newest one, whose SDK knows all revisions with a handshake
    server: '@modelcontextprotocol/server-sequential-thinking',
    settles: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
    leaks: {
      '2024-11-05': [ANNOTATIONS, EXECUTION, OUTPUT, TITLE],
      '2025-03-26': [EXECUTION, OUTPUT, TITLE],
      '2025-06-18': [EXECUTION],
    },
    tools: '1 item',
  },
];

describe('mcpx probe reports what a published server really does', () => {
  test.each(AGES)('$server', async ({ server, settles, leaks, tools }) => {
    const entry = new URL(`../../node_modules/${server}/dist/index.js`, import.meta.url);
    const { code, results } = await probe('--', process.execPath, fileURLToPath(entry));
    const handshakes = results.filter(({ era }) => era === 'legacy');
    expect(handshakes.map(({ revision }) => revision)).toEqual(settles);
    for (const { revision = '', leaks: found, mistakes, transport, answers } of handshakes) {
      const told = found.map(({ pointer, exists }) => `${pointer}: ${String(exists)}`);
      expect({ revision, leaks: told }).toEqual({ revision, leaks: leaks[revision] ?? [] });
      expect({ mistakes, transport }).toEqual({ mistakes: [], transport: {} });
      expect(answers).toMatchObject({
        ping: 'answered',
        'tools/list': tools,
        'mcpx/no-such-method': 'refused with -32601',
      });
    }
    const modern = results.filter(({ era }) => era === 'modern');
    expect(modern.map(({ asked, revision, refused }) => [asked, revision, refused])).toEqual([
      ['2026-07-28', undefined, 'error -32601: Method not found'],
    ]);
    expect(code).toBe(Object.keys(leaks).length === 0 ? 0 : 2);
  });
});

test('a server of the newest SDK is modern over HTTP, and legacy to whoever begins with a handshake', async () => {
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'newest', version: '1' });
      server.registerTool('say', { title: 'Say', inputSchema: z.object({}) }, () => ({
        content: [],
      }));
      return server;
    }),
  );
  const http = createServer((request, response) => void handler(request, response));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  try {
    const { code, results } = await probe(`http://127.0.0.1:${port}/mcp`);
    const told = results.map(({ asked, era, revision, leaks }) => ({
      asked,
      era,
      revision,
      leaks: leaks.map(({ pointer, exists }) => `${pointer}: ${String(exists)}`),
    }));
    expect(told).toEqual(
      ALL_REVISIONS.map((asked) => ({
        asked,
        era: isModern(asked) ? 'modern' : 'legacy',
        revision: asked,
        leaks: asked < '2025-06-18' ? [TITLE] : [],
      })),
    );
    const wrong = results.flatMap(({ mistakes, transport }) => [
      ...mistakes,
      ...Object.keys(transport),
    ]);
    expect(wrong).toEqual([]);
    expect(code).toBe(2);
  } finally {
    http.closeAllConnections();
    http.close();
  }
});
