/**
 * Clients of every revision on both transports, as raw frames. Each frame is judged by the strict
 * checker for the client's revision, from the text as it came; those that the client sends, too.
 */
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { FACTS } from '../../generated/facts.js';
import type { Checker } from '../../src/edge/check.js';
import type { Violation } from '../../src/edge/contract.js';
import { HttpClient, type EventReader, type Headers } from '../support/http-client.js';
import type { McpxProcess } from '../support/mcpx-process.js';
import { isModern, paramsFor } from '../support/peers.js';
import type { Message } from '../support/stdio-client.js';

/** The result of a request of the server; undefined leaves it without an answer. */
export type Answers = Readonly<Record<string, () => Result | undefined>>;

export interface CheckedOptions {
  readonly capabilities?: object;
  readonly answers?: Answers;
}

type Result = Record<string, unknown>;
type Waiter = { wants: (frame: Message) => boolean; resolve: (frame: Message) => void };

export abstract class CheckedClient {
  readonly violations: Violation[] = [];
  /** Requests and notifications that came. */
  readonly received: Message[] = [];
  /** Methods of what was sent, and of the questions that came inside results. */
  readonly sent = new Set<string>();
  readonly askedInside = new Set<string>();
  /** The text of the last reply. */
  lastText = '';
  readonly capabilities: object;
  readonly #answers: Answers;
  readonly #methods = new Map<unknown, string>();
  readonly #waiters = new Set<Waiter>();
  #id = 0;

  constructor(
    readonly revision: Revision,
    private readonly check: Checker,
    { capabilities = {}, answers = {} }: CheckedOptions = {},
  ) {
    this.capabilities = capabilities;
    this.#answers = answers;
  }

  abstract open(): Promise<void>;
  abstract close(): Promise<void>;
  /** Resolves to the reply. */
  protected abstract exchange(frame: Message): Promise<Message>;
  /** What is no request. */
  protected abstract tell(frame: Message): Promise<void>;

  get notifications(): Message[] {
    return this.received.filter(({ id }) => id === undefined);
  }

