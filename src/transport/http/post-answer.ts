/**
 * The answer to one POST. It is JSON, unless something has to go before the reply or the call is silent
 * for long: then it is a stream, if the client takes one.
 */
import type { FastifyReply } from 'fastify';
import type { Era } from '../../../generated/revisions.js';
import type { RequestId } from '../../protocol/jsonrpc.js';
import type { Connection, Exchange, Pending, Reply } from '../../server/contract.js';
import type { HttpContext } from './context.js';
import type { Accepted, RequestHeaders } from './headers.js';
import type { OwedAnswer } from './in-flight.js';
import { acceptSilently, refuseForDraining, sendJson } from './refuse.js';
import type { Session } from './sessions.js';
import { SseStream } from './sse.js';
import { statusOf } from './status.js';

/** Where frames go once the answer is a stream: a response, or a stream of a session behind it. */
interface Outlet {
  event(text: string): void;
  end(): void;
}

export interface PostRequest {
  readonly reply: FastifyReply;
  readonly headers: RequestHeaders;
  readonly accepts: Accepted;
  readonly era: Era;
  readonly session: Session | undefined;
  readonly batched: boolean;
}

/** To spread one object into another is slow, and so is whatever reads the outcome. */
export function postRequest(
  { reply, headers, accepts }: Pick<PostRequest, 'reply' | 'headers' | 'accepts'>,
  era: Era,
  session?: Session,
  batched = false,
): PostRequest {
  return { reply, headers, accepts, era, session, batched };
}

export class PostAnswer implements Exchange, OwedAnswer {
  readonly connection: Connection | undefined;
  readonly headers: RequestHeaders;
  readonly batched: boolean;
  place = -1;
  #outlet: Outlet | undefined;
  #connection: SseStream | undefined;
  #silence: NodeJS.Timeout | undefined;
  #pending: Pending | undefined;
  #disconnected = false;

  constructor(
    private readonly http: HttpContext,
    private readonly request: PostRequest,
  ) {
    this.connection = request.session?.connection;
    this.headers = request.headers;
    this.batched = request.batched;
  }

  send(text: string): void {
    const outlet = this.#open();
    if (outlet === undefined) this.http.core.diagnostics.note('frame-undeliverable');
    else outlet.event(text);
  }

  /** Answers with the reply as soon as there is one; `settled` sees it before the client does. */
  answer(pending: Pending, settled?: (reply: Reply | undefined) => void): void {
    const { reply } = pending;
    if (!(reply instanceof Promise)) {
      settled?.(reply);
      this.#finish(reply, pending);
      return;
    }
    this.#wait(pending);
    void reply.then((later) => {
      settled?.(later);
      this.#waited();
      this.#finish(later, pending);
    });
  }

  endStream(): void {
    this.#pending?.endStream?.();
  }

  cancel(reason: string): void {
    this.#pending?.cancel(reason);
  }

  #wait(pending: Pending): void {
    const { reply, accepts, session } = this.request;
    this.#pending = pending;
    this.http.inFlight.add(this);
    session?.enter();
    reply.raw.once('close', () => this.#closed());
    if (accepts.sse && this.#outlet === undefined) {
      this.#silence = setTimeout(() => this.#silent(), this.http.settings.sseKeepAlive);
    }
  }

  #silent(): void {
    this.#open();
    this.#connection?.comment();
  }

  #waited(): void {
    clearTimeout(this.#silence);
    this.#pending = undefined;
    this.http.inFlight.delete(this);
    if (!this.#disconnected) this.request.session?.leave();
  }

  /**
   * Without a session the end of the connection is the one way a client has to cancel. In a session the
   * request goes on; but what would last for good is of no use on a stream that cannot be resumed.
   */
  #closed(): void {
    if (this.#pending === undefined) return;
    const { session } = this.request;
    this.#disconnected = true;
    clearTimeout(this.#silence);
    session?.leave();
    const lasting = this.#pending.endStream !== undefined;
    if (session === undefined || (lasting && !session.resumable)) {
      this.#pending.cancel('The client closed the connection');
    }
  }

  /** Undefined where the client takes no stream, or is gone. */
  #open(): Outlet | undefined {
    const { reply, accepts, session } = this.request;
    if (this.#outlet !== undefined || !accepts.sse || this.#disconnected) return this.#outlet;
    clearTimeout(this.#silence);
    const connection = new SseStream(reply, this.http.settings, this.http.core.diagnostics);
    this.#connection = connection;
    if (session?.resumable === true) {
      const stream = session.openStream();
      stream.attach(connection);
      this.#outlet = stream;
    } else {
      this.#outlet = connection;
    }
    return this.#outlet;
  }

  #finish(reply: Reply | undefined, { id }: Pending): void {
    if (reply === undefined) this.#withhold(id);
    else if (this.#outlet !== undefined) this.#last(this.#outlet, reply);
    else if (this.#disconnected) this.http.core.diagnostics.note('reply-undeliverable');
    else this.#whole(reply);
  }

  #last(outlet: Outlet, { text }: Reply): void {
    outlet.event(text);
    outlet.end();
  }

  #whole(reply: Reply): void {
    const status = statusOf(reply, this.request.era);
    const outlet = status === 200 && !this.request.accepts.json ? this.#open() : undefined;
    if (outlet === undefined) sendJson(this.request.reply, status, reply.text);
    else this.#last(outlet, reply);
  }

  /** Cancelled: no reply is to follow, but the HTTP exchange has to end. */
  #withhold(id: RequestId): void {
    const { reply, era } = this.request;
    if (this.#outlet !== undefined) {
      this.#outlet.end();
    } else if (this.#disconnected) {
      return;
    } else if (this.http.inFlight.draining) {
      refuseForDraining(reply, { id, era });
    } else {
      acceptSilently(reply);
    }
  }
}
