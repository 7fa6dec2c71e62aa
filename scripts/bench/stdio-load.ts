/** Load on a server over stdio: a fixed number of requests in flight, a new one for each answer. */
import { once } from 'node:events';
import {
  AnswerCheck,
  RequestTemplate,
  INITIALIZED,
  frameOf,
  initializeFrame,
  nextId,
  type Asked,
} from './requests.js';
import type { Contestant, Sample } from './rounds.js';
import type { ServerProcess } from './server-process.js';

const WARM_UP = 0.4;

export class StdioLoad implements Contestant {
  readonly #check: AnswerCheck;
  readonly #line: RequestTemplate;
  readonly #waiting = new Set<number>();
  #rest = '';
  #answers = 0;
  #end = 0;
  #done: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  private constructor(
    readonly name: string,
    private readonly process: ServerProcess,
    asked: Asked,
    private readonly inFlight: number,
  ) {
    this.#check = new AnswerCheck(asked);
    this.#line = new RequestTemplate((id) => `${frameOf(asked, id)}\n`);
  }

  /** `handshake`: whether the server wants one. */
  static async open(
    name: string,
    process: ServerProcess,
    asked: Asked,
    { inFlight, handshake }: { inFlight: number; handshake: boolean },
  ): Promise<StdioLoad> {
    const { stdin, stdout } = process.child;
    stdout?.setEncoding('latin1');
    if (handshake) {
      stdin?.write(`${initializeFrame()}\n`);
      if (stdout !== null) await once(stdout, 'data');
      stdin?.write(`${INITIALIZED}\n`);
    }
    const load = new StdioLoad(name, process, asked, inFlight);
    stdout?.on('data', (text: string) => load.#take(text));
    return load;
  }

  async measure(ms: number): Promise<Sample> {
    await this.#run(ms * WARM_UP);
    const before = await this.process.usage();
    const started = performance.now();
    const answers = await this.#run(ms);
    const seconds = (performance.now() - started) / 1000;
    const after = await this.process.usage();
    return { perSecond: answers / seconds, cpu: (after.cpu - before.cpu) / answers };
  }

  #run(ms: number): Promise<number> {
    this.#answers = 0;
    this.#end = performance.now() + ms;
    return new Promise((resolve, reject) => {
      this.#done = { resolve: () => resolve(this.#answers), reject };
      this.#ask(this.inFlight);
    });
  }

  #ask(count: number): void {
    let lines = '';
    for (let left = count; left > 0; left--) {
      const id = nextId();
      this.#waiting.add(id);
      lines += this.#line.fill(id);
    }
    this.process.child.stdin?.write(lines, 'latin1');
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    try {
      for (const line of lines) this.#waiting.delete(this.#check.line(line, this.#waiting));
    } catch (error) {
      this.#done?.reject(error);
      return;
    }
    this.#answers += lines.length;
    if (performance.now() < this.#end) this.#ask(lines.length);
    else if (this.#waiting.size === 0) this.#done?.resolve();
  }
}
