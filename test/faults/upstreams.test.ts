import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import type { UpstreamTarget } from '../../src/backends/upstream/options.js';
import { gateway, scripted, toolsPage, type GatewayClient } from '../support/gateway.js';
import { ALL_REVISIONS } from '../support/peers.js';
import { overHttp } from '../support/upstream.js';
import '../support/strict.js';

const FAULTY = fileURLToPath(new URL('../fixtures/upstream/faulty.mjs', import.meta.url));
const OK = { content: [{ type: 'text', text: 'fine' }] };

const faulty = (...args: string[]): UpstreamTarget => ({
  kind: 'stdio',
  command: process.execPath,
  args: [FAULTY, ...args],
  env: {},
});
const sibling = () =>
  scripted({ pages: toolsPage({ name: 'ok' }), results: { 'tools/call ok': OK } });

async function startsFile(): Promise<{ path: string; count: () => Promise<number> }> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-faults-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'starts');
  const count = async () => (await readFile(path, 'utf8')).split('\n').length - 1;
  return { path, count };
}

/** Calls the sibling all the time, until told to stop; every call has to be answered as usual. */
function steadily(client: GatewayClient): () => Promise<number> {
  const told = new AbortController();
  const calling = async (): Promise<number> => {
    for (let calls = 0; ; calls++) {
      if (told.signal.aborted) return calls;
      expect(await client.text('good_ok')).toBe('fine');
    }
  };
  const all = calling();
  return () => {
    told.abort();
    return all;
  };
}