  async request(method: string, params: object = {}, meta: object = {}): Promise<Message> {
    const id = this.nextId;
    this.#id++;
    this.#methods.set(id, method);
    const frame = { jsonrpc: '2.0', id, method, params: this.#params(params, meta) } as Message;
    this.#judge('client', frame, method);
    this.sent.add(method);
    return this.exchange(frame);
  }

  async result(method: string, params: object = {}, meta: object = {}): Promise<Result> {
    const { result, error } = await this.request(method, params, meta);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async notify(method: string, params: object = {}): Promise<void> {
    const frame = { jsonrpc: '2.0', method, params } as Message;
    this.#judge('client', frame, method);
    this.sent.add(method);
    await this.tell(frame);
  }

  /** The id that the next request will have. */
  get nextId(): string {
    return `${this.revision}-${this.#id + 1}`;
  }

  /**
   * The first request or notification that fits, among those that came and those to come; `from` leaves
   * out the earlier ones.
   */
  heard(wants: (frame: Message) => boolean, from = 0): Promise<Message> {
    const known = this.received.slice(from).find(wants);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiters.add({ wants, resolve }));
  }

  /** Every page. */
  async list(method: string, key: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let cursor: unknown;
    do {
      const page = await this.result(method, cursor === undefined ? {} : { cursor });
      items.push(...(page[key] as Record<string, unknown>[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return items;
  }

  protected async handshake(): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    const { capabilities } = this;
    const params = { protocolVersion: this.revision, capabilities, clientInfo };
    const { protocolVersion } = await this.result('initialize', params);
    if (protocolVersion !== this.revision) throw new Error(`agreed on ${String(protocolVersion)}`);
  }

  /** Judges one frame; what is no reply is kept, and answered where it asks. */
  protected arrived(text: string): Message {
    const frame = JSON.parse(text) as Message;
    const { method, id, result } = frame;
    this.#judge('server', frame, method ?? this.#methods.get(id));
    if (method === undefined) {
      this.lastText = text;
      const questions = Object.values((result?.['inputRequests'] ?? {}) as Record<string, Message>);
      for (const question of questions) this.askedInside.add(String(question.method));
      return frame;
    }
    this.received.push(frame);
    for (const waiter of this.#waiters) {
      if (!waiter.wants(frame)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(frame);
    }
    if (id !== undefined) this.#answer(method, id);
    return frame;
  }

  #answer(method: string, id: string | number): void {
    const give = this.#answers[method];
    if (give === undefined) throw new Error(`The client was asked for ${method}`);
    const result = give();
    if (result === undefined) return;
    const frame = { jsonrpc: '2.0', id, result };
    this.#judge('client', frame, method);
    void this.tell(frame);
  }

  #params(params: object, meta: object): Record<string, unknown> {
    const declared = { 'io.modelcontextprotocol/clientCapabilities': this.capabilities };
    const all = isModern(this.revision) ? { ...declared, ...meta } : meta;
    return paramsFor(this.revision, params, all) as Record<string, unknown>;
  }

  #judge(sender: 'client' | 'server', frame: Message, method: string | undefined): void {
    const kind =
      frame.method === undefined
        ? frame.result === undefined
          ? 'error'
          : 'result'
        : frame.id === undefined
          ? 'notification'
          : 'request';
    this.violations.push(...this.check({ revision: this.revision, sender, kind, method }, frame));
  }
}

export class CheckedStdioClient extends CheckedClient {
  readonly #waiting = new Map<unknown, (frame: Message) => void>();
  #rest = '';

  constructor(
    revision: Revision,
    check: Checker,
    readonly mcpx: McpxProcess,
    options?: CheckedOptions,
  ) {
    super(revision, check, options);
    mcpx.child.stdout?.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        const frame = this.arrived(line);
        if (frame.method === undefined) this.#waiting.get(frame.id)?.(frame);
      }
    });
  }

  async open(): Promise<void> {
    if (isModern(this.revision)) return;
    await this.handshake();
    await this.notify('notifications/initialized');
  }

  protected exchange(frame: Message): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(frame.id, resolve);
      void this.mcpx.ended.then(() => reject(new Error(`mcpx ended:\n${this.mcpx.stderr}`)));
      this.mcpx.write(`${withBigNumbers(frame)}\n`);
    });
  }

  protected tell(frame: Message): Promise<void> {
    this.mcpx.write(`${JSON.stringify(frame)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.mcpx.finish();
  }
}

export class CheckedHttpClient extends CheckedClient {
  readonly #http: HttpClient;
  #session: Headers = {};

  constructor(revision: Revision, check: Checker, url: string, options?: CheckedOptions) {
    super(revision, check, options);
    this.#http = new HttpClient(url);
  }

  /** With a stream for what belongs to no request. */
  async open(): Promise<void> {
    if (isModern(this.revision)) return;
    await this.handshake();
    const version = FACTS[this.revision].versionHeader ? this.revision : undefined;
    this.#session = { ...this.#session, 'mcp-protocol-version': version };
    await this.notify('notifications/initialized');
    const stream = await this.#http.send('GET', this.#session);
    void this.#read(stream.events());
  }

  protected async exchange(frame: Message): Promise<Message> {
    const answer = await this.#http.post(withBigNumbers(frame), this.#headersOf(frame));
    const minted = answer.headers['mcp-session-id'];
    if (typeof minted === 'string') this.#session = { 'mcp-session-id': minted };
    if (answer.headers['content-type'] !== 'text/event-stream') {
      return this.arrived(await answer.text());
    }
    const frames = await this.#read(answer.events());
    const reply = frames.find(({ id, method }) => id === frame.id && method === undefined);
    if (reply === undefined) throw new Error(`no reply to ${String(frame.method)}`);
    return reply;
  }

  protected async tell(frame: Message): Promise<void> {
    const answer = await this.#http.post(frame, this.#headersOf(frame));
    const said = await answer.text();
    if (answer.status !== 202) {
      throw new Error(`${JSON.stringify(frame)} got ${answer.status} ${said}`);
    }
  }

  #headersOf({ method, params = {} }: Message): Headers {
    if (!isModern(this.revision)) return this.#session;
    const name = params['name'] ?? params['uri'];
    return {
      'mcp-protocol-version': NEWEST,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
    };
  }

  /** Takes each message as it comes; resolves to all of them when the stream ends. */
  async #read(events: EventReader): Promise<Message[]> {
    const frames: Message[] = [];
    let at = 0;
    const take = (): void => {
      for (; at < events.received.length; at++) {
        const { data = '' } = events.received[at] ?? {};
        if (data !== '') frames.push(this.arrived(data));
      }
    };
    events.onEvent = take;
    take();
    await events.ended;
    return frames;
  }

  async close(): Promise<void> {
    if (!isModern(this.revision)) {
      await (await this.#http.send('DELETE', this.#session)).text();
    }
    await this.#http.close();
  }
}

/** Texts of the form `raw:<literal>` leave as the literal: more than a double can hold. */
function withBigNumbers(frame: object): string {
  return JSON.stringify(frame).replace(/"raw:(-?[0-9]+)"/g, '$1');
}
