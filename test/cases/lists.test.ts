import { describe, expect, it } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { ALL_REVISIONS, LEGACY, isModern } from '../support/peers.js';
import { StdioClient } from '../support/stdio-client.js';
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

  it('B35: that lead on without end are read up to a limit, and told of', async () => {
    const pages = { 'tools/list': { tools: many(0, 1), $counting: true } };
    const { client, diagnostics } = await gateway({ up: scripted({ pages }) });
    expect(await (await client('2025-06-18')).names()).toHaveLength(1);
    expect(diagnostics.count('upstream-pages-endless')).toBe(1);
  });

  const ALL_LISTS = {
    tools: { method: 'tools/list', item: (n: number) => tool(`i${n}`) },
    prompts: { method: 'prompts/list', item: (n: number) => ({ name: `i${n}` }) },
    resources: {
      method: 'resources/list',
      item: (n: number) => ({ uri: `x:${n}`, name: `i${n}` }),
    },
    resourceTemplates: {
      method: 'resources/templates/list',
      item: (n: number) => ({ uriTemplate: `x:${n}/{a}`, name: `i${n}` }),
    },
  };

  it.each(
    ALL_REVISIONS.flatMap((revision) =>
      Object.entries(ALL_LISTS).map(([list, how]) => [list, revision, how] as const),
    ),
  )('B35: of %s go to a client of %s as pages of our own', async (list, revision, given) => {
    const { method, item } = given;
    const items = Array.from({ length: 14 }, (_, at) => item(10 + at));
    const pages = {
      [method]: { [list]: items.slice(0, 8), nextCursor: '8' },
      [`${method} 8`]: { [list]: items.slice(8) },
    };
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const { client } = await gateway({ up: scripted({ capabilities, pages }) }, { pageSize: 5 });
    const one = await client(revision);
    const sizes: number[] = [];
    const names = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await one.result(method, cursor === undefined ? {} : { cursor });
      const read = page[list] as { name: string }[];
      sizes.push(read.length);
      for (const { name } of read) names.add(name);
      cursor = page['nextCursor'] as string | undefined;
    } while (cursor !== undefined);
    expect(sizes).toEqual([5, 5, 4]);
    expect(names.size).toBe(14);
    // Those of the upstream are none of ours, nor are those of another list.
    const other = method === 'tools/list' ? 'prompts/list' : 'tools/list';
    const elsewhere = (await one.request(other)).result?.['nextCursor'];
    for (const unknown of ['8', '', 7, elsewhere ?? 'none']) {
      expect((await one.request(method, { cursor: unknown })).error?.code).toBe(-32602);
    }
  });

  it('B35: may be read on by another client, and when the list has changed meanwhile', async () => {
    const pages = { 'tools/list': { tools: many(0, 14) } };
    const { client } = await gateway({ up: scripted({ pages }) }, { pageSize: 5 });
    const first = await (await client('2025-06-18')).result('tools/list');
    const { nextCursor: cursor } = first;
    const second = await (await client(NEWEST)).result('tools/list', { cursor });
    expect((second['tools'] as { name: string }[])[0]?.name).toBe('up_t05');
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
    const results = Object.fromEntries(names.map((n) => [`tools/call ${n}`, echo(n)]));
    const pages = { 'tools/list': { tools: tools(...names) } };
    const { client } = await gateway(
      { long_namespace: scripted({ pages, results }) },
      { nameLength: 40 },
    );
    const one = await client(NEWEST);
    const listed = await one.names();
    expect(new Set(listed).size).toBe(3);
    expect(listed).toContain('long_namespace_short');
    for (const name of listed) expect(name.length).toBeLessThanOrEqual(40);
    const reached = await Promise.all(listed.map((name) => one.text(name)));
    expect(reached.sort()).toEqual([...names].sort());
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

  async function declaredTo(revision: Revision, ...upstreams: Script[]): Promise<object> {
    const targets = upstreams.map((script, at) => [`up${at}`, scripted(script)] as const);
    const { core, client } = await gateway(Object.fromEntries(targets));
    if (isModern(revision)) {
      return (await (await client(revision)).result('server/discover'))['capabilities'] as object;
    }
    const raw = new StdioClient(core);
    const initialized = await raw.initialize(revision);
    await raw.end();
    return initialized?.['capabilities'] as object;
  }

  it.each(ALL_REVISIONS)(
    'B38: are those upstreams really have, for a client of %s',
    async (rev) => {
      const declared = await declaredTo(rev, TOOLS_ONLY);
      const { extensions, tasks, ...rest } = declared as Record<string, unknown>;
      expect(rest).toEqual({ tools: { listChanged: true } });
      expect(extensions !== undefined).toBe(isModern(rev));
      expect(tasks !== undefined).toBe(rev === '2025-11-25');
    },
  );

  it.each(ALL_REVISIONS)(
    'B38: are the union, less what %s lacks or mcpx cannot do',
    async (rev) => {
      const declared = await declaredTo(
        rev,
        TOOLS_ONLY,
        { capabilities: { resources: { subscribe: true }, logging: {} } },
        { capabilities: { prompts: {}, completions: {}, tasks: { list: {} }, resources: {} } },
      );
      const { extensions: _ours, tasks: _too, ...rest } = declared as Record<string, unknown>;
      expect(rest).toEqual({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        ...(rev !== '2024-11-05' && { completions: {} }),
        logging: {},
      });
      const without = await declaredTo(rev, { capabilities: { resources: {} } });
      expect(without).toMatchObject({ resources: { listChanged: true } });
      expect(without).not.toHaveProperty('resources.subscribe');
    },
  );

  it.each(ALL_REVISIONS)(
    'B38: that an upstream of %s lacks are not asked of it',
    async (revision) => {
      const pages = toolsPage({ name: 't' }, { name: 'received' });
      const { client } = await gateway({ up: scripted({ ...TOOLS_ONLY, revision, pages }) });
      const one = await client('2025-06-18');
      for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
        await one.result(method);
      }
      await one.request('logging/setLevel', { level: 'debug' });
      const frames = JSON.parse(await one.text('up_received')) as { method: string }[];
      const asked = new Set(frames.map(({ method }) => method));
      for (const method of asked) expect(method).not.toMatch(/^(resources|prompts|logging)\//);
      expect(asked).toContain('tools/list');
    },
  );

  it.each(LEGACY)(
    'B38: that are missing are empty lists to %s, which asks for all',
    async (rev) => {
      const { client } = await gateway({ up: scripted(TOOLS_ONLY) });
      const one = await client(rev);
      expect(await one.result('resources/list')).toEqual({ resources: [] });
      expect(await one.result('resources/templates/list')).toEqual({ resourceTemplates: [] });
      expect(await one.result('prompts/list')).toEqual({ prompts: [] });
      for (const method of ['logging/setLevel', 'completion/complete']) {
        expect((await one.request(method)).error?.code).toBe(-32601);
      }
    },
  );

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
