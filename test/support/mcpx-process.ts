/** `mcpx serve` as a process of its own, from source, with the strict check on. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const UPSTREAM = fileURLToPath(new URL('../fixtures/upstream/', import.meta.url));
/** By its address: the child may run in another folder. */
const TSX = createRequire(import.meta.url).resolve('tsx');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class McpxProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  readonly #listeners = new Set<() => void>();

  /** `program`: another than the command line. */
  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}, program = MAIN) {
    this.child = spawn(process.execPath, ['--import', TSX, program, ...args], {
      env: { ...process.env, MCPX_CHECK_OUTGOING: 'error', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#tell();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#tell();
    });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        resolve({ code, signal });
        this.#tell();
      });
    });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** What the pattern's first group finds, or all of it, as soon as one of the outputs has it. */
  async printed(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (found !== null) return found[1] ?? found[0];
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        await this.ended;
        throw new Error(`mcpx ended without ${String(pattern)}:\n${this.stdout}${this.stderr}`);
      }
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  /** Ends its input and waits for it to end. */
  async finish(): Promise<Ended> {
    this.child.stdin?.end();
    return this.ended;
  }

  async stop(): Promise<Ended> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** A folder with a configuration file; `remove` takes it away. */
export async function configFile(
  content: object | string,
): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-test-'));
  const path = join(folder, 'config.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** The fixture upstream on stdio, as a server of the configuration file. */
export function fixtureServer(revision: string, ...more: string[]): object {
  return { command: process.execPath, args: [join(UPSTREAM, 'stdio.mjs'), revision, ...more] };
}

/** The upstream that asks, likewise. */
export function askingServer(revision: string): object {
  return { command: process.execPath, args: [join(UPSTREAM, 'asking.mjs'), revision] };
}

export const EVERYTHING = {
  command: process.execPath,
  args: [
    fileURLToPath(
      new URL(
        '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
        import.meta.url,
      ),
    ),
  ],
};
