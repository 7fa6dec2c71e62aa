/** One request to an upstream, from when it is sent until somebody is told what became of it. */
import type { ClientCapabilities, LoggingLevel } from '../../../generated/newest/types.js';
import type { ErrorObject } from '../../edge/contract.js';
import type { Cancellation } from '../../protocol/cancellation.js';
import type { Progress, Question } from '../context.js';

export interface RequestOptions {
  /** Tells the upstream that nobody waits any more; the promise rejects with its reason. */
  readonly signal?: Cancellation;
  /** In milliseconds; the upstream is then told as if it had been cancelled. */
  readonly timeout?: number;
  /** Present: progress is asked for. */
  readonly progress?: (update: Progress) => void;
  log?(level: LoggingLevel, data: unknown, logger?: string): void;
  /** Least severe level a modern upstream is asked for. */
  readonly logLevel?: LoggingLevel;
  readonly inputSchema?: object;
  /** What a modern upstream is told of whoever waits for the answer. */
  readonly capabilities?: ClientCapabilities;
  /** Puts a question of the upstream to whoever waits. Present: results that ask resolve, too. */
  ask?(...question: Parameters<Ask>): ReturnType<Ask>;
  /** The task of the upstream that the request is about. */
  readonly taskId?: string;
  /** What an error answer rejects with, where it is not to be the one error class. */
  readonly lift?: (error: ErrorObject) => Error;
}

export type Ask = (
  method: Question['method'],
  params: unknown,
  signal: AbortSignal,
) => Promise<object>;

/** How many times its timeout a request may take in all, however much progress it tells of. */
const LONGEST = 10;

/** What the session does about a request that ends before it is answered. */
export interface Ending {
  /** The error for one that took longer than its timeout. */
  tooSlow(request: PendingRequest, timeout: number): Error;
  /** Nobody waits any more, and the upstream is to know why. */
  abandoned(request: PendingRequest, why: string): void;
  /** However it ended. */
  settled(request: PendingRequest): void;
}

export class PendingRequest {
  readonly answer: Promise<Record<string, unknown>>;
  #resolve!: (result: Record<string, unknown>) => void;
  #reject!: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  /** How long the clock has run before it was started last, and when that was. In milliseconds. */
  #spent = 0;
  #since = 0;
  #settled = false;
  /** Most have none. */
  #questions: Set<AbortController> | undefined;
  readonly #cancelled = (): void => {
    this.#giveUp(this.options.signal?.reason as Error, 'The client cancelled it');
  };

  constructor(
    readonly id: number,
    readonly method: string,
    readonly options: RequestOptions,
    private readonly ending: Ending,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.signal?.addEventListener('abort', this.#cancelled, { once: true });
    this.#startClock();
  }

  resolve(result: Record<string, unknown>): void {
    if (this.#settle()) this.#resolve(result);
  }

  reject(error: Error): void {
    if (this.#settle()) this.#reject(error);
  }

  /**
   * The upstream asks on behalf of the request: while somebody thinks about it the request's time stands
   * still, and with the request the question ends.
   */
  asks(question: AbortController): void {
    this.#questions ??= new Set();
    if (this.#questions.size === 0) this.#stopClock();
    this.#questions.add(question);
  }

  answered(question: AbortController): void {
    this.#questions?.delete(question);
    if (!this.#hasQuestions && !this.#settled) this.#startClock();
  }

  get #hasQuestions(): boolean {
    return this.#questions !== undefined && this.#questions.size > 0;
  }

  /** It is alive: its time starts anew, though not for ever. */
  progressed(): void {
    if (this.#hasQuestions || this.#settled) return;
    this.#stopClock();
    this.#startClock();
  }

  #giveUp(error: Error, why: string): void {
    if (!this.#settle()) return;
    this.ending.abandoned(this, why);
    this.#reject(error);
  }

  #startClock(): void {
    const { timeout } = this.options;
    if (timeout === undefined) return;
    const longest = timeout * LONGEST;
    const left = Math.max(Math.min(timeout, longest - this.#spent), 0);
    this.#since = Date.now();
    this.#timer = setTimeout(() => {
      const tooLong = left < timeout ? longest : timeout;
      this.#giveUp(this.ending.tooSlow(this, tooLong), 'It took too long');
    }, left);
  }

  #stopClock(): void {
    clearTimeout(this.#timer);
    this.#spent += Date.now() - this.#since;
  }

  /** False where it was settled before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.options.signal?.removeEventListener('abort', this.#cancelled);
    this.ending.settled(this);
    if (this.#questions !== undefined) this.#endQuestions(this.#questions);
    return true;
  }

  #endQuestions(questions: ReadonlySet<AbortController>): void {
    const over = new Error(`${this.method} has ended, for which it was asked`);
    for (const question of questions) question.abort(over);
  }
}
