/** A raw client on a pair of streams: sends what it is told, keeps what comes back. */
import { PassThrough } from 'node:stream';
import { stringifyJson } from '../../src/protocol/json.js';
import type { Core } from '../../src/server/contract.js';
import { serveStdio, type StdioOptions, type StdioServer } from '../../src/transport/stdio.js';

export interface Message {
  jsonrpc?: string;
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

type Waiter = { wants: (frame: Message) => boolean; resolve: (frame: Message) => void };

export class StdioClient {
  readonly server: StdioServer;
  /** Everything that came, in order. */
  readonly received: Message[] = [];
  /** Arrays that came (answers to batches). */
  readonly batches: Message[][] = [];
  readonly output = new PassThrough();
  /** Sees each frame as it comes. */
  onFrame: (frame: Message) => void = () => undefined;
  readonly #input = new PassThrough();
  readonly #waiters: Waiter[] = [];
  #rest = '';
  #id = 0;

  constructor(core: Core, options: Partial<StdioOptions> = {}) {
    this.output.setEncoding('utf8');
    this.output.on('data', (text: string) => this.#take(text));
    this.server = serveStdio(core, { input: this.#input, output: this.output, ...options });
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const value = JSON.parse(line) as Message | Message[];
      if (Array.isArray(value)) {
        this.batches.push(value);
        for (const frame of value) this.#arrived(frame);
      } else {
        this.#arrived(value);
      }
    }
  }

  #arrived(frame: Message): void {
    this.received.push(frame);
    this.onFrame(frame);
    const at = this.#waiters.findIndex(({ wants }) => wants(frame));
    if (at >= 0) this.#waiters.splice(at, 1)[0]?.resolve(frame);
  }

  raw(bytes: string | Buffer): void {
    this.#input.write(bytes);
  }

  send(...frames: object[]): void {
    this.raw(frames.map((frame) => `${stringifyJson(frame)}\n`).join(''));
  }

  notify(method: string, params?: object): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** The next frame that fits, among those that came and those to come; `from` leaves out the earlier ones. */
  frame(wants: (frame: Message) => boolean, from = 0): Promise<Message> {
    const known = this.received.slice(from).find(wants);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiters.push({ wants, resolve }));
  }

  /** The reply, result or error. */
  async request(method: string, params?: object): Promise<Message> {
    const id = `c${++this.#id}`;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.frame((frame) => frame.id === id && frame.method === undefined);
  }

  async result(method: string, params?: object): Promise<Record<string, unknown>> {
    const { result, error } = await this.request(method, params);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async errorCode(method: string, params?: object): Promise<number | undefined> {
    return (await this.request(method, params)).error?.code;
  }

  /** The handshake of a legacy revision. */
  async initialize(protocolVersion: string, capabilities: object = {}): Promise<Message['result']> {
    const clientInfo = { name: 'test', version: '1' };
    const result = await this.result('initialize', { protocolVersion, capabilities, clientInfo });
    this.notify('notifications/initialized');
    return result;
  }

  /** Closes its end and waits until the server has done the same. */
  async end(): Promise<void> {
    this.#input.end();
    await this.server.closed;
  }
}
