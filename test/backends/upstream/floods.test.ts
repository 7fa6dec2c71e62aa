import { describe, expect, it } from 'vitest';
import '../../support/strict.js';
import { call, overStdio, upstream } from '../../support/upstream.js';

describe('a process that floods its output', () => {
  it('does not keep others waiting', async () => {
    const flood = `const text = 'noise\\n'.repeat(100_000);
      const write = () => process.stdout.write(text, write);
      write();`;
    const target = {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', flood],
      env: {},
    } as const;
    const flooding = upstream(target, { startTimeout: 60_000, probeTimeout: 30_000 });
    const { backend } = upstream(overStdio('2025-06-18'));
    await backend.start();
    void flooding.backend.start().catch(() => undefined);
    const noise = (): number => flooding.diagnostics.count('upstream-line-not-json');
    await expect.poll(noise, { timeout: 10_000 }).toBeGreaterThan(100_000);
    let slowest = 0;
    for (let n = 0; n < 20; n++) {
      const since = performance.now();
      await backend.callTool('give_string', {}, call());
      slowest = Math.max(slowest, performance.now() - since);
    }
    expect(slowest).toBeLessThan(1_000);
  }, 60_000);
});
