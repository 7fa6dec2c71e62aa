/** An upstream that is a child process: frames are lines on its stdin and stdout. */
import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { parseJson } from '../../protocol/json.js';
import { LineReader } from '../../protocol/line-reader.js';
import { LineWriter } from '../../protocol/line-writer.js';
import { inheritedEnvironment, signalGroup } from '../child-process.js';
import { takeInTurns } from './in-turns.js';
import { startFault } from './start-fault.js';
import { TransportFailure, type Channel, type ChannelListener, type Sending } from './channel.js';
import type { StdioTarget } from './options.js';
import { Overlong } from './overlong.js';

const MAX_LOG_LINE = 16 * 1024;

/** How long a process may take to end by itself, and then to obey SIGTERM, in milliseconds. */
const GRACE = 2_000;
/** How long after its end its output may be held open by a child of its own, in milliseconds. */
const LAST_WORDS = 500;

/** Those that run, or have left something behind. Whatever way mcpx ends, it all ends with it. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/** What a process that has ended had started itself: nobody else would ever end it. */
async function endLeftovers(child: ChildProcess): Promise<void> {
  if (signalGroup(child, 'SIGTERM')) {
    await new Promise((resolve) => setTimeout(resolve, LAST_WORDS));
    signalGroup(child, 'SIGKILL');
  }
  running.delete(child);
}

/** What begins otherwise is not worth an attempt: a failed one costs a hundred times as much. */
const FRAME = /^\s*[{[]/;

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export class StdioChannel implements Channel {
  readonly #child: ChildProcess;
  readonly #writer: LineWriter | undefined;
  readonly #ended: Promise<void>;
  #leftovers: Promise<void> | undefined;
  #closing = false;
  #over = false;

  constructor(
    target: StdioTarget,
    private readonly namespace: string,
    private readonly listener: ChannelListener,
    private readonly diagnostics: Diagnostics,
    /** In bytes, of a line. */
    private readonly maxMessage: number,
  ) {
    const { command, args, env, cwd } = target;
    const child = spawn(command, [...args], {
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: an interrupt at the terminal is for mcpx, which ends its upstreams in order.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    running.add(child);
    this.#ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        if (this.#over) return;
        this.#over = true;
        this.#writer?.abandon();
        resolve();
        if (!this.#closing) this.listener.closed(new TransportFailure(reason));
      };
      child.once('error', (error) => {
        running.delete(child);
        end(`cannot start ${command}: ${startFault(target, error)}`);
      });
      child.once('exit', (code, name) => {
        const how = name === null ? `exited with code ${code}` : `was ended by ${name}`;
        const reason = `the process ${command} ${how}`;
        const late = setTimeout(() => end(reason), LAST_WORDS);
        this.#leftovers = endLeftovers(child);
        child.once('close', () => {
          clearTimeout(late);
          end(reason);
        });
      });
    });
    this.#writer = child.stdin === null ? undefined : this.#writes(child.stdin);
    this.#reads(child);
  }

  #writes(stdin: NonNullable<ChildProcess['stdin']>): LineWriter {
    // Nobody reads any more; that the process ends as well is told by its exit.
    stdin.on('error', (error) => this.#note('upstream-stdin-failed', { err: error }));
    return new LineWriter(stdin, () => undefined);
  }

  #reads({ stdout, stderr }: ChildProcess): void {
    const overlong = new Overlong(this.maxMessage, this.namespace, this.listener, this.diagnostics);
    const frames = new LineReader(
      {
        line: (text) => this.#line(text),
        overlong: () => overlong.begins(),
        // What is looked for is ASCII.
        skipped: (piece) => overlong.goesOn(piece.toString('latin1')),
        undecodable: () => this.#note('upstream-line-undecodable', { expected: 'UTF-8' }),
      },
      this.maxMessage,
    );
    if (stdout !== null) takeInTurns(stdout, (chunk) => frames.push(chunk));
    stdout?.once('end', () => frames.end());
    const log = new LineReader(
      {
        line: (line) =>
          this.diagnostics.logger.info({ namespace: this.namespace, line }, 'upstream stderr'),
        overlong: () => this.#note('upstream-stderr-overlong', { limit: MAX_LOG_LINE }),
        undecodable: () => this.#note('upstream-stderr-undecodable', { expected: 'UTF-8' }),
      },
      MAX_LOG_LINE,
    );
    if (stderr !== null) takeInTurns(stderr, (chunk) => log.push(chunk));
    stderr?.once('end', () => log.end());
  }

  /** Banners and the like break a rule, but are no reason to give up on the process. */
  #line(text: string): void {
    const value = FRAME.test(text) ? parsed(text) : undefined;
    if (value === undefined) this.#note('upstream-line-not-json', { line: text.slice(0, 200) });
    else this.listener.message(value);
  }

  send({ text }: Sending): Promise<void> {
    if (this.#over || this.#closing) {
      return Promise.reject(new TransportFailure('the process has ended'));
    }
    this.#writer?.write(text);
    return Promise.resolve();
  }

  abandon(): boolean {
    return false;
  }

  speaks(): void {
    // Lines are the same in every revision.
  }

  ready(): void {
    // What is said unasked comes on the same lines.
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#over) return this.#leftovers;
    void this.#writer?.end().then(() => this.#child.stdin?.end());
    const terminate = setTimeout(() => signalGroup(this.#child, 'SIGTERM'), GRACE);
    const kill = setTimeout(() => signalGroup(this.#child, 'SIGKILL'), 2 * GRACE);
    await this.#ended;
    clearTimeout(terminate);
    clearTimeout(kill);
    await this.#leftovers;
  }

  #note(event: string, details: object): void {
    this.diagnostics.note(event, { namespace: this.namespace, ...details });
  }
}
