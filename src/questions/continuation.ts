/**
 * One call of a client that may take several requests to be answered: what it asks, what it was told,
 * how it ended. Whoever holds it (a request, nobody for a while, a task) is told when it ends and when
 * it cannot go on without an answer.
 */
import { invalidParams } from '../protocol/errors.js';
import type { AskOptions, Question } from '../backends/context.js';
import { answerFault } from './answers.js';
import { escapedStep } from '../protocol/pointer.js';

export type Outcome = { readonly result: object } | { readonly error: unknown };

export interface Holder {
  /** The handler has ended. Told once. */
  ended(outcome: Outcome): void;
  /** Questions are open. Told when all that were asked together have been. */
  asked(): void;
  /** No question is open any more. */
  settled?(): void;
}

export interface Open {
  readonly question: Question;
  readonly options: AskOptions;
  /** Somebody else than the client has been asked. */
  elsewhere: boolean;
  resolve(answer: object): void;
  reject(error: Error): void;
}

export class Continuation {
  /** Set while the handler runs or has not been heard. */
  outcome: Outcome | undefined;
  /** How often the client was asked. */
  round = 0;
  /** By key, in the order in which they were asked. */
  readonly open = new Map<string, Open>();
  /** Everything the client said, also what nobody has asked yet. */
  readonly answers: Map<string, object>;
  #holder: Holder | undefined;
  /** How often each key was asked for. */
  readonly #used = new Map<string, number>();
  #numbered = 0;
  #telling: NodeJS.Immediate | undefined;

  constructor(answers: Readonly<Record<string, unknown>> = {}) {
    this.answers = new Map(Object.entries(answers) as [string, object][]);
  }

  /** Tells the new holder at once what there is to tell. Undefined: nobody is there for now. */
  heldBy(holder: Holder | undefined): void {
    this.#holder = holder;
    if (holder === undefined) return;
    if (this.outcome !== undefined) holder.ended(this.outcome);
    else if (this.open.size > 0) this.#tell();
  }

  get isHeld(): boolean {
    return this.#holder !== undefined;
  }

  /** Rejects where an answer that came early is none to this question, and when the signal aborts. */
  async ask(question: Question, options: AskOptions): Promise<object> {
    const { signal } = options;
    signal?.throwIfAborted();
    const key = this.#unused(options.key ?? `question-${++this.#numbered}`);
    const known = this.answers.get(key);
    if (known !== undefined) {
      const fault = answerFault(question, known, options.verbatim);
      if (fault !== undefined) throw refusedAnswer(key, fault);
      return known;
    }
    const withdraw = (): void => this.decline(key, signal?.reason as Error);
    const answer = new Promise<object>((resolve, reject) => {
      this.open.set(key, { question, options, elsewhere: false, resolve, reject });
    });
    signal?.addEventListener('abort', withdraw, { once: true });
    this.#tell();
    try {
      return await answer;
    } finally {
      signal?.removeEventListener('abort', withdraw);
    }
  }

  /** An answer is good for one question: what is asked again is another one. */
  #unused(key: string): string {
    const times = (this.#used.get(key) ?? 0) + 1;
    this.#used.set(key, times);
    return times === 1 ? key : `${key}-${times}`;
  }

  /**
   * Takes answers, and lets the handler go on with those it waits for; the others are kept. Throws
   * `RpcError` `invalidParams`, and takes nothing, where one is no answer to its question.
   */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, answer] of Object.entries(answers)) {
      const open = this.open.get(key);
      const fault = open && answerFault(open.question, answer, open.options.verbatim);
      if (fault !== undefined) throw refusedAnswer(key, fault);
    }
    for (const [key, answer] of Object.entries(answers)) {
      this.answers.set(key, answer as object);
      this.#close(key)?.resolve(answer as object);
    }
  }

  /** Lets the handler know that a question will not be answered. */
  decline(key: string, error: Error): void {
    this.#close(key)?.reject(error);
  }

  #close(key: string): Open | undefined {
    const open = this.open.get(key);
    if (open === undefined) return undefined;
    this.open.delete(key);
    if (this.open.size === 0 && this.outcome === undefined) this.#holder?.settled?.();
    return open;
  }

  /** The handler learns that nothing it has asked will be answered. */
  giveUp(error: Error): void {
    for (const key of [...this.open.keys()]) this.decline(key, error);
  }

  ended(outcome: Outcome): void {
    this.outcome = outcome;
    // Whoever has not waited for the answer will not get one.
    this.giveUp(new Error('The call has ended, for which it was asked'));
    if (this.#telling !== undefined) clearImmediate(this.#telling);
    this.#holder?.ended(outcome);
  }

  /** Questions that are asked in one go are put together. */
  #tell(): void {
    this.#telling ??= setImmediate(() => {
      this.#telling = undefined;
      if (this.outcome === undefined && this.open.size > 0) this.#holder?.asked();
    });
  }
}

function refusedAnswer(key: string, fault: string): Error {
  const pointer = `/params/inputResponses/${escapedStep(key)}`;
  return invalidParams(`${pointer}: ${fault}`, { pointer });
}
