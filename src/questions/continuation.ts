/**
 * One call of a client that may take several requests to be answered: what it asks, what it was told,
 * how it ended. Whoever holds it (a request, nobody for a while, a task) is told when it ends and when
 * it cannot go on without an answer.
 */
import { invalidParams } from '../protocol/errors.js';
import type { AskOptions, Question } from '../backends/context.js';
import { answerFault } from './answers.js';

export type Outcome = { readonly result: object } | { readonly error: unknown };

export interface Holder {
  /** The handler has ended. Told once. */
  ended(outcome: Outcome): void;
  /** Questions are open. Told when all that were asked together have been. */
  asked(): void;
}

interface Open {
  readonly question: Question;
  readonly verbatim: boolean | undefined;
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

  /** Rejects where an answer that came early is none to this question. */
  async ask(
    question: Question,
    { key = `question-${++this.#numbered}`, signal, verbatim }: AskOptions,
  ): Promise<object> {
    if (this.open.has(key)) throw new Error(`There already is an open question "${key}"`);
    const known = this.answers.get(key);
    if (known !== undefined) {
      const fault = answerFault(question, known, verbatim);
      if (fault !== undefined) throw refusedAnswer(key, fault);
      return known;
    }
    const answer = new Promise<object>((resolve, reject) => {
      this.open.set(key, { question, verbatim, resolve, reject });
    });
    signal?.addEventListener('abort', () => this.decline(key, signal.reason as Error), {
      once: true,
    });
    this.#tell();
    return answer;
  }

  /**
   * Takes answers, and lets the handler go on with those it waits for; the others are kept. Throws
   * `RpcError` `invalidParams`, and takes nothing, where one is no answer to its question.
   */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, answer] of Object.entries(answers)) {
      const open = this.open.get(key);
      const fault = open && answerFault(open.question, answer, open.verbatim);
      if (fault !== undefined) throw refusedAnswer(key, fault);
    }
    for (const [key, answer] of Object.entries(answers)) {
      this.answers.set(key, answer as object);
      const open = this.open.get(key);
      this.open.delete(key);
      open?.resolve(answer as object);
    }
  }

  /** Lets the handler know that a question will not be answered. */
  decline(key: string, error: Error): void {
    const open = this.open.get(key);
    this.open.delete(key);
    open?.reject(error);
  }

  /** The handler learns that nothing it has asked will be answered. */
  giveUp(error: Error): void {
    for (const key of [...this.open.keys()]) this.decline(key, error);
  }

  ended(outcome: Outcome): void {
    this.outcome = outcome;
    this.open.clear();
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
  const pointer = `/params/inputResponses/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return invalidParams(`${pointer}: ${fault}`, { pointer });
}
