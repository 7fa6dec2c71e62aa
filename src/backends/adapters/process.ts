/** One run of a process: what it is given, what it says, bounded in time and size. */
import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import { inheritedEnvironment, signalGroup } from '../child-process.js';

export interface ProcessRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
  readonly cwd: string | undefined;
  /** Added to the environment of mcpx itself, without its own `MCPX_` variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until it has to have ended. */
  readonly timeout: number;
  /** Bytes of stdout. */
  readonly maxOutput: number;
  readonly signal: AbortSignal;
}

export interface ProcessEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** It did not come to its end. The message says why, and is fit to be shown. */
export class ProcessFailure extends Error {
  override readonly name = 'ProcessFailure';
}

/** Bytes of stderr that are kept. */
const MAX_STDERR = 64 * 1024;
/** How long it may take to obey SIGTERM, in milliseconds. */
const GRACE = 2_000;

/** Those that run. Whatever way mcpx ends, they do not stay behind. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/** Rejects with `ProcessFailure`, or with the signal's reason where that ended it. */
export function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const { command, args, stdin, cwd, env, timeout, maxOutput, signal } = run;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    running.add(child);
    let failure: Error | undefined;
    let kill: NodeJS.Timeout | undefined;
    const stop = (why: Error): void => {
      if (failure !== undefined) return;
      failure = why;
      signalGroup(child, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE);
    };
    const timer = setTimeout(
      () => stop(new ProcessFailure(`${command} did not end within ${timeout} ms`)),
      timeout,
    );
    const aborted = (): void => stop(signal.reason as Error);
    signal.addEventListener('abort', aborted, { once: true });

    const stdout = new Kept(maxOutput);
    const stderr = new Kept(MAX_STDERR);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (stdout.add(chunk)) return;
      stop(new ProcessFailure(`${command} wrote more than ${maxOutput} bytes`));
    });
    child.stderr?.on('data', (chunk: Buffer) => void stderr.add(chunk));
    // Not every command reads what it is given.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin ?? '');

    const ended = (finish: () => void): void => {
      clearTimeout(timer);
      clearTimeout(kill);
      signal.removeEventListener('abort', aborted);
      running.delete(child);
      finish();
    };
    child.once('error', (error) =>
      ended(() => reject(new ProcessFailure(`cannot start ${command}: ${error.message}`))),
    );
    child.once('close', (code, name) =>
      ended(() => {
        if (failure !== undefined) reject(failure);
        else if (code === null) reject(new ProcessFailure(`${command} was ended by ${name}`));
        else resolve({ code, stdout: stdout.text, stderr: stderr.text });
      }),
    );
  });
}

/** The first bytes of a stream. */
class Kept {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(private readonly limit: number) {}

  /** False where not all of it was kept. */
  add(chunk: Buffer): boolean {
    const room = this.limit - this.#size;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#size += chunk.length;
    return this.#size <= this.limit;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