/** One that has ended, and that its parent has not asked about yet, does not count. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

const errorOf = async (client: GatewayClient, name: string) =>
  (await client.request('tools/call', { name })).error;

describe.each(ALL_REVISIONS)('to a client of %s, an upstream that', (revision) => {
  it('B47: is killed fails the calls it had in hand at once, by name, and is there again', async () => {
    const { client } = await gateway({ bad: faulty(), good: sibling() });
    const one = await client(revision);
    const stop = steadily(await client(revision));
    const pid = Number(await one.text('bad_pid'));
    const hanging = [errorOf(one, 'bad_hang'), errorOf(one, 'bad_hang')];
    // Requests on one connection go up in order: this answer says that the others are there.
    await one.text('bad_ok');
    process.kill(pid, 'SIGKILL');
    for (const error of await Promise.all(hanging)) {
      expect(error?.code).toBe(-32603);
      expect(error?.message).toMatch(/^Upstream "bad" went away before it answered: .*SIGKILL/);
    }
    expect(await one.names()).toContain('bad_ok');
    expect(Number(await one.text('bad_pid'))).not.toBe(pid);
    expect(await stop()).toBeGreaterThan(0);
  });
});

describe('an upstream that', () => {
  it('B47: crashes in a call is not called a second time for it', async () => {
    const { path, count } = await startsFile();
    const { client } = await gateway({ bad: faulty(path) });
    const one = await client('2025-11-25');
    const before = await count();
    expect((await errorOf(one, 'bad_crash'))?.message).toContain('exited with code 3');
    // The call that comes next finds it started anew, and once only: nobody has repeated the crash.
    expect(await one.text('bad_ok')).toBe('ok');
    expect(await count()).toBe(before + 1);
  });

  it('B47: crashes and comes back the same is no news for clients', async () => {
    const { client } = await gateway({ bad: faulty() });
    const one = await client('2025-11-25');
    await one.names();
    await errorOf(one, 'bad_crash');
    await one.text('bad_ok');
    await one.names();
    expect(one.raw.received.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it('B47: comes back with other tools is listed anew, and clients are told', async () => {
    const { path } = await startsFile();
    const { client } = await gateway({ bad: faulty(path, '0', 'changing') });
    const one = await client('2025-11-25');
    const before = await one.names();
    await errorOf(one, 'bad_crash');
    await one.raw.frame(({ method }) => method === 'notifications/tools/list_changed');
    const after = await one.names();
    expect(after.filter((name) => !before.includes(name))).toHaveLength(1);
    expect(before.filter((name) => !after.includes(name))).toHaveLength(1);
  });

  it('does not answer costs a call its time and nobody else anything', async () => {
    const { client } = await gateway(
      { bad: faulty(), good: sibling() },
      { patience: { callTimeout: 300 } },
    );
    const one = await client(NEWEST);
    const stop = steadily(await client(NEWEST));
    expect((await errorOf(one, 'bad_hang'))?.message).toBe(
      'Upstream "bad" has not answered tools/call within 300 ms',
    );
    expect(await one.text('bad_ok')).toBe('ok');
    expect((await errorOf(one, 'bad_late'))?.message).toContain('within 300 ms');
    expect(await one.text('bad_ok')).toBe('ok');
    expect(await stop()).toBeGreaterThan(0);
  });

  it('is stopped altogether leaves the list and its siblings as they were', async () => {
    const { client, core } = await gateway(
      { bad: faulty(), good: sibling() },
      { patience: { callTimeout: 200 } },
    );
    const one = await client('2025-06-18');
    const before = await one.names();
    const pid = Number(await one.text('bad_pid'));
    onTestFinished(() => {
      process.kill(pid, 'SIGCONT');
    });
    expect(await errorOf(one, 'bad_stop')).toBeDefined();
    expect((await errorOf(one, 'bad_ok'))?.message).toContain('within 200 ms');
    expect(await one.text('good_ok')).toBe('fine');
    expect(await one.names()).toEqual(before);
    process.kill(pid, 'SIGCONT');
    expect(await one.text('bad_ok')).toBe('ok');
    expect(core.phase).toBe('serving');
  });

  it('B45: floods its stdout is read on, counted, and answered for', async () => {
    const { client, diagnostics } = await gateway({ bad: faulty(), good: sibling() });
    const one = await client(NEWEST);
    const stop = steadily(await client(NEWEST));
    expect(await one.text('bad_flood')).toBe('after the flood');
    expect(diagnostics.count('upstream-line-not-json')).toBe(20_000);
    expect(await stop()).toBeGreaterThan(0);
  });

  it('writes a line without end costs that line only', async () => {
    const { client } = await gateway({ bad: faulty() }, { patience: { callTimeout: 200 } });
    const one = await client(NEWEST);
    expect((await errorOf(one, 'bad_endless'))?.message).toContain('within 200 ms');
    expect(await one.names()).toContain('bad_ok');
  });

  it('B47: cannot stay up is tried with longer and longer pauses, and gets there in the end', async () => {
    const { path, count } = await startsFile();
    // Two processes a try: one ends at the probe, and the next at the handshake.
    const { client, diagnostics } = await gateway({ bad: faulty(path, '6'), good: sibling() });
    const one = await client('2025-11-25');
    expect(await one.names()).toEqual(['good_ok']);
    const stop = steadily(await client('2025-11-25'));
    await one.raw.frame(({ method }) => method === 'notifications/tools/list_changed');
    expect(await one.text('bad_ok')).toBe('ok');
    expect(await one.names()).toHaveLength(9);
    expect(await count()).toBe(7);
    expect(diagnostics.count('upstream-down')).toBe(3);
    expect(await stop()).toBeGreaterThan(0);
  });

  it('B48: is not there at all says so, and takes nothing from the list', async () => {
    const target = { kind: 'stdio', command: 'no-such-command', args: [], env: {} } as const;
    const { client, backends } = await gateway({ bad: target, good: sibling() });
    expect(await (await client(NEWEST)).names()).toEqual(['good_ok']);
    expect(backends['bad']?.status.state).toBe('down');
    expect(backends['bad']?.status.lastError?.message).toMatch(
      /cannot start no-such-command: .* PATH: .*bin/,
    );
  });

  it('B47: is closed on purpose does not come back', async () => {
    const { path, count } = await startsFile();
    const { core, client } = await gateway({ bad: faulty(path) });
    expect(await count()).toBe(1);
    const pid = Number(await (await client(NEWEST)).text('bad_pid'));
    await core.close(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await count()).toBe(1);
  });

  it('does not end by itself is asked to, then told to, then killed, with all it has started', async () => {
    const { path } = await startsFile();
    const { core, client } = await gateway({ bad: faulty(path, '0', 'stubborn') });
    const pids = (await (await client(NEWEST)).text('bad_pid')).split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await core.close(0);
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await readFile(path, 'utf8')).split('\n')).toEqual(['start', 'end', 'SIGTERM', '']);
  });

  it.each(['crashes', 'is ended'])('%s takes along what it has started', async (how) => {
    const { path } = await startsFile();
    const { core, client } = await gateway({ bad: faulty(path, '0', 'parent') });
    const one = await client(NEWEST);
    const [pid = 0, child = 0] = (await one.text('bad_pid')).split(' ').map(Number);
    expect(isAlive(child)).toBe(true);
    onTestFinished(() => {
      if (isAlive(child)) process.kill(child, 'SIGKILL');
    });
    if (how === 'crashes') await errorOf(one, 'bad_crash');
    else await core.close(0);
    for (const ended of [pid, child])
      await expect.poll(() => isAlive(ended), { timeout: 5000 }).toBe(false);
  });

  it('drops its session is given one new one for all the calls that wait', async () => {
    const target = await overHttp('2025-11-25');
    const { client } = await gateway({ bad: target, good: sibling() });
    const one = await client(NEWEST);
    await fetch(new URL('/forget', target.url));
    const calls = Array.from({ length: 10 }, () => one.text('bad_give_string'));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['"text"']));
    const seen = (await (await fetch(new URL('/seen', target.url))).json()) as {
      method: string;
      session?: string;
    }[];
    const sessions = new Set(seen.flatMap(({ session }) => session ?? []));
    expect(sessions.size).toBe(2);
  });

  it('B47: flaps keeps its tools on the list, and its calls never wait for long', async () => {
    const { client } = await gateway({ bad: faulty(), good: sibling() });
    const one = await client('2025-11-25');
    const before = await one.names();
    const stop = steadily(await client('2025-11-25'));
    for (let round = 0; round < 6; round++) {
      const error = await errorOf(one, 'bad_crash');
      expect(error?.message).toMatch(
        /^Upstream "bad" (went away|is not running|cannot be reached)/,
      );
      expect(await one.names()).toEqual(before);
    }
    expect(await stop()).toBeGreaterThan(0);
  });
});
