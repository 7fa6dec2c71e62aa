/**
 * Where handlers and upstreams ask. Decides whom: the client on the wire (legacy), the client through
 * an `input_required` result and its retry (modern), or the broker.
 */
import { randomUUID } from 'node:crypto';
import type { Peer } from '../protocol/peer.js';
import { missingCapability } from '../protocol/errors.js';
import type { AskOptions, Question } from '../backends/context.js';
import { answerFault } from './answers.js';
import { takes, type Broker } from './broker.js';
import { missingFor } from './capability.js';
import { Continuation, type Open, type Outcome } from './continuation.js';
import { StateSigner } from './request-state.js';

/** A request of a client, as far as it matters to questions. */
export interface Seat {
  readonly peer: Peer;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Aborted when the handler has ended, however: nobody waits for what it has asked. */
  readonly handlerEnded: AbortSignal;
  conversation: Conversation | undefined;
  /** Legacy only, and only where the answer can come back. */
  readonly askOnWire:
    | ((method: string, params: object | undefined, signal: AbortSignal) => Promise<object>)
    | undefined;
  finish(outcome: Outcome): void;
  /** The client will not hear of it any more: whatever still runs for the request should stop. */
  abandon(reason: string): void;
}

/** A call over all the requests it takes. */
export class Conversation extends Continuation {
  readonly id = randomUUID();
  /** The request that waits for it just now. */
  seat: Seat | undefined;
  /** Runs while nobody waits for it. */
  timer: NodeJS.Timeout | undefined;

  constructor(
    /** The request the handler was started for. */
    readonly first: Seat,
    answers?: Readonly<Record<string, unknown>>,
  ) {
    super(answers);
    this.seat = first;
  }
}

export interface DeskSettings {
  /** How long a client may take to answer, in milliseconds. */
  readonly askTimeout: number;
  /** How often one call may ask. */
  readonly askRounds: number;
  /** How long a `requestState` can be used, in milliseconds. */
  readonly stateTTL: number;
  /** Keys of `requestState`, the newest first; absent: one of this process alone. */
  readonly stateKeys?: readonly string[];
  /** Calls that may wait for an answer that comes with another request. */
  readonly maxParked: number;
}

/** Methods whose results may ask (2026-07-28, client/multi-round-trip-requests). */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const LATE = 'The client did not answer in time';

export class QuestionDesk {
  readonly #parked = new Map<string, Conversation>();
  readonly #signer: StateSigner;

  constructor(
    private readonly settings: DeskSettings,
    private readonly broker: Broker | undefined,
  ) {
    this.#signer = new StateSigner(settings.stateTTL, settings.stateKeys);
  }

