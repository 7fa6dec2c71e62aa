/** A raw client over HTTP: says exactly what it is told, and reads streams event by event. */
import { Agent, request, type Dispatcher } from 'undici';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { modernMeta } from './peers.js';
import { NEWEST } from '../../generated/revisions.js';
import type { Message } from './stdio-client.js';

/** Undefined leaves a header out that would be sent otherwise. */
export type Headers = Readonly<Record<string, string | undefined>>;

export interface Sent {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  /** The whole body; waits for its end. */
  text(): Promise<string>;
  /** The one message in the body, be it JSON or the last event of a stream. */
  message(): Promise<Message>;
  /** Reads the body as a stream. */
  events(): EventReader;
}

/** What a stream said so far, and what it says next. */
export class EventReader {
  readonly received: EventSourceMessage[] = [];
  readonly comments: string[] = [];
  /** Milliseconds the server asked to wait before a reconnect. */
  retry: number | undefined;
  /** Resolves when the stream ends, whichever way. */
  readonly ended: Promise<void>;
  /** Runs after each event. */
  onEvent: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #over = false;

  constructor(private readonly body: Dispatcher.ResponseData['body']) {
    const parser = createParser({
      onEvent: (event) => {
        this.received.push(event);
        this.onEvent();
        this.#wake();
      },
      onComment: (comment) => {
        this.comments.push(comment);
        this.#wake();
      },
      onRetry: (retry) => (this.retry = retry),
    });
    const decoder = new TextDecoder();
    body.on('data', (chunk: Buffer) => parser.feed(decoder.decode(chunk, { stream: true })));
    this.ended = new Promise((resolve) => {
      body.once('close', () => {
        this.#over = true;
        this.#wake();
        resolve();
      });
    });
    body.on('error', () => undefined);
  }

  /** The messages, without events that carry none. */
  get messages(): Message[] {
    return this.received
      .filter(({ data }) => data !== '')
      .map(({ data }) => JSON.parse(data) as Message);
  }

  /** Waits until `count` messages came. */
  async first(count: number): Promise<Message[]> {
    await this.until(() => this.messages.length >= count);
    return this.messages;
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#over) throw new Error(`the stream ended with ${JSON.stringify(this.received)}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Breaks the connection. */
  drop(): void {
    this.body.destroy();
  }
}

const BOTH = 'application/json, text/event-stream';

export class HttpClient {
  readonly #agent = new Agent();
  #id = 0;

  constructor(readonly url: string) {}

  async send(
    method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS' | 'PUT' | 'HEAD',
    headers: Headers = {},
    body?: string | Buffer,
    signal?: AbortSignal,
  ): Promise<Sent> {
    const dispatched = await request(this.url, {
      method,
      headers: { accept: BOTH, ...headers },
      body,
      signal,
      dispatcher: this.#agent,
    });
    return sent(dispatched);
  }

  /** A string or bytes are sent as they are. */
  post(body: unknown, headers: Headers = {}, signal?: AbortSignal): Promise<Sent> {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send('POST', { 'content-type': 'application/json', ...headers }, raw, signal);
  }

  /** A request of the modern era with all its headers; `change` overrules them. */
  modern(
    method: string,
    params: Record<string, unknown> = {},
    change: Headers = {},
    signal?: AbortSignal,
  ): Promise<Sent> {
    const { _meta, ...rest } = params;
    const name = params['name'] ?? params['uri'];
    const headers = {
      'mcp-protocol-version': NEWEST,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
      ...change,
    };
    const all = { ...rest, ...modernMeta(_meta as object | undefined) };
    return this.post(this.request(method, all), headers, signal);
  }

  request(method: string, params: object = {}): object {
    return { jsonrpc: '2.0', id: ++this.#id, method, params };
  }

  /** The handshake; the headers that all further requests of the session need. */
  async session(protocolVersion: string, capabilities: object = {}): Promise<Headers> {
    const clientInfo = { name: 'test', version: '1' };
    const answer = await this.post(
      this.request('initialize', { protocolVersion, capabilities, clientInfo }),
    );
    await answer.text();
    const session = { 'mcp-session-id': answer.headers['mcp-session-id'] as string };
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await (await this.post(ready, session)).text();
    return session;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function sent({ statusCode, headers, body }: Dispatcher.ResponseData): Sent {
  const text = (): Promise<string> => body.text();
  return {
    status: statusCode,
    headers,
    text,
    events: () => new EventReader(body),
    async message() {
      if (headers['content-type'] !== 'text/event-stream') {
        return JSON.parse(await text()) as Message;
      }
      const reader = new EventReader(body);
      await reader.ended;
      const last = reader.messages.at(-1);
      if (last === undefined) throw new Error('the stream had no message on it');
      return last;
    },
  };
}
