/** Backends that were taken away: they get no new calls, and go once those in hand have ended. */
import { setImmediate } from 'node:timers/promises';
import type { Mount } from '../contract.js';

interface Leaving {
  /** Ends the wait for its calls. */
  readonly stopWaiting: () => void;
  readonly gone: Promise<void>;
}

interface InHand {
  calls: number;
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
  readonly #calls = new WeakMap<Mount, InHand>();
  readonly #leaving = new Map<Mount, Leaving>();

  constructor(private readonly host: DeparturesHost) {}

  /** Backends that are not gone yet. */
  get size(): number {
    return this.#leaving.size;
  }

  /** The result; until there is one, the backend is in use. */
  during<T>(mount: Mount, result: T | Promise<T>): T | Promise<T> {
    if (!(result instanceof Promise)) return result;
    const inHand = this.#inHand(mount);
    inHand.calls++;
    const ended = (): void => {
      inHand.calls--;
      if (inHand.calls === 0) this.#leaving.get(mount)?.stopWaiting();
    };
    return result.then(
      (value) => {
        ended();
        return value;
      },
      (error: unknown) => {
        ended();
        throw error;
      },
    );
  }

  #inHand(mount: Mount): InHand {
    let inHand = this.#calls.get(mount);
    if (inHand === undefined) this.#calls.set(mount, (inHand = { calls: 0 }));
    return inHand;
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
    const inHand = this.#inHand(mount);
    if (inHand.calls > 0) {
      this.host.waits(mount, inHand.calls);
      const timer = setTimeout(() => {
        this.host.cuts(mount, inHand.calls);
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
