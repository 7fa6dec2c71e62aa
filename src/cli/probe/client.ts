/** The plainest client there can be: sends what it is told, and keeps every frame that comes back. */
import type { Revision } from '../../../generated/revisions.js';
import type { Channel, OpenChannel } from '../../backends/upstream/channel.js';
import { plainNumbers, stringifyJson } from '../../protocol/json.js';
import { JSONRPC_VERSION, isObject, sortFrame } from '../../protocol/jsonrpc.js';

export interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string };
}

/** One frame of the server. */
export interface Heard {
  readonly frame: unknown;
  /** Of an answer. */
  readonly method: string | undefined;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The time is over. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const METHOD_NOT_FOUND = { code: -32601, message: 'This client only looks' };

export class ProbeClient {
  readonly heard: Heard[] = [];
  readonly #channel: Channel;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;

  /** `timeout`: for each answer, in milliseconds. */
  constructor(
    open: OpenChannel,
    private readonly timeout: number,
  ) {
    this.#channel = open({
      message: (value) => this.#message(value),
      unusable: (id, what) => {
        const waiting = this.#waiting.get(id);
        waiting?.reject(new Error(`${waiting.method} is answered with ${what}`));
      },
      closed: (reason) => this.#fail(reason),
    });
  }

  speaks(revision: Revision, agreed: boolean): void {
    this.#channel.speaks(revision, agreed);
  }

  /** Rejects where no answer comes: the transport fails, the server ends, the time is over. */
  async request(method: string, params: Record<string, unknown>): Promise<Answer> {
    const id = ++this.#id;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      timer = setTimeout(() => {
        this.#channel.abandon(id);
        reject(new NoAnswer(`no answer to ${method} within ${this.timeout} ms`));
      }, this.timeout);
    });
    const text = stringifyJson({ jsonrpc: JSONRPC_VERSION, id, method, params });
    this.#channel.send({ text, method, id, params }).catch((error: unknown) => {
      this.#waiting.get(id)?.reject(error as Error);
    });
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  async notify(method: string): Promise<void> {
    await this.#channel.send({ text: stringifyJson({ jsonrpc: JSONRPC_VERSION, method }), method });
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #message(value: unknown): void {
    const frame = plainNumbers(value);
    const sorted = sortFrame(frame);
    const id = isObject(frame) ? frame['id'] : undefined;
    const waiting = sorted.kind === 'response' ? this.#waiting.get(Number(id)) : undefined;
    this.heard.push({ frame, method: waiting?.method });
    if (sorted.kind === 'response') waiting?.resolve(sorted.frame);
    if (sorted.kind === 'request') this.#answer(sorted.frame.id, sorted.frame.method);
  }

  /** The server must not hang because the client has nothing to offer. */
  #answer(id: unknown, method: string): void {
    const said = method === 'ping' ? { result: {} } : { error: METHOD_NOT_FOUND };
    const text = stringifyJson({ jsonrpc: JSONRPC_VERSION, id, ...said });
    this.#channel.send({ text, method: undefined }).catch((error: unknown) => {
      this.#fail(error as Error);
    });
  }

  #fail(reason: Error): void {
    for (const { reject } of this.#waiting.values()) reject(reason);
  }
}
