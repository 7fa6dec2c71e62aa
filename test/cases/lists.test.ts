import { describe, expect, it } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { gateway, scripted, toolsPage, type Script } from '../support/gateway.js';
import '../support/strict.js';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const tools = (...names: string[]) => names.map(tool);
const many = (from: number, to: number) =>
  tools(...Array.from({ length: to - from }, (_, at) => `t${String(from + at).padStart(2, '0')}`));
const echo = (name: string) => ({ content: [{ type: 'text', text: name }] });

describe('the pages of an upstream', () => {
  it.each([
    ['by a cursor', '8'],
    ['by a cursor that is the empty text', ''],
  ])('B35: are all read, when one leads to the next %s', async (_how, nextCursor) => {
    const pages = {
      'tools/list': { tools: many(0, 8), nextCursor },
      [`tools/list ${nextCursor}`]: { tools: many(8, 14) },
    };
    const { client } = await gateway({ up: scripted({ pages }) });
    expect(await (await client('2025-06-18')).names()).toHaveLength(14);
  });

  it('B35: that lead in a circle are read once, and told of', async () => {
    const again = { tools: many(0, 8), nextCursor: 'again' };
    const pages = { 'tools/list': again, 'tools/list again': again };
    const { client, diagnostics } = await gateway({ up: scripted({ pages }) });
    expect(await (await client('2025-06-18')).names()).toHaveLength(8);
    expect(diagnostics.count('upstream-pages-endless')).toBe(1);
  });

  it('B35: reach the client with cursors of our own, in all four lists', async () => {
    const { client } = await gateway({ up: scripted({ pages: { 'tools/list': { tools: [] } } }) });
    const one = await client('2025-11-25');
    for (const method of ['tools', 'prompts', 'resources', 'resources/templates']) {
      const { error } = await one.request(`${method}/list`, { cursor: '8' });
      expect(error?.code).toBe(-32602);
    }
  });
});

describe('names', () => {
  const long = 'n'.repeat(120);
  const upstreams: Record<string, string[]> = {
    a: ['b_c', '_x', '9x', 'ns/sub', 'wétter', 'search', 'search', long],
    a_b: ['c', `${long}1`, `${long}2`],
  };

  async function opened(order: readonly string[]) {
    const targets = order.map((namespace): [string, ReturnType<typeof scripted>] => {
      const names = upstreams[namespace] ?? [];
      const results = Object.fromEntries(names.map((n) => [`tools/call ${n}`, echo(n)]));
      return [
        namespace,
        scripted({ pages: { 'tools/list': { tools: tools(...names) } }, results }),
      ];
    });
    const { client, diagnostics } = await gateway(Object.fromEntries(targets));
    return { one: await client(NEWEST), diagnostics };
  }

  it('B37: that collide, overflow or hold odd characters are made good, the same in any order', async () => {
    const { one, diagnostics } = await opened(['a', 'a_b']);
    const names = await one.names();
    expect(names).toHaveLength(10);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    expect(names).toEqual(expect.arrayContaining(['a__x', 'a_9x', 'a_ns_sub', 'a_b_c']));
    expect(diagnostics.count('name-collision')).toBe(1);
    expect(diagnostics.count('upstream-entry-twice')).toBe(1);
    expect(await (await opened(['a_b', 'a'])).one.names()).toEqual(names);
  });

  it('B37: may be kept shorter, for hosts and models that take fewer characters', async () => {
    const names = ['x'.repeat(60), `${'x'.repeat(59)}y`, 'short'];
    const { client } = await gateway(
      { long_namespace: scripted({ pages: { 'tools/list': { tools: tools(...names) } } }) },
      { nameLength: 40 },
    );
    const listed = await (await client(NEWEST)).names();
    expect(new Set(listed).size).toBe(3);
    expect(listed).toContain('long_namespace_short');
    for (const name of listed) expect(name.length).toBeLessThanOrEqual(40);
  });

  it('B37: are called exactly as they are listed, and reach the tool of the original name', async () => {
    const { one } = await opened(['a', 'a_b']);
    const reached = await Promise.all((await one.names()).map((name) => one.text(name)));
    const all = [...(upstreams['a'] ?? []), ...(upstreams['a_b'] ?? [])];
    expect(reached.sort()).toEqual([...new Set(all)].sort());
  });
});

describe('capabilities', () => {
  const TOOLS_ONLY: Script = { capabilities: { tools: {} }, pages: toolsPage({ name: 't' }) };

  it('B38: are those that upstreams really have, and none that the revision lacks', async () => {
    const { core } = await gateway({ up: scripted(TOOLS_ONLY) });
    const { StdioClient } = await import('../support/stdio-client.js');
    const raw = new StdioClient(core);
    const initialized = await raw.initialize('2025-06-18');
    expect(initialized?.['capabilities']).toEqual({ tools: { listChanged: true } });
    await raw.end();
  });

  it('B38: that are missing leave their lists empty for older clients, which ask for them all', async () => {
    const { client } = await gateway({ up: scripted(TOOLS_ONLY) });
    const one = await client('2025-06-18');
    expect(await one.result('resources/list')).toEqual({ resources: [] });
    expect(await one.result('resources/templates/list')).toEqual({ resourceTemplates: [] });
    expect(await one.result('prompts/list')).toEqual({ prompts: [] });
    for (const method of ['logging/setLevel', 'completion/complete']) {
      expect((await one.request(method)).error?.code).toBe(-32601);
    }
  });

  it('B38: that an upstream claims and does not have take nothing from the other ones', async () => {
    const liar = scripted({ capabilities: { tools: {}, resources: {} } });
    const pages = { 'resources/list': { resources: [{ uri: 'x:1', name: 'one' }] } };
    const honest = scripted({ capabilities: { resources: {} }, pages });
    const { client } = await gateway({ liar, honest });
    const { resources } = await (
      await client('2025-06-18')
    ).result<{ resources: object[] }>('resources/list');
    expect(resources).toEqual([{ uri: 'mcpx://honest/x:1', name: 'one' }]);
  });
});
