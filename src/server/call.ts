/**
 * One request in flight. The transport sees a `Pending`, the handler a `RequestContext`, the core
 * both: one object, because there is one for every request.
 */
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
  LoggingLevel,
} from '../../generated/newest/types.js';
import type { AskOptions, Progress, Question, RequestContext } from '../backends/context.js';
import type { Tool } from '../backends/backend.js';
import type { Edge } from '../edge/contract.js';
import { edgeFor } from '../edge/edge.js';
import { CancellationSource, type Cancellation } from '../protocol/cancellation.js';
import { isObject, usableId, type JSONRPCRequest, type RequestId } from '../protocol/jsonrpc.js';
import { isWanted } from '../protocol/logging-levels.js';
import type { Peer } from '../protocol/peer.js';
import type { Outcome } from '../questions/continuation.js';
import type { Conversation, QuestionDesk, Seat } from '../questions/desk.js';
import type { Tasks } from '../tasks/tasks.js';
import type { ClientConnection } from './connection.js';
import type { Exchange, Pending, Reply } from './contract.js';
import type { Ending } from './meter.js';
import { notificationText } from './reply.js';
import { RELATED_TASK_KEY, RESERVED_PREFIX } from '../protocol/reserved.js';

const PROGRESS_TOKEN = 'progressToken';

/** What a call needs of the core. */
export interface CallHost {
  readonly desk: QuestionDesk;
  /** Settles the call with what became of its handler. */
  finish(call: Call, outcome: Outcome): void;
  /** Answers the call with a task, if it may have one. */
  becomeTask(call: Call): void;
  /** Takes the call out of the books; called once. */
  release(call: Call): void;
}

export class Call implements Pending, RequestContext, Seat {
  reply!: Pending['reply'];
  /** The tool that is called, as listed: list and call have to agree on its wrapping. */
  tool: Tool | undefined;
  /** Runs once when the request is cancelled, before the reply is withheld. */
  onCancel: (() => void) | undefined;
  /** Set on a stream that lasts until somebody ends it: ends it in good order. */
  endStream: (() => void) | undefined;
  /** Set once the call has asked, or is a retry of one that has. */
  conversation: Conversation | undefined;
  /** Set where the handler goes on as a task. */
  task: { readonly id: string; readonly tasks: Tasks } | undefined;
  edge: Edge;
  /** In the books of the core. */
  place = -1;
  /** In those of the connection. */
  placeInConnection = -1;
  #abandoned: string | undefined;
  #handlerEnded: AbortController | undefined;
  #hasEnded = false;
  #state: 'open' | 'answered' | 'failed' | 'cancelled' = 'open';
  readonly #started = performance.now();
  #resolve: ((reply: Reply | undefined) => void) | undefined;
  #controller: AbortController | undefined;
  #cancellation: CancellationSource | undefined;
  #meta: Readonly<Record<string, unknown>> | undefined;
  #progress = -Infinity;

  constructor(
    readonly frame: JSONRPCRequest,
    readonly exchange: Exchange,
    public peer: Peer,
    private readonly host: CallHost,
    readonly lasting: boolean,
  ) {
    this.edge = edgeFor(peer.revision);
  }

  get id(): RequestId {
    return this.frame.id;
  }

  get method(): string {
    return this.frame.method;
  }

  get params(): Record<string, unknown> {
    return this.frame.params ?? {};
  }

  get connection(): ClientConnection | undefined {
    return this.exchange.connection as ClientConnection | undefined;
  }

  get caller(): string {
    const { peer, connection } = this;
    if (peer.principal !== undefined) return `user:${peer.principal}`;
    return peer.era === 'legacy' && connection !== undefined ? connection.caller : '';
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** How it went, as soon as it is over. */
  get ending(): Ending {
    return this.#state === 'open' ? 'cancelled' : this.#state;
  }

  /** How long it has been in hand, in milliseconds. */
  get age(): number {
    return performance.now() - this.#started;
  }

  /** From here on the request is answered as `peer` (after `initialize`). */
  speakAs(peer: Peer): void {
    this.peer = peer;
    this.edge = edgeFor(peer.revision);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abandoned !== undefined) this.#controller.abort(abortReason(this.#abandoned));
    return this.#controller.signal;
  }

