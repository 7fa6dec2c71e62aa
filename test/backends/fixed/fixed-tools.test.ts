/** The tools of the gateway itself, to clients of every revision, in front of a real upstream. */
import { describe, expect, it } from 'vitest';
import { NEWEST } from '../../../generated/revisions.js';
import { UpstreamBackend } from '../../../src/backends/upstream/backend.js';
import type { UpstreamTarget } from '../../../src/backends/upstream/options.js';
import { LocalBackend } from '../../../src/backends/local/backend.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { mirrorBackend } from '../../support/backend.js';
import { localGateway } from '../../support/local-gateway.js';
import { ALL_REVISIONS, open, paramsFor } from '../../support/peers.js';
import '../../support/strict.js';
import type { Message } from '../../support/stdio-client.js';
import { overStdio } from '../../support/upstream.js';

const FIXED = ['mcpx_list_backends', 'mcpx_search_tools', 'mcpx_describe_tool', 'mcpx_call_tool'];

const GONE: UpstreamTarget = { kind: 'stdio', command: '/nowhere/at/all', args: [], env: {} };

function upstream(namespace: string, target: UpstreamTarget): UpstreamBackend {
  const clientInfo = { name: 'mcpx', version: '0' };
  return new UpstreamBackend({ namespace, target, clientInfo, diagnostics: new Diagnostics() });
}

interface Result {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

type Call = (name: string, args?: object, meta?: object) => Promise<Result>;

describe.each(ALL_REVISIONS)('a client of %s', (revision) => {
  async function connected() {
    const { client: connect } = await localGateway([
      upstream('old', overStdio('2024-11-05')),
      upstream('modern', overStdio(NEWEST)),
      upstream('gone', GONE),
    ]);
    const client = connect();
    await open(client, revision);
    const call: Call = async (name, args = {}, meta = {}) => {
      const params = paramsFor(revision, { name, arguments: args }, meta);
      return (await client.result('tools/call', params)) as unknown as Result;
    };
    return { client, call };
  }

  /** What a result says, in structure or, before there was any, in text. */
  const said = ({ structuredContent, content }: Result): Record<string, unknown> =>
    structuredContent ?? (JSON.parse(content[0]?.text ?? '') as Record<string, unknown>);

  it('finds them first on the list, in their order', async () => {
    const { client } = await connected();
    const { tools } = await client.result('tools/list', paramsFor(revision));
    const names = (tools as { name: string }[]).map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(FIXED);
    expect(names.slice(4)).toEqual([...names.slice(4)].sort());
  });

  it('is told what is behind, in which state, and what failed', async () => {
    const { call } = await connected();
    const { backends } = said(await call('mcpx_list_backends'));
    const [old, modern, gone, ...others] = backends as Record<string, unknown>[];
    expect(old).toMatchObject({ namespace: 'old', state: 'up', revision: '2024-11-05' });
    expect(modern).toMatchObject({ namespace: 'modern', state: 'up', name: 'fixture' });
    expect(old?.['counts']).toMatchObject({ prompts: 1, resourceTemplates: 1 });
    expect(gone).toMatchObject({ namespace: 'gone', state: 'down' });
    expect((gone?.['lastError'] as Error).message).toContain('/nowhere/at/all');
    expect(others).toEqual([]);
  });

  it('searches, describes and calls a tool', async () => {
    const { client, call } = await connected();
    const found = said(await call('mcpx_search_tools', { query: 'give string', backend: 'old' }));
    expect(found).toMatchObject({ tools: [{ name: 'old_give_string', backend: 'old' }], left: 0 });
    const described = said(await call('mcpx_describe_tool', { name: 'old_give_string' }));
    expect(described).toMatchObject({
      tool: { name: 'old_give_string', inputSchema: { type: 'object' } },
      backend: 'old',
    });
    const called = await call('mcpx_call_tool', { name: 'old_give_object' });
    const direct = await call('old_give_object');
    expect(called).toEqual(direct);
    const progress = { name: 'modern_progress' };
    await call('mcpx_call_tool', progress, { progressToken: 'mine' });
    const steps = client.received.filter(
      ({ method }: Message) => method === 'notifications/progress',
    );
    expect(steps.map(({ params }) => params?.['progress'])).toEqual([1, 2, 3]);
  });

  it('learns what is wrong with a name or an argument from the result', async () => {
    const { call } = await connected();
    const unknown = await call('mcpx_call_tool', { name: 'give_object' });
    expect(unknown.isError).toBe(true);
    expect(unknown.content[0]?.text).toContain('old_give_object');
    const wrong = await call('mcpx_call_tool', { name: 'old_big', arguments: { n: 'x' } });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toContain('/n');
    // A fixed tool is called directly.
    const itself = await call('mcpx_call_tool', { name: 'mcpx_call_tool' });
    expect(itself.isError).toBe(true);
  });
});

describe('mcpx_list_backends', () => {
  it('B47: says that a backend is down, and why', async () => {
    const broken = new LocalBackend('broken');
    broken.start = () => Promise.reject(new Error('out of cheese'));
    const { core } = await localGateway([broken]);
    const [, entry] = await core.directory.backends();
    expect(entry).toMatchObject({ state: 'down', lastError: { message: 'out of cheese' } });
  });
});

describe('mcpx_search_tools', () => {
  async function search(args: object): Promise<{ names: string[]; left: number }> {
    const backend = new LocalBackend('shop');
    backend.addTool({ name: 'createOrder', description: 'Puts an order in the books' }, () => '');
    backend.addTool({ name: 'order', description: 'Tells of one' }, () => '');
    backend.addTool({ name: 'reorder_stock', title: 'Buy' }, () => '');
    backend.addTool({ name: 'refund', description: 'Of an ORDER, in full' }, () => '');
    const { client: connect } = await localGateway([backend]);
    const client = connect();
    await client.initialize('2025-11-25');
    const { structuredContent } = await client.result('tools/call', {
      name: 'mcpx_search_tools',
      arguments: args,
    });
    const { tools, left } = structuredContent as { tools: { name: string }[]; left: number };
    return { names: tools.map(({ name }) => name.replace('shop_', '')), left };
  }

  it('puts whole words of names before parts of them, and those before descriptions', async () => {
    const { names } = await search({ query: 'Order' });
    expect(names).toEqual(['createOrder', 'order', 'reorder_stock', 'refund']);
  });

  it('wants every word', async () => {
    expect((await search({ query: 'order full' })).names).toEqual(['refund']);
    expect((await search({ query: 'order nowhere' })).names).toEqual([]);
  });

  it('finds everything without a word, and says how much it leaves out', async () => {
    expect(await search({ query: '', limit: 3 })).toMatchObject({ left: 1 });
  });
});

describe('mcpx_call_tool', () => {
  it('hands on numbers that no double can hold', async () => {
    const { client: connect } = await localGateway([mirrorBackend('m')]);
    const client = connect();
    await client.initialize('2025-11-25');
    const args = '{"name":"m_mirror","arguments":{"n":12345678901234567890}}';
    client.raw(
      `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"mcpx_call_tool","arguments":${args}}}\n`,
    );
    let text = '';
    client.output.on('data', (chunk: string) => (text += chunk));
    await client.frame(({ id }) => id === 9);
    expect(text).toContain('"n":12345678901234567890');
  });
});