  canAsk(first: Seat, question: Question, { directly }: Pick<AskOptions, 'directly'>): boolean {
    if (this.#brokered(question, directly)) return true;
    const seat = first.conversation?.seat ?? first;
    return this.#canBeAsked(seat, question);
  }

  async ask(first: Seat, question: Question, options: AskOptions): Promise<object> {
    // Of what was given up nobody would ever hear.
    first.signal.throwIfAborted();
    const seat = first.conversation?.seat ?? first;
    if (!this.#canBeAsked(seat, question))
      return this.#askElsewhere(first, seat, question, options);
    if (seat.peer.era === 'legacy') return this.#askOnWire(seat, question, options);
    const conversation = (first.conversation ??= new Conversation(first));
    if (!conversation.isHeld && conversation.seat !== undefined) this.#sit(conversation, first);
    return conversation.ask(question, options);
  }

  /**
   * Looks at a modern request for answers to earlier questions. True: a call that waited goes on and
   * will finish the request. False: the handler is to be run, with what was answered at hand. Throws
   * `RpcError` `invalidParams` for a state that is not this request's, and for answers that are none.
   */
  resume(seat: Seat): boolean {
    const { requestState, inputResponses } = seat.params;
    if (requestState === undefined && inputResponses === undefined) return false;
    if (seat.peer.era === 'legacy') return false;
    const given = (inputResponses ?? {}) as Record<string, unknown>;
    if (requestState === undefined) {
      this.#sit((seat.conversation = new Conversation(seat, given)), seat);
      return false;
    }
    const { method, params, peer } = seat;
    const bound = { method, params, principal: peer.principal };
    const state = this.#signer.verify(bound, requestState as string);
    const parked = this.#parked.get(state.call);
    if (parked?.round !== state.round) {
      const conversation = new Conversation(seat, { ...state.answers, ...given });
      conversation.round = state.round;
      this.#sit((seat.conversation = conversation), seat);
      return false;
    }
    parked.answer(given);
    this.#unpark(parked);
    seat.conversation = parked;
    this.#sit(parked, seat);
    return true;
  }

  /** Calls that wait are given up, and so is what the broker was asked. */
  close(): void {
    for (const parked of [...this.#parked.values()]) this.#giveUp(parked, 'The server shuts down');
    this.broker?.close();
  }

  #brokered(question: Question, directly: boolean | undefined): boolean {
    return this.broker !== undefined && directly !== true && takes(question);
  }

  #canBeAsked(seat: Seat, question: Question): boolean {
    if (missingFor(question, seat.peer.capabilities) !== undefined) return false;
    return seat.peer.era === 'legacy' ? seat.askOnWire !== undefined : MAY_ASK.has(seat.method);
  }

  async #askElsewhere(
    first: Seat,
    seat: Seat,
    question: Question,
    { from = first.method, signal, directly }: AskOptions,
  ): Promise<object> {
    if (this.broker !== undefined && directly !== true)
      return this.broker.ask(question, from, any(first.signal, first.handlerEnded, signal));
    const missing = missingFor(question, seat.peer.capabilities);
    if (missing !== undefined) throw missingCapability(missing);
    throw new Error(`The client cannot be asked during ${seat.method} (${question.method})`);
  }

  async #askOnWire(
    seat: Seat,
    question: Question,
    { signal, verbatim }: AskOptions,
  ): Promise<object> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(LATE)), this.settings.askTimeout);
    timer.unref();
    try {
      const ends = any(seat.signal, seat.handlerEnded, late.signal, signal);
      const answer = await seat.askOnWire?.(question.method, question.params, ends);
      const fault = answerFault(question, answer, verbatim);
      if (fault !== undefined || answer === undefined) {
        throw new Error(`The client's answer to ${question.method} does not fit: ${fault ?? ''}`);
      }
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  #sit(conversation: Conversation, seat: Seat): void {
    conversation.seat = seat;
    conversation.heldBy({
      ended: (outcome) => seat.finish(outcome),
      asked: () => this.#askInline(conversation, seat),
    });
  }

  /** Answers the request with the open questions, and keeps the call for the retry. */
  #askInline(conversation: Conversation, seat: Seat): void {
    const inputRequests: [string, object][] = [];
    for (const [key, open] of conversation.open) {
      if (open.elsewhere) continue;
      if (this.#canBeAsked(seat, open.question)) inputRequests.push([key, worded(open.question)]);
      else this.#redirect(conversation, key, open, seat);
    }
    if (inputRequests.length === 0) return;
    if (++conversation.round > this.settings.askRounds) {
      conversation.giveUp(new Error(`The call has asked ${this.settings.askRounds} times already`));
      return;
    }
    const { method, params, peer } = seat;
    const requestState = this.#signer.sign(
      { method, params, principal: peer.principal },
      {
        call: conversation.id,
        round: conversation.round,
        answers: Object.fromEntries(conversation.answers),
      },
    );
    this.#park(conversation);
    const result = { inputRequests: Object.fromEntries(inputRequests), requestState };
    seat.finish({ result: { resultType: 'input_required', ...result } });
  }

  /** The client of the retry declared less than that of the request before. */
  #redirect(conversation: Conversation, key: string, open: Open, seat: Seat): void {
    open.elsewhere = true;
    this.#askElsewhere(conversation.first, seat, open.question, open.options)
      .then((answer) => conversation.answer({ [key]: answer }))
      .catch((error: unknown) => conversation.decline(key, error as Error));
  }

  #park(conversation: Conversation): void {
    conversation.heldBy(undefined);
    conversation.seat = undefined;
    const oldest = this.#parked.values().next().value;
    if (oldest !== undefined && this.#parked.size >= this.settings.maxParked) {
      this.#giveUp(oldest, 'Too many calls wait for answers');
    }
    this.#parked.set(conversation.id, conversation);
    conversation.timer = setTimeout(
      () => this.#giveUp(conversation, LATE),
      this.settings.askTimeout,
    );
    conversation.timer.unref();
  }

  #unpark(conversation: Conversation): void {
    clearTimeout(conversation.timer);
    this.#parked.delete(conversation.id);
  }

  #giveUp(conversation: Conversation, reason: string): void {
    this.#unpark(conversation);
    conversation.first.abandon(reason);
    conversation.giveUp(new Error(reason));
  }
}

function any(...signals: (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** As it goes to a client. */
export function worded({ method, params }: Question): object {
  return params === undefined ? { method } : { method, params };
}
