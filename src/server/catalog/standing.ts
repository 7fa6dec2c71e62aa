/** How each backend stands: what it says itself, or what was seen of it from here. */
import type { BackendState, BackendStatus } from '../../backends/backend.js';
import type { Mount } from '../contract.js';

interface Seen {
  state: BackendState;
  lastError?: { readonly message: string; readonly at: Date };
  /** What was told of it last. */
  told?: BackendState;
}

export class Standing {
  readonly #seen = new Map<Mount, Seen>();

  #of(mount: Mount): Seen {
    let seen = this.#seen.get(mount);
    if (seen === undefined) this.#seen.set(mount, (seen = { state: 'starting' }));
    return seen;
  }

  /** It is no longer there. */
  forget(mount: Mount): void {
    this.#seen.delete(mount);
  }

  of(mount: Mount): BackendStatus {
    const { state, lastError } = this.#of(mount);
    return mount.backend.status ?? (lastError === undefined ? { state } : { state, lastError });
  }

  started(mount: Mount, error?: unknown): void {
    this.#of(mount).state = error === undefined ? 'up' : 'down';
    if (error !== undefined) this.failed(mount, error);
  }

  failed(mount: Mount, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#of(mount).lastError = { message, at: new Date() };
  }

  /** Its status where it has come up or gone down since this was asked last. */
  news(mount: Mount): BackendStatus | undefined {
    const seen = this.#of(mount);
    const status = this.of(mount);
    if (seen.told === status.state) return undefined;
    // That it is about to come up for the first time is no news.
    if (seen.told === undefined && status.state === 'starting') return undefined;
    seen.told = status.state;
    return status;
  }
}
