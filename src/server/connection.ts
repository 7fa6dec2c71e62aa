/** A client that stays: what `initialize` negotiated, what is in flight, what it is owed. */
import { randomUUID } from 'node:crypto';
import type { RequestId } from '../protocol/jsonrpc.js';
import { JSONRPC_VERSION, idKey, isObject, usableId } from '../protocol/jsonrpc.js';
import type { Diagnostics } from '../protocol/diagnostics.js';
import { Roster } from '../protocol/roster.js';
import { RpcError } from '../protocol/errors.js';
import type { Peer } from '../protocol/peer.js';
import { edgeFor } from '../edge/edge.js';
import { encode } from '../edge/outgoing.js';
import type { Hub, Subscriber } from '../subscriptions/hub.js';
import { EVERY_LIST } from '../subscriptions/filter.js';
import type { Connecting, Connection } from './contract.js';
import { notificationText } from './reply.js';

interface Question {
  readonly method: string;
  resolve(result: object): void;
  reject(error: Error): void;
}

/** A request of this client that is not answered yet. */
export interface InFlight {
  readonly id: RequestId;
  readonly endStream: (() => void) | undefined;
  placeInConnection: number;
  cancel(reason?: string): void;
}

type AskOptions = Parameters<Connection['ask']>[2];

/** Nobody is owed the end of an elicitation for ever. */
const MOST_ELICITATIONS = 100;

export class ClientConnection implements Connection, Subscriber {
  /** Whose requests without a principal are. Unguessable: tasks are bound to it. */
  readonly caller = `connection:${randomUUID()}`;
  legacyPeer: Peer | undefined;
  closed = false;
  /** Legacy `resources/subscribe`, by URI. */
  readonly watched = new Set<string>();
  readonly #calls = new Roster<InFlight>();
  /** Of url elicitations this client was asked for, the last ones. */
  readonly #elicitations = new Set<string>();
  readonly #questions = new Map<string | number, Question>();
  readonly principal: string | undefined;
  readonly #push: Connecting['push'];
  readonly #hears: Connecting['hears'];
  #asked = 0;
  #idle: (() => void) | undefined;

  constructor(
    { push, hears, principal }: Connecting,
    private readonly hub: Hub,
    private readonly diagnostics: Diagnostics,
    private readonly forget: () => void,
  ) {
    this.#push = push;
    this.#hears = hears;
    this.principal = principal;
  }

  /** Whether the client gets at once what is said unasked. */
  get hears(): boolean {
    return this.#hears?.() ?? true;
  }

  takesOn(call: InFlight): void {
    call.placeInConnection = this.#calls.add(call);
  }

  /** A session starts, or starts anew: nothing of an earlier one on the same connection stays. */
  negotiated(peer: Peer): void {
    this.hub.remove(this);
    this.watched.clear();
    this.legacyPeer = peer;
  }

  /** The handshake is over: from now on the client may be told of changes (basic/lifecycle). */
  ready(): void {
    if (this.legacyPeer !== undefined && !this.closed) this.hub.add(this, EVERY_LIST);
  }

  deliver(method: string, params: object | undefined): void {
    if (this.closed || this.legacyPeer === undefined) return;
    const text = notificationText(edgeFor(this.legacyPeer.revision), method, params);
    if (text !== undefined) this.#push(text);
  }

  /** Told to nobody but the client that was given the id, once. */
  elicitationComplete(elicitationId: string): void {
    if (!this.#elicitations.delete(elicitationId)) return;
    this.deliver('notifications/elicitation/complete', { elicitationId });
  }

  #remember(params: object | undefined): void {
    const { elicitationId } = (params ?? {}) as { elicitationId?: unknown };
    if (typeof elicitationId !== 'string') return;
    this.#elicitations.add(elicitationId);
    const [oldest] = this.#elicitations;
    if (this.#elicitations.size > MOST_ELICITATIONS && oldest !== undefined) {
      this.#elicitations.delete(oldest);
    }
  }

  ask(method: string, params?: object, options: AskOptions = {}): Promise<object> {
    const peer = this.legacyPeer;
    if (peer === undefined || this.closed) {
      return Promise.reject(new Error(`There is no client to ask: ${method}`));
    }
    const edge = edgeFor(peer.revision);
    const request = edge.request(method, params);
    if ('refused' in request) {
      return Promise.reject(new Error(`${method} is not sent: ${request.refused}`));
    }
    const { via = this.#push, signal } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    this.#remember(request.params);
    // Unique over the session, and told apart from a client's own ids by eye.
    const id = `mcpx-${++this.#asked}`;
    const outgoing = {
      revision: peer.revision,
      sender: 'server',
      kind: 'request',
      method,
    } as const;
    const body = request.params === undefined ? {} : { params: request.params };
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        this.#questions.delete(idKey(id));
        const text = notificationText(edge, 'notifications/cancelled', { requestId: id });
        if (text !== undefined) via(text);
        reject(signal?.reason as Error);
      };
      const settled = (): void => signal?.removeEventListener('abort', abandon);
      this.#questions.set(idKey(id), {
        method,
        resolve: (result) => {
          settled();
          // No revision has an envelope for the answer to a question.
          resolve(result);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      signal?.addEventListener('abort', abandon, { once: true });
      via(encode(outgoing, { jsonrpc: JSONRPC_VERSION, id, method, ...body }));
    });
  }

  /** True if somebody waited for it. */
  answer(frame: unknown): boolean {
    if (!isObject(frame)) return false;
    // An error may come without one, from a client that could not read what it was sent.
    const id = usableId(frame['id']);
    if (id === undefined) return false;
    const key = idKey(id);
    const question = this.#questions.get(key);
    if (question === undefined || this.legacyPeer === undefined) return false;
    this.#questions.delete(key);
    const { result, error } = frame as {
      result?: unknown;
      error?: { code: number; message: string };
    };
    if (isObject(result)) {
      question.resolve(result);
    } else if (error !== undefined) {
      question.reject(edgeFor(this.legacyPeer.revision).liftError(question.method, error));
    }
    return true;
  }

  /** `notifications/cancelled`. Ids that are in flight twice cannot be told apart: both go. */
  cancel(requestId: RequestId, reason: string | undefined): void {
    const key = idKey(requestId);
    let found = false;
    for (const call of this.#calls.all()) {
      if (idKey(call.id) !== key) continue;
      found = true;
      call.cancel(reason);
      this.finished(call);
    }
    if (!found) this.diagnostics.note('cancelled-nothing', { requestId, reason });
  }

  finished(call: InFlight): void {
    if (this.#calls.remove(call, call.placeInConnection) && this.#calls.size === 0) this.#idle?.();
  }

  async drain(graceMs: number): Promise<void> {
    for (const call of this.#calls.all()) call.endStream?.();
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.hub.remove(this);
    this.watched.clear();
    for (const call of this.#calls.all()) {
      call.cancel('The connection is closed');
      this.#calls.remove(call, call.placeInConnection);
    }
    this.#idle?.();
    for (const question of this.#questions.values()) {
      question.reject(new RpcError('internal', 'The client went away before it answered'));
    }
    this.#questions.clear();
    this.forget();
  }
}
