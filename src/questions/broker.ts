/**
 * Questions that no client can be asked, kept for a person or a program to answer. One that nobody
 * answers in time ends as a user's `cancel` does.
 */
import { randomUUID } from 'node:crypto';
import { RpcError, invalidParams, methodNotFound } from '../protocol/errors.js';
import type { Question } from '../backends/context.js';
import { answerFault } from './answers.js';

export interface BrokeredQuestion {
  readonly id: string;
  readonly question: Question;
  /** Who asks: the name of a backend, or of a tool. */
  readonly from: string;
  /** Milliseconds since the epoch. */
  readonly asked: number;
  readonly expires: number;
}

interface Waiting extends BrokeredQuestion {
  readonly timer: NodeJS.Timeout;
  resolve(answer: object): void;
  reject(error: Error): void;
}

export type BrokerEvent =
  | { readonly kind: 'asked'; readonly question: BrokeredQuestion }
  | {
      readonly kind: 'closed';
      readonly id: string;
      readonly how: Closing;
    };

/** `withdrawn`: whoever asked does not want to know any more. */
type Closing = 'answered' | 'declined' | 'expired' | 'withdrawn';

/** What a client has open nobody else can say, and upstreams ask for it as a matter of course. */
export function takes({ method }: Question): boolean {
  return method !== 'roots/list';
}

export class Broker {
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<(event: BrokerEvent) => void>();

  /** `ttl` in milliseconds, of questions that are asked from now on; at most `most` questions wait at once. */
  constructor(
    public ttl: number,
    private readonly most = 1000,
  ) {}

  /** Rejects where the question is declined, is no elicitation and expires, or there is no room. */
  ask(question: Question, from: string, signal: AbortSignal): Promise<object> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (!takes(question)) return Promise.reject(methodNotFound(question.method));
    if (this.#waiting.size >= this.most) {
      return Promise.reject(new Error(`${this.most} questions wait already`));
    }
    const id = randomUUID();
    const asked = Date.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(id), this.ttl);
      timer.unref();
      const abandon = (): void => {
        this.#take(id, 'withdrawn');
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abandon, { once: true });
      const settled = (): void => signal.removeEventListener('abort', abandon);
      const waiting: Waiting = {
        id,
        question,
        from,
        asked,
        expires: asked + this.ttl,
        timer,
        resolve: (answer) => {
          settled();
          resolve(answer);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      this.#waiting.set(id, waiting);
      this.#emit({ kind: 'asked', question: shown(waiting) });
    });
  }

  /** Oldest first. */
  list(): BrokeredQuestion[] {
    return [...this.#waiting.values()].map(shown);
  }

  /** Undefined where it was answered, expired or never was. */
  get(id: string): BrokeredQuestion | undefined {
    const waiting = this.#waiting.get(id);
    return waiting && shown(waiting);
  }

  /** `answer` as a client would give it. Throws `RpcError` `invalidParams`: unknown id, or no such answer. */
  answer(id: string, answer: object): void {
    const waiting = this.#known(id);
    const fault = answerFault(waiting.question, answer);
    if (fault !== undefined) throw invalidParams(`The answer does not fit: ${fault}`, { id });
    this.#take(id, 'answered');
    waiting.resolve(answer);
  }

  /** Throws `RpcError` `invalidParams` for an unknown id. */
  decline(id: string): void {
    const waiting = this.#known(id);
    this.#take(id, 'declined');
    if (waiting.question.method === 'elicitation/create') waiting.resolve({ action: 'decline' });
    else waiting.reject(new RpcError('internal', 'The question was declined'));
  }

  onEvent(listener: (event: BrokerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Everything that waits is given up. */
  close(): void {
    for (const id of [...this.#waiting.keys()]) this.#expire(id);
  }

  #expire(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#take(id, 'expired');
    if (waiting.question.method === 'elicitation/create') waiting.resolve({ action: 'cancel' });
    else waiting.reject(new RpcError('internal', 'Nobody answered the question in time'));
  }

  #known(id: string): Waiting {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) throw invalidParams(`No question "${id}" waits`, { id });
    return waiting;
  }

  #take(id: string, how: Closing): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    this.#emit({ kind: 'closed', id, how });
  }

  #emit(event: BrokerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function shown({ id, question, from, asked, expires }: Waiting): BrokeredQuestion {
  return { id, question, from, asked, expires };
}
