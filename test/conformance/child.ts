/** Child processes of a conformance run: their output is kept, their time is bounded. */
import { spawn } from 'node:child_process';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly exited: Promise<Exit>;
  /** The last of what it wrote, both streams together. */
  readonly output: () => string;
  /** The first group of the pattern, once the output matches. Rejects if the child ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** Asks it to end, and ends it if it does not. */
  readonly stop: () => Promise<Exit>;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** It is killed after that long. */
  readonly timeoutMs?: number;
}

const OUTPUT_KEPT = 64 * 1024;
const STOP_GRACE_MS = 5_000;

export function startChild(
  command: string,
  args: readonly string[],
  { env = {}, timeoutMs }: ChildOptions = {},
): Child {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    // An open stdin keeps a server that ends with its input alive.
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const take = (chunk: string): void => {
    output = (output + chunk).slice(-OUTPUT_KEPT);
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);

  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => {
      take(`${error.message}\n`);
      resolve({ code: null, signal: null });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const kill = (): void => void child.kill('SIGKILL');
  const deadline = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
  // Should this process end first, by whatever way, it takes its children along.
  process.once('exit', kill);
  void exited.then(() => {
    clearTimeout(deadline);
    process.removeListener('exit', kill);
  });

  return {
    exited,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)?.[1];
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        void exited.then(() => reject(new Error(`${command} ended before it was up:\n${output}`)));
        look();
      }),
    stop: async () => {
      child.kill('SIGTERM');
      const grace = setTimeout(kill, STOP_GRACE_MS);
      const exit = await exited;
      clearTimeout(grace);
      return exit;
    },
  };
}
