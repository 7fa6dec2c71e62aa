/**
 * One conversation with an upstream: requests find their answers, notifications the request they
 * belong to. Whatever ends it, every request that waits is told.
 */
import { NEWEST, eraOf, type Revision } from '../../../generated/revisions.js';
import type { Implementation } from '../../../generated/newest/types.js';
import type { Outgoing } from '../../edge/contract.js';
import { edgeFor } from '../../edge/edge.js';
import { withRequestEnvelope } from '../../edge/envelope.js';
import { encode } from '../../edge/outgoing.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import {
  JSONRPC_VERSION,
  isObject,
  sortFrame,
  type JSONRPCError,
  type JSONRPCRequest,
  type JSONRPCResult,
  type RequestId,
} from '../../protocol/jsonrpc.js';
import { RequestTable } from '../../protocol/request-table.js';
import { SessionExpired, type Channel, type OpenChannel, type Sending } from './channel.js';
import { UpstreamNotifications } from './notifications.js';
import { UpstreamQuestions } from './questions.js';
import { PendingRequest, type Ask, type Ending, type RequestOptions } from './request.js';

export interface SessionOptions {
  readonly namespace: string;
  readonly clientInfo: Implementation;
  readonly diagnostics: Diagnostics;
  /** Takes questions that belong to no request, or to one of several. */
  readonly ask?: Ask;
  /** What belongs to no request: list changes, updated resources, acknowledged subscriptions. */
  notified(method: string, params: Record<string, unknown>): void;
  /** Once, unless `close` was called first. */
  closed(reason: Error): void;
}

