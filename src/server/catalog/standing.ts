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
  readonly #seen: ReadonlyMap<Mount, Seen>;

  constructor(mounts: readonly Mount[]) {
    this.#seen = new Map(mounts.map((mount) => [mount, { state: 'starting' }]));
  }

  of(mount: Mount): BackendStatus {
    const { state = 'down', lastError } = this.#seen.get(mount) ?? {};
    return mount.backend.status ?? (lastError === undefined ? { state } : { state, lastError });
  }

  started(mount: Mount, error?: unknown): void {
    const seen = this.#seen.get(mount);
    if (seen !== undefined) seen.state = error === undefined ? 'up' : 'down';
    if (error !== undefined) this.failed(mount, error);
  }

  failed(mount: Mount, error: unknown): void {
    const seen = this.#seen.get(mount);
    const message = error instanceof Error ? error.message : String(error);
    if (seen !== undefined) seen.lastError = { message, at: new Date() };
  }

  /** Its status where it has come up or gone down since this was asked last. */
  news(mount: Mount): BackendStatus | undefined {
    const seen = this.#seen.get(mount);
    const status = this.of(mount);
    if (seen === undefined || seen.told === status.state) return undefined;
    // That it is about to come up for the first time is no news.
    if (seen.told === undefined && status.state === 'starting') return undefined;
    seen.told = status.state;
    return status;
  }
}