  get cancellation(): Cancellation {
    this.#cancellation ??= new CancellationSource();
    if (this.#abandoned !== undefined) this.#cancellation.cancel(abortReason(this.#abandoned));
    return this.#cancellation;
  }

  get handlerEnded(): AbortSignal {
    this.#handlerEnded ??= new AbortController();
    if (this.#hasEnded) this.#handlerEnded.abort(ENDED);
    return this.#handlerEnded.signal;
  }

  get meta(): Readonly<Record<string, unknown>> {
    return (this.#meta ??= authorMeta(this.frame.params?.['_meta']));
  }

  private get progressToken(): RequestId | undefined {
    const meta = this.frame.params?.['_meta'];
    return isObject(meta) ? usableId(meta[PROGRESS_TOKEN]) : undefined;
  }

  /**
   * The request that waits for this one's handler just now; none while nobody does. A task of a session
   * keeps to the request that started it: its progress token is good until the task ends.
   */
  get #present(): Call | undefined {
    if (this.task !== undefined) return this.peer.era === 'legacy' ? this : undefined;
    return this.conversation === undefined ? this : (this.conversation.seat as Call | undefined);
  }

  get wantsProgress(): boolean {
    return this.#present?.progressToken !== undefined;
  }

  progress(update: Progress): void {
    this.#present?.ownProgress(update);
  }

  private ownProgress(update: Progress): void {
    const { progressToken } = this;
    if (progressToken === undefined || !(update.progress > this.#progress)) return;
    if (update.progress === Infinity) return;
    this.#progress = update.progress;
    this.notify('notifications/progress', { progressToken, ...update });
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    this.#present?.ownLog(level, data, logger);
  }

  private ownLog(level: LoggingLevel, data: unknown, logger?: string): void {
    // A session's level may have changed since the request came in.
    const peer =
      this.peer.era === 'legacy' ? (this.connection?.legacyPeer ?? this.peer) : this.peer;
    if (peer.logLevel === undefined || !isWanted(level, peer.logLevel)) return;
    this.notify(
      'notifications/message',
      logger === undefined ? { level, data } : { level, logger, data },
    );
  }

  /** A notification that belongs to this request. Nothing follows the reply or a cancellation. */
  notify(method: string, params: object): void {
    if (this.task !== undefined) {
      this.connection?.deliver(method, related(params, this.task.id));
      return;
    }
    if (this.#state !== 'open') return;
    const text = notificationText(this.edge, method, params);
    if (text !== undefined) this.exchange.send(text);
  }

  /** The answer comes later. */
  wait(): void {
    this.reply = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  canAsk(question: Question, options: Pick<AskOptions, 'directly'> = {}): boolean {
    return this.host.desk.canAsk(this, question, options);
  }

  ask(question: Question, options: AskOptions = {}): Promise<object> {
    const answer = this.host.desk.ask(this, question, options);
    // A handler that does not wait for what it has asked must not end the process.
    answer.catch(() => undefined);
    return answer;
  }

  elicit(params: ElicitRequestParams, options?: AskOptions): Promise<ElicitResult> {
    return this.ask({ method: 'elicitation/create', params }, options) as Promise<ElicitResult>;
  }

  sample(params: CreateMessageRequestParams, options?: AskOptions): Promise<CreateMessageResult> {
    const question: Question = { method: 'sampling/createMessage', params };
    return this.ask(question, options) as Promise<CreateMessageResult>;
  }

  listRoots(options?: AskOptions): Promise<ListRootsResult> {
    return this.ask({ method: 'roots/list' }, options) as Promise<ListRootsResult>;
  }

  takesLong(): void {
    const present = this.#present;
    if (present !== undefined) this.host.becomeTask(present);
  }

  get askOnWire(): Seat['askOnWire'] {
    const { connection, exchange, task } = this;
    if (connection?.legacyPeer === undefined || connection.closed) return undefined;
    if (task === undefined) {
      return (method, params, signal) =>
        connection.ask(method, params, { via: (text) => exchange.send(text), signal });
    }
    const { id, tasks } = task;
    return (method, params, signal) => {
      const said: string[] = [];
      const say = (text: string): void => {
        said.push(text);
        tasks.say(id, text);
      };
      // Where a session has no stream open, its client asks for the result, and hears on that stream.
      const via = tasks.hasStream(id) || !connection.hears ? say : undefined;
      const asked = connection.ask(method, related(params, id), { via, signal });
      tasks.asking(id, true);
      return asked.finally(() => {
        tasks.unsay(id, said);
        tasks.asking(id, false);
      });
    };
  }

  /** The request is answered with a task; what it says from now on, it says in the task's name. */
  runsAsTask(id: string, tasks: Tasks): void {
    this.task = { id, tasks };
  }

  /** The handler has ended. */
  ended(outcome: Outcome): void {
    this.#hasEnded = true;
    this.#handlerEnded?.abort(ENDED);
    if (this.conversation === undefined) this.host.finish(this, outcome);
    else this.conversation.ended(outcome);
  }

  finish(outcome: Outcome): void {
    this.host.finish(this, outcome);
  }

  /** `reply` is undefined where the request was cancelled before. */
  settle(reply: Reply | undefined): void {
    if (this.#state === 'open' && reply !== undefined) {
      this.#state = reply.errorCode === undefined ? 'answered' : 'failed';
      if (this.#resolve === undefined) this.reply = reply;
      else this.#resolve(reply);
    }
    this.host.release(this);
  }

  cancel(reason?: string): void {
    if (this.#state !== 'open') return;
    this.#state = 'cancelled';
    this.onCancel?.();
    (this.conversation?.first ?? this).abandon(reason ?? CANCELLED);
    this.#resolve?.(undefined);
  }

  abandon(reason: string): void {
    this.#abandoned ??= reason;
    this.#controller?.abort(abortReason(reason));
    this.#cancellation?.cancel(abortReason(reason));
    this.conversation?.giveUp(new Error(reason));
  }
}

/** Whatever belongs to a task of a session names it (2025-11-25, basic/utilities/tasks). */
function related(params: object | undefined, taskId: string): object {
  const { _meta } = (params ?? {}) as { _meta?: object };
  return { ...params, _meta: { ..._meta, [RELATED_TASK_KEY]: { taskId } } };
}

const ENDED = new Error('The call has ended, for which it was asked');
const CANCELLED = 'The client cancelled the request';

function abortReason(reason: string): DOMException {
  return new DOMException(reason, 'AbortError');
}

const NO_META = Object.freeze({});

function authorMeta(meta: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(meta)) return NO_META;
  const own = Object.entries(meta).filter(
    ([key]) => key !== PROGRESS_TOKEN && !key.startsWith(RESERVED_PREFIX),
  );
  return Object.fromEntries(own);
}
