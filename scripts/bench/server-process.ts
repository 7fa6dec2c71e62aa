/** A server of the bench in a process of its own, run by plain node as in production. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a process has used since its start. */
export interface Usage {
  /** Time on a processor, in microseconds. */
  readonly cpu: number;
  /** Memory that is resident, in bytes. */
  readonly rss: number;
}

export interface Launch {
  /** A file in `servers/`, without its ending. */
  readonly script: string;
  readonly args?: readonly string[];
  /** With it, memory is counted after a collection. */
  readonly exposeGc?: boolean;
  /** Whether the bench talks to it on its standard input and output. */
  readonly stdio?: boolean;
}

const SERVERS = join(import.meta.dirname, 'servers');

export class ServerProcess {
  private constructor(
    readonly child: ChildProcess,
    private readonly address: string | undefined,
  ) {}

  /** Resolves when the server can be talked to. Rejects if it ends before. */
  static async start({ script, args = [], exposeGc, stdio }: Launch): Promise<ServerProcess> {
    const flags = exposeGc === true ? ['--expose-gc'] : [];
    const pipe = stdio === true ? 'pipe' : 'ignore';
    const child = spawn(process.execPath, [...flags, join(SERVERS, `${script}.mjs`), ...args], {
      stdio: [pipe, pipe, 'inherit', 'ipc'],
    });
    const { url } = (await told(child, script)) as { url?: string };
    return new ServerProcess(child, url);
  }

  /** Of a server on HTTP. */
  get url(): URL {
    if (this.address === undefined) throw new Error('A server on stdio has no URL');
    return new URL(this.address);
  }

  async usage(): Promise<Usage> {
    const answer = told(this.child, 'usage');
    this.child.send('usage');
    return (await answer) as Usage;
  }

  async stop(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

async function told(child: ChildProcess, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', heard);
      child.off('exit', ended);
    };
    const heard = (message: unknown): void => {
      settle();
      resolve(message);
    };
    const ended = (code: number | null): void => {
      settle();
      reject(new Error(`${what}: the server ended with ${code ?? 'a signal'}`));
    };
    child.on('message', heard);
    child.on('exit', ended);
  });
}
