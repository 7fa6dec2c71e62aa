/** An upstream backend in front of a fixture upstream, and a client that is nothing but a context. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { CallToolResult } from '../../generated/newest/types.js';
import { NEWEST } from '../../generated/revisions.js';
import type { BackendEvent, Bare } from '../../src/backends/backend.js';
import type { Progress, RequestContext } from '../../src/backends/context.js';
import { UpstreamBackend } from '../../src/backends/upstream/backend.js';
import type {
  UpstreamOptions,
  UpstreamPatience,
  UpstreamTarget,
} from '../../src/backends/upstream/options.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { missingCapability } from '../../src/protocol/errors.js';
import type { Peer } from '../../src/protocol/peer.js';

const FOLDER = fileURLToPath(new URL('../fixtures/upstream/', import.meta.url));

export interface Opened {
  readonly backend: UpstreamBackend;
  readonly diagnostics: Diagnostics;
  readonly events: BackendEvent[];
  /** The next event that fits, among those that came and those to come. */
  readonly event: (wants: (event: BackendEvent) => boolean) => Promise<BackendEvent>;
}

/** Not started. Ends with the test. */
export function upstream(
  target: UpstreamTarget,
  patience: Partial<UpstreamPatience> = {},
  limits: Pick<UpstreamOptions, 'maxMessage'> = {},
): Opened {
  const diagnostics = new Diagnostics();
  const clientInfo = { name: 'mcpx', version: '0' };
  const namespace = 'fixture';
  const backend = new UpstreamBackend({
    ...{ namespace, target, clientInfo, patience, diagnostics },
    ...limits,
  });
  const events: BackendEvent[] = [];
  const waiting = new Set<() => void>();
  backend.onEvent((event) => {
    events.push(event);
    for (const wake of waiting) wake();
  });
  onTestFinished(() => backend.close());
  return {
    backend,
    diagnostics,
    events,
    event: async (wants) => {
      for (;;) {
        const found = events.find(wants);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
  };
}

export function overStdio(...args: string[]): UpstreamTarget {
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [`${FOLDER}stdio.mjs`, ...args],
    env: {},
  };
}

export async function overHttp(...args: string[]): Promise<UpstreamTarget & { url: string }> {
  const child = spawn(process.execPath, [`${FOLDER}http.mjs`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [line] = await new Promise<string[]>((resolve) => {
    child.stdout.once('data', (text: Buffer) => resolve(String(text).split('\n')));
  });
  return {
    kind: 'http',
    url: line ?? '',
    headers: { 'X-Test': 'yes', 'MCP-Protocol-Version': '1' },
  };
}

export interface FakeCall extends RequestContext {
  readonly updates: Progress[];
  readonly logged: unknown[];
  cancel(): void;
}

/** What the core makes for one request. */
export function call(
  options: { progress?: boolean; meta?: object; peer?: Partial<Peer> } = {},
): FakeCall {
  const controller = new AbortController();
  const updates: Progress[] = [];
  const logged: unknown[] = [];
  const nobody = (): Promise<never> => Promise.reject(missingCapability({ roots: {} }));
  return {
    canAsk: () => false,
    ask: nobody,
    elicit: nobody,
    sample: nobody,
    listRoots: nobody,
    takesLong: () => undefined,
    caller: '',
    peer: { revision: NEWEST, era: 'modern', capabilities: {}, ...options.peer },
    signal: controller.signal,
    cancellation: controller.signal,
    meta: { ...options.meta },
    wantsProgress: options.progress === true,
    progress: (update) => void updates.push(update),
    log: (level, data, logger) => void logged.push({ level, data, logger }),
    updates,
    logged,
    cancel: () => controller.abort(new Error('the client cancelled')),
  };
}

/** The one text of a result. */
export function textOf({ content }: Bare<CallToolResult>): string {
  const [block] = content;
  if (block?.type !== 'text') throw new Error(`no text but ${JSON.stringify(content)}`);
  return block.text;
}
