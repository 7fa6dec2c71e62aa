/**
 * An upstream behind Streamable HTTP, in either era: every frame is a POST of its own, answers come as
 * JSON or as an event stream, and a legacy session has a stream beside them for what it says unasked.
 */
import { Agent, request, type Dispatcher } from 'undici';
import { FACTS } from '../../../generated/facts.js';
import { NEWEST, eraOf, type Revision } from '../../../generated/revisions.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { parseJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import {
  SessionExpired,
  TransportFailure,
  type Channel,
  type ChannelListener,
  type Sending,
} from './channel.js';
import { readEvents } from './event-stream.js';
import { mirroredHeaders } from './mirror.js';
import type { HttpTarget } from './options.js';
import { Overlong } from './overlong.js';
import { pause } from './pause.js';

/** How long the end of a session may take, in milliseconds. */
const FAREWELL = 2_000;
/** Before a stream that ended is opened again, unless the upstream says otherwise. In milliseconds. */
const RECONNECT = 1_000;

const BOTH = 'application/json, text/event-stream';
const STREAM = 'text/event-stream';

export class HttpChannel implements Channel {
  /** No time limits of its own: a call has one already, and a stream may be silent for long. */
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  readonly #open = new Map<number, AbortController>();
  /** Ends all that is under way. */
  readonly #over = new AbortController();
  #revision: Revision = NEWEST;
  #agreed = false;
  #session: string | undefined;

  constructor(
    private readonly target: HttpTarget,
    private readonly namespace: string,
    private readonly listener: ChannelListener,
    private readonly diagnostics: Diagnostics,
    /** In bytes, of an answer or of an event. */
    private readonly maxMessage: number,
  ) {}

  async send(sending: Sending): Promise<void> {
    const { id, text } = sending;
    const controller = new AbortController();
    if (id !== undefined) this.#open.set(id, controller);
    const signal = AbortSignal.any([controller.signal, this.#over.signal]);
    try {
      const response = await this.#request('POST', signal, this.#headers(sending), text);
      await this.#answered(response, id, signal);
    } catch (error) {
      // Nobody waits any more.
      if (signal.aborted) return;
      throw error instanceof SessionExpired ? error : asFailure(error);
    } finally {
      if (id !== undefined) this.#open.delete(id);
    }
  }

  async #answered(
    response: Dispatcher.ResponseData,
    id: number | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { statusCode: status, headers, body } = response;
    const minted = headers['mcp-session-id'];
    if (typeof minted === 'string' && !this.#agreed) this.#session = minted;
    if (status === 404 && this.#agreed && this.#session !== undefined) {
      await body.dump();
      throw new SessionExpired('the upstream has ended the session');
    }
    const type = mediaType(headers['content-type']);
    if (id === undefined || (type !== 'application/json' && type !== STREAM)) {
      await body.dump();
      if (status >= 400 || id !== undefined) throw unexpected(status, type);
    } else if (type === STREAM && status < 300) {
      await this.#stream(response, id, signal);
    } else {
      const text = await limitedText(body, this.maxMessage);
      if (text === undefined) this.#overlong(this.listener).answers(id);
      else this.#json(text, status, id);
    }
  }

  #json(text: string, status: number, id: number): void {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      throw unexpected(status, 'text that is not JSON');
    }
    if (isAnswer(value, id)) {
      this.listener.message(value, id);
    } else if (isObject(value) && isObject(value['error'])) {
      // A server that refused the frame as a whole may not have looked at its id.
      this.listener.message({ ...value, id }, id);
    } else {
      throw unexpected(status, 'JSON that is no answer');
    }
  }

