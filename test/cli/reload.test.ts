import { rename, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { HttpClient } from '../support/http-client.js';
import { McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';
import { scripted, toolsPage } from '../support/gateway.js';

const counting = (tool: string): object => {
  const results = { [`tools/call ${tool}`]: { content: [{ type: 'text', text: tool }] } };
  const { command, args } = scripted({
    pages: toolsPage({ name: tool }, { name: 'received' }),
    results,
  });
  return { command, args };
};

async function serving(servers: object) {
  const file = await configFile({ mcpServers: servers });
  const mcpx = new McpxProcess(['serve', '--config', file.path, '--http', '127.0.0.1:0']);
  const client = new HttpClient(await mcpx.printed(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/));
  onTestFinished(async () => {
    await client.close();
    await mcpx.stop();
    await file.remove();
  });
  const names = async (): Promise<string[]> => {
    const { result } = await (await client.modern('tools/list')).message();
    return (result?.['tools'] as { name: string }[]).map(({ name }) => name);
  };
  const text = async (name: string): Promise<string> => {
    const { result } = await (await client.modern('tools/call', { name })).message();
    return (result?.['content'] as { text: string }[])[0]?.text ?? '';
  };
  return { file, mcpx, client, names, text };
}

describe('a configuration that changes while it is served', () => {
  it('brings and takes away upstreams, and leaves alone those that it does not touch', async () => {
    const { file, names, text, mcpx } = await serving({
      stays: counting('a'),
      goes: counting('b'),
    });
    expect(await names()).toEqual(expect.arrayContaining(['stays_a', 'goes_b']));
    await text('stays_a');
    const next = { mcpServers: { stays: counting('a'), comes: counting('c') } };
    // As editors do it: a new file in the place of the old one.
    await writeFile(`${file.path}.new`, JSON.stringify(next));
    await rename(`${file.path}.new`, file.path);
    await expect.poll(names).toEqual(expect.arrayContaining(['stays_a', 'comes_c']));
    expect(await names()).not.toContain('goes_b');
    expect(await text('comes_c')).toBe('c');
    // The same process still: it remembers the call before.
    expect((await text('stays_received')).split('"tools/call"')).toHaveLength(3);
    expect(mcpx.stderr).toContain('configuration taken up');
  });

  it('is looked at again on SIGHUP, and not taken up where it is wrong', async () => {
    const { file, names, mcpx } = await serving({ stays: counting('a') });
    const before = await names();
    await writeFile(file.path, '{ "mcpServers": { "stays": {} } }');
    mcpx.child.kill('SIGHUP');
    await mcpx.printed(/the configuration stays as it was: .*\/mcpServers\/stays: needs a command/);
    expect(await names()).toEqual(before);
    await writeFile(file.path, JSON.stringify({ mcpServers: { stays: counting('z') } }));
    mcpx.child.kill('SIGHUP');
    await expect.poll(names).toContain('stays_z');
    expect(await names()).not.toContain('stays_a');
  });

  it('is told to clients that listen', async () => {
    const { file, client } = await serving({ one: fixtureServer(NEWEST) });
    const listening = await client.modern('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const events = listening.events();
    await events.first(1);
    const next = { mcpServers: { one: fixtureServer(NEWEST), two: counting('a') } };
    await writeFile(file.path, JSON.stringify(next));
    const told = await events.first(2);
    expect(told[1]?.method).toBe('notifications/tools/list_changed');
    events.drop();
  });
});
