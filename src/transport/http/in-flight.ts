/** Answers that are owed, for a server that wants to end without breaking any. */
import { Roster } from '../../protocol/roster.js';

export interface OwedAnswer {
  /** In the books. */
  place: number;
  /** Ends a stream that would last, in good order. */
  endStream(): void;
  cancel(reason: string): void;
}

export class InFlight {
  readonly #owed = new Roster<OwedAnswer>();
  #draining: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  /** From here on no request is taken. */
  get draining(): boolean {
    return this.#draining !== undefined;
  }

  add(answer: OwedAnswer): void {
    answer.place = this.#owed.add(answer);
  }

  delete(answer: OwedAnswer): void {
    if (this.#owed.remove(answer, answer.place) && this.#owed.size === 0) this.#idle?.();
  }

  /** Resolves when everything is answered, or was cancelled after `graceMs`. */
  drain(graceMs: number): Promise<void> {
    return (this.#draining ??= this.#drain(graceMs));
  }

  async #drain(graceMs: number): Promise<void> {
    for (const answer of this.#owed.all()) answer.endStream();
    if (this.#owed.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const answer of this.#owed.all()) answer.cancel('The server is shutting down');
  }
}
