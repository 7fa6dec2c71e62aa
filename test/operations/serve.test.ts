/** `/v1`, the fixed tools and artifacts as `mcpx serve` puts them together, from the configuration on. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPERATIONS } from '../../src/operations/operations.js';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';

const FIXED = ['mcpx_list_backends', 'mcpx_search_tools', 'mcpx_describe_tool', 'mcpx_call_tool'];
const LARGE = 3000;

async function served(config: object, flags: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const file = await configFile(config);
  const args = ['serve', '--config', file.path, '--http', '127.0.0.1:0', ...flags];
  const mcpx = new McpxProcess(args, env);
  onTestFinished(async () => {
    await mcpx.stop();
    await file.remove();
    // Every frame was valid for its receiver.
    expect(mcpx.stderr).not.toContain('outgoing ');
  });
  const url = await mcpx.printed(/listens on (http:\/\/127\.0\.0\.1:\d+\/mcp)/);
  const client = new HttpClient(url);
  onTestFinished(() => client.close());
  const ask = async (method: string, params: Record<string, unknown> = {}) => {
    const { result, error } = await (await client.modern(method, params)).message();
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  return { url: new URL(url), ask, mcpx };
}

interface Called {
  content: { type: string; uri?: string; text?: string }[];
  structuredContent?: unknown;
}

const namesOf = ({ tools }: Record<string, unknown>): string[] =>
  (tools as { name: string }[]).map(({ name }) => name);

const upstreams = { mcpServers: { fix: fixtureServer('2025-11-25') } };
const large = {
  adapters: { own: { large: { command: process.execPath, args: ['-p', `'x'.repeat(${LARGE})`] } } },
};

describe('mcpx serve', () => {
  it('has /v1 beside /mcp, for this machine', async () => {
    const { url } = await served(upstreams);
    const health = await fetch(new URL('/v1/health', url));
    expect(await health.json()).toMatchObject({ status: 'ok', name: 'mcpx' });
    const backends = await fetch(new URL('/v1/backends', url));
    expect(await backends.json()).toMatchObject({
      backends: [{ namespace: 'mcpx' }, { namespace: 'fix', state: 'up', revision: '2025-11-25' }],
    });
    const ready = await fetch(new URL('/v1/ready', url));
    expect(ready.status).toBe(200);
  });

  it('is not ready any more once it is told to end, while requests in flight go on', async () => {
    const { url, ask, mcpx } = await served(upstreams);
    const slow = ask('tools/call', { name: 'fix_slow' }).catch((error: unknown) => error);
    const metrics = async () => (await fetch(new URL('/v1/metrics', url))).text();
    while (!(await metrics()).includes('mcpx_requests_in_flight 1')) continue;
    mcpx.child.kill('SIGTERM');
    await mcpx.printed(/requests in flight may end/);
    const ready = await fetch(new URL('/v1/ready', url));
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ ready: false, phase: 'closing' });
    mcpx.child.kill('SIGTERM');
    await mcpx.ended;
    await slow;
  });

  it('takes the token for /v1 from the environment', async () => {
    const { url } = await served(upstreams, [], { MCPX_OPERATIONS_TOKEN: 's3cret' });
    const health = new URL('/v1/health', url);
    expect((await fetch(health)).status).toBe(401);
    const headers = { authorization: 'Bearer s3cret' };
    expect((await fetch(health, { headers })).status).toBe(200);
  });

  it('puts the fixed tools first, and the operations among the others where switched on', async () => {
    const { ask } = await served({ ...upstreams, operations: { tools: true } });
    const names = namesOf(await ask('tools/list'));
    expect(names.slice(0, 4)).toEqual(FIXED);
    expect(names.slice(4)).toEqual([...names.slice(4)].sort());
    for (const { id } of OPERATIONS) expect(names).toContain(`v1_${id}`);
    const health = await ask('tools/call', { name: 'v1_get_health', arguments: {} });
    expect((health as unknown as Called).structuredContent).toMatchObject({ status: 'ok' });
    const args = { name: 'fix_content' };
    const called = await ask('tools/call', { name: 'v1_call_tool', arguments: args });
    expect((called as unknown as Called).structuredContent).toHaveProperty('content');
    const unknown = await ask('tools/call', { name: 'v1_get_question', arguments: { id: 'x' } });
    expect(unknown).toMatchObject({ isError: true, content: [{ text: 'No question "x" waits' }] });
  });

  it('adds nothing to what is passed through', async () => {
    const { ask } = await served({ ...upstreams, ...large }, ['--passthrough', 'fix']);
    const names = namesOf(await ask('tools/list'));
    expect(names).toContain('content');
    expect(names.filter((name) => FIXED.includes(name))).toEqual([]);
    const { content } = (await ask('tools/call', { name: 'own_large' })) as unknown as Called;
    expect(content).toMatchObject([
      { type: 'text', text: expect.stringMatching(/^x{3000}/) as string },
    ]);
  });

  it('keeps what is larger than the configuration says inline', async () => {
    const { ask } = await served({ ...large, artifacts: { inlineLimit: '2KiB' } });
    const { content } = (await ask('tools/call', { name: 'own_large' })) as unknown as Called;
    const uri = content.find(({ type }) => type === 'resource_link')?.uri;
    const { contents } = await ask('resources/read', { uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/^x{3000}/) as string }]);
  });

  it.each(['artifacts', 'v1', 'mcpx'])('refuses a server of the name %s', async (name) => {
    const file = await configFile({ mcpServers: { [name]: fixtureServer('2025-11-25') } });
    onTestFinished(() => file.remove());
    const mcpx = new McpxProcess(['serve', '--config', file.path]);
    expect((await mcpx.ended).code).toBe(1);
    expect(mcpx.stderr).toContain(`/mcpServers/${name}: mcpx itself has the name`);
  });
});
