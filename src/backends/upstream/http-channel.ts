/**
 * An upstream behind Streamable HTTP, in either era: every frame is a POST of its own, answers come as
 * JSON or as an event stream, and a legacy session has a stream beside them for what it says unasked.
 */
import { Pool, type Dispatcher } from 'undici';
import { FACTS } from '../../../generated/facts.js';
import { NEWEST, eraOf, type Revision } from '../../../generated/revisions.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { parseJson } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { Roster } from '../../protocol/roster.js';
import {
  SessionExpired,
  TransportFailure,
  type Channel,
  type ChannelListener,
  type Sending,
} from './channel.js';
import { EventReader, readEvents, type EventSink, type StreamPosition } from './event-stream.js';
import { HttpHeaders, JSON_TYPE, STREAM_TYPE, mediaType } from './http-headers.js';
import { HttpPost, type Began, type BodySink } from './http-post.js';
import { JsonBody } from './json-body.js';
import { Lingering } from './lingering.js';
import type { HttpTarget } from './options.js';
import { Overlong } from './overlong.js';
import { follow, type OwnStream } from './own-stream.js';
import { RECONNECT, pause } from './pause.js';

/** How long the end of a session may take, in milliseconds. */
const FAREWELL = 2_000;

export class HttpChannel implements Channel {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: HttpHeaders;
  readonly #posts = new Roster<HttpPost>();
  readonly #lingering = new Lingering(this.#posts);
  /** Ends all else that is under way. */
  readonly #over = new AbortController();
  #revision: Revision = NEWEST;

  constructor(
    target: HttpTarget,
    private readonly namespace: string,
    private readonly listener: ChannelListener,
    private readonly diagnostics: Diagnostics,
    /** In bytes, of an answer or of an event. */
    private readonly maxMessage: number,
  ) {
    const { origin, pathname, search } = new URL(target.url);
    // No time limits of its own: a call has one already, and a stream may be silent for long.
    this.#pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0 });
    this.#path = pathname + search;
    this.#headers = new HttpHeaders(target, this.#revision);
  }

