import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Checked } from '../../src/cli/check/check.js';
import { scripted, toolsPage } from '../support/gateway.js';
import { McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';

const FAULTY = fileURLToPath(new URL('../fixtures/upstream/faulty.mjs', import.meta.url));

async function check(
  config: object,
  ...flags: string[]
): Promise<{ out: string; code: number | null }> {
  const file = await configFile(config);
  onTestFinished(() => file.remove());
  const mcpx = new McpxProcess(['check', '--config', file.path, ...flags]);
  const { code } = await mcpx.ended;
  return { out: mcpx.stdout + mcpx.stderr, code };
}

const server = (script: Parameters<typeof scripted>[0]): object => {
  const { command, args } = scripted(script);
  return { command, args };
};

describe('mcpx check', () => {
  it('says what each upstream speaks and offers, and that all is well', async () => {
    const { out, code } = await check({
      mcpServers: { old: fixtureServer('2024-11-05'), new: fixtureServer('2026-07-28') },
    });
    expect(out).toContain('old: up, 2024-11-05 (legacy), stdio, fixture 1.0.0');
    expect(out).toContain('new: up, 2026-07-28 (modern), stdio');
    expect(out).toContain('offers 22 tools, 2 resources, 1 resource templates, 1 prompts');
    expect(code).toBe(0);
  });

  it('tells of repairs, of tools that cannot be offered, and of collisions', async () => {
    const tools = toolsPage(
      { name: 'b_c', inputSchema: { type: 'object', properties: [] } },
      { name: 'bad', inputSchema: { type: 'string' } },
    );
    const { out, code } = await check({
      mcpServers: { a: server({ pages: tools }), a_b: server({ pages: toolsPage({ name: 'c' }) }) },
    });
    expect(out).toContain('repaired b_c /inputSchema/properties: [] became {}');
    expect(out).toContain('NOT OFFERED: bad /inputSchema: its type is "string"');
    expect(out).toContain('tools: a_b_c of a_b is taken by another');
    expect(code).toBe(2);
  });

  it('says why an upstream is not up, and what the others are', async () => {
    const { out, code } = await check(
      { mcpServers: { gone: { command: 'no-such-command' }, here: fixtureServer('2025-06-18') } },
      '--format',
      'json',
    );
    const { backends } = JSON.parse(out) as Checked;
    expect(backends.map(({ namespace, up }) => [namespace, up])).toEqual([
      ['gone', false],
      ['here', true],
    ]);
    expect(backends[0]?.error).toContain('no such command in any folder of PATH');
    expect(backends[1]).toMatchObject({
      era: 'legacy',
      revision: '2025-06-18',
      transport: 'stdio',
    });
    expect(code).toBe(1);
  });

  it('outlasts what an upstream has left behind, and says how that one is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpx-check-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const args = [FAULTY, join(folder, 'starts'), '0', 'parent'];
    const { out, code } = await check({ mcpServers: { a: { command: process.execPath, args } } });
    expect(out).toContain('a: up, 2025-11-25 (legacy), stdio, faulty 1');
    expect(code).toBe(0);
  });

  it('refuses what serve would refuse, in the same words', async () => {
    const { out, code } = await check({ mcpServers: { a: {} } });
    expect(out).toMatch(/\/mcpServers\/a: needs a command \(a process\) or a url \(HTTP\)/);
    expect(code).toBe(1);
  });
});