  /** Until the answer has come. A stream that breaks before is taken up again, where that is possible. */
  async #stream(first: Dispatcher.ResponseData, id: number, signal: AbortSignal): Promise<void> {
    const answered = { done: false };
    const overlong = this.#overlong({
      unusable: (found, what) => {
        this.listener.unusable(found, what);
        if (found !== id) return;
        answered.done = true;
        // Of the rest nothing is wanted, however much is still to come.
        this.#open.get(id)?.abort();
      },
    });
    const event = (data: string): void => {
      const value = this.#parsed(data);
      if (value === undefined) return;
      if (isAnswer(value, id)) answered.done = true;
      this.listener.message(value, id);
    };
    for (let { body } = first; ;) {
      const position = await readEvents(body, { event, overlong });
      if (answered.done) return;
      if (position.lastId === undefined || eraOf(this.#revision) === 'modern') {
        throw new TransportFailure('the stream ended before the answer came');
      }
      await pause(position.retry ?? RECONNECT, signal);
      const next = await this.#resume(position.lastId, signal);
      if (next.statusCode !== 200) {
        await next.body.dump();
        throw unexpected(next.statusCode, 'no stream to take up');
      }
      body = next.body;
    }
  }

  #resume(lastId: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = { ...this.#headers(), accept: STREAM };
    if (lastId !== undefined) headers['last-event-id'] = lastId;
    return this.#request('GET', signal, headers);
  }

  /** A legacy session's own stream. Upstreams need not have one. */
  async #listen(signal: AbortSignal): Promise<void> {
    let lastId: string | undefined;
    for (;;) {
      let retry: number | undefined;
      try {
        const response = await this.#resume(lastId, signal);
        const { statusCode: status, body } = response;
        if (status !== 200 || mediaType(response.headers['content-type']) !== STREAM) {
          await body.dump();
          if (status === 404 && this.#session !== undefined) {
            this.listener.closed(new SessionExpired('the upstream has ended the session'));
          }
          return;
        }
        const event = (data: string): void => {
          const value = this.#parsed(data);
          if (value !== undefined) this.listener.message(value);
        };
        const overlong = this.#overlong(this.listener);
        const position = await readEvents(body, { event, overlong });
        lastId = position.lastId ?? lastId;
        retry = position.retry;
      } catch (error) {
        if (signal.aborted) return;
        this.#note('upstream-stream-failed', { err: error });
      }
      await pause(retry ?? RECONNECT, signal);
      if (signal.aborted) return;
    }
  }

  #parsed(data: string): unknown {
    try {
      return parseJson(data);
    } catch {
      this.#note('upstream-event-not-json', { data: data.slice(0, 200) });
      return undefined;
    }
  }

  #request(
    method: 'POST' | 'GET' | 'DELETE',
    signal: AbortSignal,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Dispatcher.ResponseData> {
    return request(this.target.url, { dispatcher: this.#agent, method, signal, headers, body });
  }

  /** What is configured gives way to what the protocol needs, in whatever case it was written. */
  #headers(sending?: Sending): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.target.headers)) {
      headers[name.toLowerCase()] = value;
    }
    const facts = FACTS[this.#revision];
    delete headers['mcp-protocol-version'];
    if (this.#speaksVersion()) headers['mcp-protocol-version'] = this.#revision;
    if (this.#session !== undefined && facts.sessions) headers['mcp-session-id'] = this.#session;
    if (sending === undefined) return headers;
    headers['content-type'] = 'application/json';
    headers['accept'] = BOTH;
    if (facts.mirroredHeaders) Object.assign(headers, mirroredHeaders(sending));
    return headers;
  }

  /** In the legacy era only once it is agreed (2025-06-18, basic/transports). */
  #speaksVersion(): boolean {
    return (
      FACTS[this.#revision].versionHeader && (this.#agreed || eraOf(this.#revision) === 'modern')
    );
  }

  abandon(id: number): boolean {
    const controller = this.#open.get(id);
    controller?.abort();
    return controller !== undefined && FACTS[this.#revision].disconnectCancels;
  }

  speaks(revision: Revision, agreed: boolean): void {
    this.#revision = revision;
    this.#agreed = agreed;
  }

  ready(): void {
    if (eraOf(this.#revision) === 'legacy') void this.#listen(this.#over.signal);
  }

  async close(): Promise<void> {
    this.#over.abort();
    if (this.#session !== undefined && this.#agreed) {
      try {
        const signal = AbortSignal.timeout(FAREWELL);
        const { body } = await this.#request('DELETE', signal, this.#headers());
        await body.dump();
      } catch (error) {
        this.#note('upstream-farewell-failed', { err: error });
      }
    }
    await this.#agent.destroy();
  }

  #overlong(listener: Pick<ChannelListener, 'unusable'>): Overlong {
    return new Overlong(this.maxMessage, this.namespace, listener, this.diagnostics);
  }

  #note(event: string, details: object): void {
    this.diagnostics.note(event, { namespace: this.namespace, ...details });
  }
}

function mediaType(header: string | string[] | undefined): string | undefined {
  const value = Array.isArray(header) ? header[0] : header;
  return value?.split(';')[0]?.trim().toLowerCase();
}

function isAnswer(value: unknown, id: number): boolean {
  if (Array.isArray(value)) return value.some((element) => isAnswer(element, id));
  return isObject(value) && value['id'] === id && ('result' in value || 'error' in value);
}

function unexpected(status: number, what: string | undefined): TransportFailure {
  return new TransportFailure(`HTTP ${status} with ${what ?? 'no content type'}`, status);
}

function asFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  return new TransportFailure(error instanceof Error ? error.message : String(error));
}

/** Undefined: there is more than that, in bytes. */
async function limitedText(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // To leave the loop is to give up the connection.
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString('utf8');
}