  send(sending: Sending): Promise<void> {
    if (this.#over.signal.aborted) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const post = new HttpPost(sending.id, this.#began, (settled, error) => {
        this.#posts.remove(settled, settled.place);
        if (error === undefined) resolve();
        else reject(error instanceof SessionExpired ? error : TransportFailure.of(error));
      });
      post.place = this.#posts.add(post);
      const headers = this.#headers.of(sending);
      const options = { path: this.#path, method: 'POST', headers, body: sending.text } as const;
      this.#pool.dispatch(options, post);
    });
  }

  readonly #began: Began = (post, status, headers) => {
    const { id } = post;
    const minted = headers['mcp-session-id'];
    if (typeof minted === 'string') this.#headers.inSession(minted);
    if (status === 404 && this.#headers.session !== undefined) {
      post.settle(forgotten());
      return undefined;
    }
    if (status >= 300 && status < 400 && typeof headers.location === 'string') {
      post.settle(redirected(status, headers.location));
      return undefined;
    }
    const type = mediaType(headers['content-type']);
    if (id === undefined || (type !== JSON_TYPE && type !== STREAM_TYPE)) {
      post.settle(status >= 400 || id !== undefined ? unexpected(status, type) : undefined);
      return undefined;
    }
    return type === STREAM_TYPE && status < 300
      ? this.#stream(post, id)
      : new JsonBody(post, this.maxMessage, {
          whole: (text) => this.#json(text, status, id),
          overlong: () => this.#overlong(this.listener).answers(id),
        });
  };

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
  #stream(post: HttpPost, id: number): BodySink {
    let answered = false;
    const overlong = this.#overlong({
      unusable: (found, what) => {
        this.listener.unusable(found, what);
        // Of the rest nothing is wanted, however much is still to come.
        if (found === id) post.abort();
      },
    });
    const event = (data: string): void => {
      const value = this.#parsed(data);
      if (value === undefined) return;
      if (!answered && isAnswer(value, id)) {
        answered = true;
        this.#lingering.answered(post);
      }
      this.listener.message(value, id);
    };
    const events = { event, overlong };
    const reader = new EventReader(events);
    return {
      data: (chunk) => reader.push(chunk),
      end: (error) => {
        if (answered || (error !== undefined && reader.position.lastId === undefined)) {
          post.settle(answered ? undefined : error);
          return;
        }
        this.#takeUp(post, reader.position, events, () => answered).then(
          () => post.settle(),
          (failure: unknown) => post.settle(failure as Error),
        );
      },
    };
  }

  async #takeUp(
    { signal }: HttpPost,
    from: StreamPosition,
    events: EventSink,
    answered: () => boolean,
  ): Promise<void> {
    for (let position = from; !answered();) {
      if (position.lastId === undefined || eraOf(this.#revision) === 'modern') {
        throw new TransportFailure('the stream ended before the answer came');
      }
      await pause(position.retry ?? RECONNECT, signal);
      const { statusCode, body } = await this.#resume(position.lastId, signal);
      if (statusCode !== 200) {
        await body.dump();
        throw unexpected(statusCode, 'no stream to take up');
      }
      position = await readEvents(body, events, position);
    }
  }

  #resume(lastId: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = { ...this.#headers.all(), accept: STREAM_TYPE };
    if (lastId !== undefined) headers['last-event-id'] = lastId;
    return this.#request('GET', signal, headers);
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
    method: 'GET' | 'DELETE',
    signal: AbortSignal,
    headers: Record<string, string>,
  ): Promise<Dispatcher.ResponseData> {
    return this.#pool.request({ path: this.#path, method, signal, headers });
  }

  abandon(id: number): boolean {
    const post = this.#posts.all().find((posted) => posted.id === id);
    post?.abort();
    return post !== undefined && FACTS[this.#revision].disconnectCancels;
  }

  speaks(revision: Revision, agreed: boolean): void {
    this.#revision = revision;
    this.#headers.speak(revision, agreed);
  }

  ready(): void {
    if (eraOf(this.#revision) === 'modern') return;
    const event = (data: string): void => {
      const value = this.#parsed(data);
      if (value !== undefined) this.listener.message(value);
    };
    const stream: OwnStream = {
      open: (lastId, signal) => this.#resume(lastId, signal),
      events: () => ({ event, overlong: this.#overlong(this.listener) }),
      forgotten: () => this.listener.closed(forgotten()),
      failed: (error) => this.#note('upstream-stream-failed', { err: error }),
    };
    void follow(stream, this.#over.signal);
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#lingering.stop();
    for (const post of this.#posts.all()) post.abort();
    if (this.#headers.session !== undefined) {
      try {
        const signal = AbortSignal.timeout(FAREWELL);
        const { body } = await this.#request('DELETE', signal, this.#headers.all());
        await body.dump();
      } catch (error) {
        this.#note('upstream-farewell-failed', { err: error });
      }
    }
    await this.#pool.destroy();
  }

  #overlong(listener: Pick<ChannelListener, 'unusable'>): Overlong {
    return new Overlong(this.maxMessage, this.namespace, listener, this.diagnostics);
  }

  #note(event: string, details: object): void {
    this.diagnostics.note(event, { namespace: this.namespace, ...details });
  }
}

function isAnswer(value: unknown, id: number): boolean {
  if (Array.isArray(value)) return value.some((element) => isAnswer(element, id));
  return isObject(value) && value['id'] === id && ('result' in value || 'error' in value);
}

function unexpected(status: number, what: string): TransportFailure {
  return new TransportFailure(`HTTP ${status} with ${what || 'no content type'}`, status);
}

/** What is configured as headers is for the one address only. */
function redirected(status: number, location: string): TransportFailure {
  const what = `HTTP ${status} leads to ${location.slice(0, 200)}; mcpx goes nowhere but to the url that is configured`;
  return new TransportFailure(what, status);
}

function forgotten(): SessionExpired {
  return new SessionExpired('the upstream has ended the session');
}
