/** Backends that were taken away: they get no new calls, and go once those in hand have ended. */
import { setImmediate } from 'node:timers/promises';
import type { Mount } from '../contract.js';

interface Leaving {
  /** Ends the wait for its calls. */
  readonly stopWaiting: () => void;
  readonly gone: Promise<void>;
}

export interface DeparturesHost {
  /** How long the calls of a backend may go on once it was taken away, in milliseconds. */
  readonly graceMs: number;
  /** Never rejects. */
  close(mount: Mount): Promise<void>;
  /** It waits for so many calls. */
  waits(mount: Mount, calls: number): void;
  /** The grace is over, and so many calls are cut. */
  cuts(mount: Mount, calls: number): void;
}

export class Departures {
  /** Calls in hand, of backends that have any. */
  readonly #calls = new Map<Mount, number>();
  readonly #leaving = new Map<Mount, Leaving>();

  constructor(private readonly host: DeparturesHost) {}

  /** Backends that are not gone yet. */
  get size(): number {
    return this.#leaving.size;
  }

  /** The result; until there is one, the backend is in use. */
  during<T>(mount: Mount, result: T | Promise<T>): T | Promise<T> {
    if (!(result instanceof Promise)) return result;
    this.#calls.set(mount, this.#inHand(mount) + 1);
    return result.then(
      (value) => {
        this.#ended(mount);
        return value;
      },
      (error: unknown) => {
        this.#ended(mount);
        throw error;
      },
    );
  }

  #inHand(mount: Mount): number {
    return this.#calls.get(mount) ?? 0;
  }

  #ended(mount: Mount): void {
    const left = this.#inHand(mount) - 1;
    if (left > 0) {
      this.#calls.set(mount, left);
    } else {
      this.#calls.delete(mount);
      this.#leaving.get(mount)?.stopWaiting();
    }
  }

  /** Nobody finds the backend any more. Resolves when it is closed. */
  leave(mount: Mount): Promise<void> {
    let stopWaiting: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => (stopWaiting = resolve));
    const gone = this.#closed(mount, waited).finally(() => this.#leaving.delete(mount));
    this.#leaving.set(mount, { stopWaiting, gone });
    return gone;
  }

  async #closed(mount: Mount, waited: Promise<void>): Promise<void> {
    mount.backend.retire?.();
    // Whoever found it a moment ago calls it in this turn.
    await setImmediate();
    const calls = this.#inHand(mount);
    if (calls > 0) {
      this.host.waits(mount, calls);
      const timer = setTimeout(() => {
        this.host.cuts(mount, this.#inHand(mount));
        this.#leaving.get(mount)?.stopWaiting();
      }, this.host.graceMs);
      await waited;
      clearTimeout(timer);
    }
    await this.host.close(mount);
  }

  /** Whoever is leaving has to go now. Resolves when all have gone. */
  async close(): Promise<void> {
    const leaving = [...this.#leaving.values()];
    for (const { stopWaiting } of leaving) stopWaiting();
    await Promise.all(leaving.map(({ gone }) => gone));
  }
}