/** Result types that whoever can be asked gets to see. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['input_required', 'task']);

export class Session {
  /** What is sent now, and after the negotiation what was agreed. */
  revision: Revision = NEWEST;
  readonly #channel: Channel;
  readonly #waiting = new RequestTable<PendingRequest>();
  readonly #questions: UpstreamQuestions;
  readonly #notifications: UpstreamNotifications;
  readonly #ending: Ending = {
    tooSlow: ({ method }, ms) => this.#failure(`has not answered ${method} within ${ms} ms`),
    abandoned: (request, why) => this.#abandon(request, why),
    settled: (request) => {
      this.#waiting.delete(request);
      if (this.#over !== undefined) this.#leaveUnlessAwaited();
    },
  };
  #lastId = 0;
  /** Why it takes no more requests. */
  #over: Error | undefined;
  #lingers = false;

  constructor(
    open: OpenChannel,
    private readonly options: SessionOptions,
  ) {
    this.#questions = new UpstreamQuestions({
      askedFor: (via, taskId) => this.#askedFor(via, taskId),
      ask: options.ask,
      reply: (id, method, result) => this.#answer(id, method, result),
      refuse: (id, method, error) => this.#refuse(id, method, error),
    });
    this.#notifications = new UpstreamNotifications(this.#waiting, this.#questions, options);
    this.#channel = open({
      message: (value, via) => this.#received(value, via),
      unusable: (id, what) => {
        const waiting = this.#waiting.get(id);
        waiting?.reject(this.#failure(`answered ${waiting.method} with ${what}`));
      },
      closed: (reason) => this.#lost(reason),
    });
  }

  get namespace(): string {
    return this.options.namespace;
  }

  /** The upstream has forgotten it, and there are calls in hand that it took before. */
  get lingers(): boolean {
    return this.#lingers;
  }

  get ended(): boolean {
    return this.#over !== undefined;
  }

  /** What follows is of this revision; `agreed`: the upstream has said so too. */
  speak(revision: Revision, agreed: boolean): void {
    this.revision = revision;
    this.#channel.speaks(revision, agreed);
  }

  /** The handshake is over. */
  ready(): void {
    this.#channel.ready();
  }

  /**
   * Resolves to the result, lifted to the newest shape: a complete one, unless the request can be asked.
   * Rejects with the upstream's error, with `SessionExpired`, with `TransportFailure` where the upstream
   * cannot be reached, with an `RpcError` where it ended or was too slow, or with the signal's reason.
   */
  request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    try {
      return this.#request(method, params, options);
    } catch (error) {
      return rejection(error as Error);
    }
  }

  #request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    if (this.#over !== undefined) throw this.#over;
    const { signal, inputSchema } = options;
    if (signal?.aborted === true) throw signal.reason;
    const id = ++this.#lastId;
    const asked = this.#params(method, withToken(params, options, id), options);
    const text = this.#encode('request', method, {
      jsonrpc: JSONRPC_VERSION,
      id,
      method,
      params: asked,
    });
    const waiting = new PendingRequest(id, method, options, this.#ending);
    this.#waiting.add(waiting);
    const sending: Sending = { text, method, id, params: asked, inputSchema };
    this.#channel.send(sending).catch((error: unknown) => this.#undelivered(id, error as Error));
    return waiting.answer;
  }

  /** With the upstream's name: a client that reads it has several. */
  #failure(what: string): RpcError {
    return new RpcError('internal', `Upstream "${this.namespace}" ${what}`);
  }

  #undelivered(id: number, error: Error): void {
    if (error instanceof SessionExpired) this.#lost(error);
    this.#waiting.get(id)?.reject(error);
  }

  /** The handshake itself cannot be cancelled (basic/lifecycle). */
  #abandon({ id, method }: PendingRequest, reason: string): void {
    if (this.#channel.abandon(id) || method === 'initialize') return;
    void this.notify('notifications/cancelled', { requestId: id, reason });
  }

  /** Never rejects: what cannot be told is noted. */
  async notify(method: string, params?: Record<string, unknown>): Promise<void> {
    try {
      const sent = edgeFor(this.revision).notification(method, params);
      if (sent === undefined) return;
      const body = sent.params === undefined ? {} : { params: sent.params };
      const frame = { jsonrpc: JSONRPC_VERSION, method, ...body };
      await this.#channel.send({ text: this.#encode('notification', method, frame), method });
    } catch (error) {
      this.#note('upstream-notification-undelivered', { method, err: error });
    }
  }

  #params(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Record<string, unknown> {
    const sent = edgeFor(this.revision).request(method, params);
    if ('refused' in sent) throw this.#failure(`cannot be asked for ${method}: ${sent.refused}`);
    if (eraOf(this.revision) === 'legacy') return sent.params as Record<string, unknown>;
    const { clientInfo } = this.options;
    const { logLevel, capabilities = {} } = options;
    return withRequestEnvelope(sent.params, {
      protocolVersion: this.revision,
      clientCapabilities: capabilities,
      clientInfo,
      logLevel,
    }) as Record<string, unknown>;
  }

  #encode(kind: Outgoing['kind'], method: string | undefined, frame: object): string {
    return encode({ revision: this.revision, sender: 'client', kind, method }, frame);
  }

  #received(value: unknown, via: number | undefined): void {
    if (Array.isArray(value)) {
      for (const element of value) this.#receivedOne(element, via);
    } else {
      this.#receivedOne(value, via);
    }
  }

  #receivedOne(value: unknown, via: number | undefined): void {
    const sorted = sortFrame(value);
    switch (sorted.kind) {
      case 'response':
        this.#answered(sorted.frame);
        return;
      case 'notification':
        this.#notifications.received(sorted.frame, via);
        return;
      case 'request':
        this.#question(sorted.frame, via);
        return;
      case 'invalid':
        this.#unusable(sorted.id, sorted.reason);
    }
  }

  /** An answer that is none must not leave its request waiting. */
  #unusable(id: RequestId | undefined, reason: string): void {
    this.#note('upstream-message-invalid', { reason });
    if (typeof id === 'number') {
      this.#waiting.get(id)?.reject(this.#failure(`answered with what is no message: ${reason}`));
    }
  }

  #answered(frame: JSONRPCResult | JSONRPCError): void {
    const waiting = typeof frame.id === 'number' ? this.#waiting.get(frame.id) : undefined;
    if (waiting === undefined) {
      // Most of these crossed a cancellation on the way (basic/utilities/cancellation).
      this.#note('upstream-response-unawaited', { id: frame.id });
      return;
    }
    const edge = edgeFor(this.revision);
    if ('error' in frame) {
      const lift = waiting.options.lift ?? ((error) => edge.liftError(waiting.method, error));
      waiting.reject(lift(frame.error));
      return;
    }
    if (eraOf(this.revision) === 'modern' && !('resultType' in frame.result)) {
      this.#note('upstream-result-without-type', { method: waiting.method });
    }
    const lifted = edge.liftResult(waiting.method, frame.result) as Record<string, unknown>;
    const type = lifted['resultType'];
    if (type === 'complete' || (waiting.options.ask !== undefined && UNFINISHED.has(type))) {
      waiting.resolve(lifted);
    } else {
      const what = JSON.stringify(type);
      waiting.reject(
        this.#failure(
          `answered ${waiting.method} with resultType ${what}, which was not asked for`,
        ),
      );
    }
  }

  #question(frame: JSONRPCRequest, via: number | undefined): void {
    if (eraOf(this.revision) === 'legacy') this.#questions.received(frame, via);
    else this.#note('upstream-request-unexpected', { method: frame.method });
  }

  /**
   * The request that waits for the task the question names, or on whose stream it came, or the only one
   * there is. A question that could be another client's is never put to this one.
   */
  #askedFor(via: number | undefined, taskId: string | undefined): PendingRequest | undefined {
    const askable = this.#waiting.all().filter(({ options }) => options.ask !== undefined);
    const following = askable.find(({ options }) => options.taskId === taskId);
    if (taskId !== undefined && following !== undefined) return following;
    if (via !== undefined) return this.#waiting.get(via);
    const [only, ...others] = askable;
    return others.length === 0 ? only : undefined;
  }

  #answer(id: RequestId, method: string, answer: object): void {
    const edge = edgeFor(this.revision);
    const result = edge.result(method, answer, { serverInfo: this.options.clientInfo });
    this.#reply('result', method, { jsonrpc: JSONRPC_VERSION, id, result });
  }

  #refuse(id: RequestId, method: string, error: RpcError): void {
    const object = edgeFor(this.revision).error(error);
    this.#reply('error', method, { jsonrpc: JSONRPC_VERSION, id, error: object });
  }

  #reply(kind: 'result' | 'error', method: string, frame: object): void {
    const text = this.#encode(kind, method, frame);
    this.#channel.send({ text, method: undefined }).catch((error: unknown) => {
      this.#note('upstream-reply-undelivered', { method, err: error });
    });
  }

  /** One that has expired is left once those in flight are answered: to ask again would do it all twice. */
  #lost(reason: Error): void {
    if (this.#over !== undefined) return;
    if (reason instanceof SessionExpired) {
      this.#over = reason;
      this.#lingers = true;
      this.#leaveUnlessAwaited();
    } else {
      this.#end(this.#failure(`went away before it answered: ${reason.message}`));
      void this.#channel.close();
    }
    this.options.closed(reason);
  }

  #leaveUnlessAwaited(): void {
    if (this.#lingers && this.#waiting.all().length === 0) void this.close();
  }

  #end(error: Error): void {
    // One that has expired goes on saying so to whoever asks it for more: that is not lost.
    this.#over ??= error;
    for (const waiting of this.#waiting.all()) waiting.reject(error);
    this.#questions.end(error);
  }

  async close(): Promise<void> {
    this.#lingers = false;
    this.#end(this.#failure('went away before it answered: mcpx has closed it'));
    await this.#channel.close();
  }

  #note(event: string, details: object = {}): void {
    this.options.diagnostics.note(event, { namespace: this.namespace, ...details });
  }
}

function rejection(error: Error): Promise<never> {
  return Promise.reject(error);
}

/** The id is as good a token as any: both are unique in the session. */
function withToken(
  params: Record<string, unknown>,
  { progress }: RequestOptions,
  id: number,
): Record<string, unknown> {
  if (progress === undefined) return params;
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  return { ...params, _meta: { ...meta, progressToken: id } };
}
