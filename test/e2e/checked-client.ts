/**
 * Clients of every revision on both transports, as raw frames. Each frame that comes is judged by the
 * strict checker for the client's revision, from the text as it came.
 */
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { FACTS } from '../../generated/facts.js';
import type { Checker } from '../../src/edge/check.js';
import type { Violation } from '../../src/edge/contract.js';
import { HttpClient, type Headers } from '../support/http-client.js';
import type { McpxProcess } from '../support/mcpx-process.js';
import { isModern, paramsFor } from '../support/peers.js';
import type { Message } from '../support/stdio-client.js';

export abstract class CheckedClient {
  readonly violations: Violation[] = [];
  readonly notifications: Message[] = [];
  /** The text of the last reply. */
  lastText = '';
  readonly #methods = new Map<unknown, string>();
  #id = 0;

  constructor(
    readonly revision: Revision,
    private readonly check: Checker,
  ) {}

  abstract open(): Promise<void>;
  abstract close(): Promise<void>;
  protected abstract exchange(frame: Message): Promise<Message>;

  async request(method: string, params: object = {}, meta: object = {}): Promise<Message> {
    const id = `${this.revision}-${++this.#id}`;
    this.#methods.set(id, method);
    const asked = paramsFor(this.revision, params, meta) as Record<string, unknown>;
    return this.exchange({ jsonrpc: '2.0', id, method, params: asked });
  }

  async result(method: string, params: object = {}, meta: object = {}): Promise<Result> {
    const { result, error } = await this.request(method, params, meta);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
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
    if (isModern(this.revision)) return;
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: this.revision, capabilities: {}, clientInfo };
    const { protocolVersion } = await this.result('initialize', params);
    if (protocolVersion !== this.revision) throw new Error(`agreed on ${String(protocolVersion)}`);
  }

  /** Judges one frame; what is no reply is kept. */
  protected received(text: string): Message {
    const frame = JSON.parse(text) as Message;
    const asked = frame.method ?? this.#methods.get(frame.id);
    const kind =
      frame.method === undefined
        ? frame.result === undefined
          ? 'error'
          : 'result'
        : frame.id === undefined
          ? 'notification'
          : 'request';
    const outgoing = { revision: this.revision, sender: 'server', kind, method: asked } as const;
    this.violations.push(...this.check(outgoing, frame));
    if (frame.method === undefined) this.lastText = text;
    else this.notifications.push(frame);
    return frame;
  }
}

type Result = Record<string, unknown>;

export class CheckedStdioClient extends CheckedClient {
  readonly #waiting = new Map<unknown, (frame: Message) => void>();
  #rest = '';

  constructor(
    revision: Revision,
    check: Checker,
    readonly mcpx: McpxProcess,
  ) {
    super(revision, check);
    mcpx.child.stdout?.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        const frame = this.received(line);
        if (frame.method === undefined) this.#waiting.get(frame.id)?.(frame);
      }
    });
  }

  async open(): Promise<void> {
    await this.handshake();
    if (isModern(this.revision)) return;
    this.mcpx.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  protected exchange(frame: Message): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(frame.id, resolve);
      void this.mcpx.ended.then(() => reject(new Error(`mcpx ended:\n${this.mcpx.stderr}`)));
      this.mcpx.write(`${withBigNumbers(frame)}\n`);
    });
  }

  async close(): Promise<void> {
    await this.mcpx.finish();
  }
}

export class CheckedHttpClient extends CheckedClient {
  readonly #http: HttpClient;
  #session: Headers = {};

  constructor(revision: Revision, check: Checker, url: string) {
    super(revision, check);
    this.#http = new HttpClient(url);
  }

  async open(): Promise<void> {
    await this.handshake();
    if (isModern(this.revision)) return;
    const version = FACTS[this.revision].versionHeader ? this.revision : undefined;
    this.#session = { ...this.#session, 'mcp-protocol-version': version };
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await (await this.#http.post(ready, this.#session)).text();
  }

  protected async exchange(frame: Message): Promise<Message> {
    const { method = '', params = {} } = frame;
    const name = params['name'] ?? params['uri'];
    const mirrored = {
      'mcp-protocol-version': NEWEST,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
    };
    const headers = isModern(this.revision) ? mirrored : this.#session;
    const answer = await this.#http.post(withBigNumbers(frame), headers);
    const minted = answer.headers['mcp-session-id'];
    if (typeof minted === 'string') this.#session = { 'mcp-session-id': minted };
    if (answer.headers['content-type'] !== 'text/event-stream') {
      return this.received(await answer.text());
    }
    const events = answer.events();
    await events.ended;
    const texts = events.received.map(({ data }) => data).filter((data) => data !== '');
    const frames = texts.map((text) => this.received(text));
    const reply = frames.find(({ id, method: asked }) => id === frame.id && asked === undefined);
    if (reply === undefined) throw new Error(`no reply to ${method}: ${texts.join('\n')}`);
    return reply;
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
