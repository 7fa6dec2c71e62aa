/**
 * Whether somebody still waits. An `AbortSignal` is one, but costs more to make than all the rest of a
 * relayed call does to book, and hardly any is ever aborted.
 */
export interface Cancellation {
  readonly aborted: boolean;
  /** Why; undefined until then. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** One that its maker can cancel. */
export class CancellationSource implements Cancellation {
  #listeners: (() => unknown)[] = [];
  #reason: Error | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The first time counts. */
  cancel(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  addEventListener(_type: 'abort', listener: () => unknown): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => unknown): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}
