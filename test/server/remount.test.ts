import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { UpstreamBackend } from '../../src/backends/upstream/backend.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import type { Mount } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { GatewayClient } from '../support/gateway.js';
import { StdioClient } from '../support/stdio-client.js';
import '../support/strict.js';

const HELD = fileURLToPath(new URL('../fixtures/upstream/held.mjs', import.meta.url));

async function house(drainGrace?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-held-'));
  const diagnostics = new Diagnostics();
  const held = (label: string, ...start: string[]): Mount => {
    const args = [HELD, label, folder, ...start];
    const backend = new UpstreamBackend({
      namespace: 'up',
      target: { kind: 'stdio', command: process.execPath, args, env: {} },
      clientInfo: { name: 'mcpx', version: '0' },
      diagnostics,
    });
    return { backend, names: 'namespaced' };
  };
  const serve = (mount: Mount) => {
    // So that there is a list at all times.
    const here = new LocalBackend('here');
    here.addTool({ name: 'stays' }, () => '');
    const core = createCore({
      info: { name: 'gateway', version: '1' },
      mounts: [{ backend: here, names: 'own' }, mount],
      settings: { listChangedDelay: 1, ...(drainGrace !== undefined && { drainGrace }) },
      diagnostics,
    });
    const raw = new StdioClient(core);
    onTestFinished(async () => {
      await raw.end();
      await core.close(0);
      await rm(folder, { recursive: true });
    });
    return { core, client: new GatewayClient(raw, NEWEST, {}), raw };
  };
  return { diagnostics, held, serve, release: (tag: string) => writeFile(join(folder, tag), '') };
}

describe('a backend that is taken away', () => {
  it('is closed when its calls have had their time, and they fail with a reason', async () => {
    const { diagnostics, held, serve } = await house(30);
    const one = held('one');
    const { core, client } = serve(one);
    await core.start();
    const slow = client.request('tools/call', { name: 'up_hold', arguments: { tag: 'a' } });
    const listed = await client.names();
    expect(listed).toContain('up_one');
    await core.remount({ removed: [one], added: [] });
    expect((await slow).error?.message).toMatch(/^Upstream "up" went away before it answered: /);
    expect(diagnostics.count('calls-cut')).toBe(1);
    expect(await client.names()).toEqual(['stays']);
  });

  it('fails the calls that it still has when it ends by itself', async () => {
    const { held, serve } = await house();
    const one = held('one');
    const { core, client } = serve(one);
    await core.start();
    const pid = Number(await client.text('up_pid'));
    const slow = client.request('tools/call', { name: 'up_hold', arguments: { tag: 'a' } });
    await client.names();
    await core.remount({ removed: [one], added: [] });
    process.kill(pid, 'SIGKILL');
    expect((await slow).error?.message).toMatch(/was ended by SIGKILL$/);
  });

  it('is gone when the core has closed, and so is one that was to come', async () => {
    const { diagnostics, held, serve } = await house();
    const one = held('one');
    const { core, client } = serve(one);
    await core.start();
    void client.request('tools/call', { name: 'up_hold', arguments: { tag: 'a' } });
    await client.names();
    const two = held('two', 'never');
    const tried = core.remount({ removed: [one], added: [two] });
    await core.close(0);
    await tried;
    expect(diagnostics.count('backend-failed')).toBe(0);
    await expect(two.backend.start()).rejects.toThrow('it is closed');
  });
});

describe('a backend that is late', () => {
  it('is news to clients that were served without it', async () => {
    const { held, serve, release } = await house();
    const { core, client, raw } = serve(held('one', 'start'));
    const started = core.start();
    expect(await client.names()).toEqual(['stays']);
    raw.send({
      jsonrpc: '2.0',
      id: 'L',
      method: 'subscriptions/listen',
      params: client.params({ notifications: { toolsListChanged: true } }),
    });
    await raw.frame(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await release('start');
    await started;
    await raw.frame(({ method }) => method === 'notifications/tools/list_changed');
    expect(await client.names()).toContain('up_one');
  });
});
