/** The servers under test, each a process of its own with the strict check on. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.js';

export interface RunningTarget {
  readonly url: string;
  /** What it wrote so far. */
  readonly output: () => string;
  stop(): Promise<unknown>;
}

export interface Target {
  readonly name: string;
  start(): Promise<RunningTarget>;
}

const START_TIMEOUT_MS = 30_000;
const LISTENING = /(http:\/\/(?:127\.0\.0\.1|localhost):\d+\/mcp)/;
const STRICT = { MCPX_CHECK_OUTGOING: 'error', MCPX_UPSTREAM_ERA_CACHE: 'false' };

const script = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A server made with the library face, over HTTP. */
const library: Target = {
  name: 'library',
  start: () => serve([script('./surface/over-http.ts')]),
};

/** The command line, passing a stdio upstream through: the same surface in a process behind it. */
const gateway: Target = {
  name: 'gateway',
  start: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpx-conformance-'));
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({ mcpServers: { surface: upstream() } }));
    const running = await serve([
      ...[script('../../src/cli/main.ts'), 'serve', '--http', '127.0.0.1:0'],
      ...['--config', config, '--passthrough', 'surface'],
    ]);
    return {
      ...running,
      stop: async () => {
        await running.stop();
        await rm(folder, { recursive: true });
      },
    };
  },
};

export const TARGETS: readonly Target[] = [library, gateway];

function upstream() {
  return {
    command: process.execPath,
    args: ['--import', 'tsx', script('./surface/over-stdio.ts')],
    env: STRICT,
  };
}

async function serve(args: readonly string[]): Promise<RunningTarget> {
  const child = startChild(process.execPath, ['--import', 'tsx', ...args], { env: STRICT });
  const tooLate = setTimeout(() => void child.stop(), START_TIMEOUT_MS);
  try {
    const url = await child.printed(LISTENING);
    return { url, output: child.output, stop: child.stop };
  } finally {
    clearTimeout(tooLate);
  }
}
