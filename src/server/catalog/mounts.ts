/**
 * The backends that are there: each from when it is started until it is gone, through all changes of the
 * configuration.
 */
import type { BackendEvent, BackendStatus } from '../../backends/backend.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import type { Mount, Remounting } from '../contract.js';
import { Departures } from './departures.js';
import { Standing } from './standing.js';

/** What a backend tells of what it has. */
export type BackendNews = Exclude<BackendEvent, { kind: 'statusChanged' }>;

/** What the catalog makes of it. */
export interface MountsHost {
  heard(mount: Mount, news: BackendNews): void;
  /** It has come up or gone down. */
  stands(mount: Mount, status: BackendStatus): void;
  /** It is not there any more. */
  lost(mount: Mount): void;
  /** There are other ones than before, or one that could not tell yet what it has. */
  changed(): void;
}

export class Mounts {
  readonly #all: Mount[];
  readonly #byNamespace = new Map<string, Mount>();
  /** Those that are being started to take their place, by their namespaces. */
  readonly #arriving = new Map<string, Mount>();
  readonly #departures: Departures;
  #closed = false;
  readonly standing = new Standing();

  /** Throws where two have the same namespace. */
  constructor(
    mounts: readonly Mount[],
    /** How long the calls of one that was taken away may go on, in milliseconds. */
    graceMs: number,
    private readonly diagnostics: Diagnostics,
    private readonly host: MountsHost,
  ) {
    this.#all = [...mounts];
    this.#departures = new Departures({
      graceMs,
      close: (mount) => this.#close(mount),
      waits: ({ backend: { namespace } }, calls) =>
        this.diagnostics.logger.info({ namespace, calls }, 'calls go on where they were made'),
      cuts: ({ backend: { namespace } }, calls) =>
        this.diagnostics.note('calls-cut', { namespace, calls, afterMs: graceMs }),
    });
    for (const mount of mounts) this.#took(mount);
  }

  /** Those that there are just now: whoever looks at it sees it change. */
  get all(): readonly Mount[] {
    return this.#all;
  }

  /** The one whose names begin with the namespace. */
  namespaced(namespace: string): Mount | undefined {
    return this.#byNamespace.get(namespace);
  }

  /** How many were taken away, and are not gone yet. */
  get leaving(): number {
    return this.#departures.size;
  }

  /** The result; until there is one, the backend is in use, and stays even where it is taken away. */
  during<T>(mount: Mount, result: T | Promise<T>): T | Promise<T> {
    return this.#departures.during(mount, result);
  }

  failed(mount: Mount, what: string, error: unknown): void {
    if (this.#all.includes(mount)) this.standing.failed(mount, error);
    const { namespace } = mount.backend;
    this.diagnostics.note('backend-failed', { namespace, what, err: error });
  }

  /** Resolves when all were tried. Never rejects. */
  async start(): Promise<void> {
    await Promise.all(
      this.#all.map(async (mount) => {
        const failure = await this.#started(mount);
        // Another may have come in its place meanwhile.
        if (this.#closed || !this.#all.includes(mount)) return;
        this.#tried(mount, failure);
        // Those who were not kept waiting for it have seen lists without it.
        this.host.changed();
      }),
    );
  }

  /**
   * What goes with nothing in its place goes at once; what comes is started first. Those that are in
   * neither list notice nothing. Resolves when all that came were tried. Never rejects.
   */
  async remount({ removed, added }: Remounting): Promise<void> {
    if (this.#closed) return;
    const coming = new Set(added.map(({ backend }) => backend.namespace));
    for (const { backend } of removed) {
      const { namespace } = backend;
      if (coming.has(namespace)) continue;
      this.#supersede(namespace, undefined);
      const gone = this.#mounted(namespace);
      if (gone !== undefined) this.#exchange(gone, undefined);
    }
    await Promise.all(added.map((mount) => this.#arrive(mount)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const namespace of [...this.#arriving.keys()]) this.#supersede(namespace, undefined);
    await Promise.all([this.#departures.close(), ...this.#all.map((mount) => this.#close(mount))]);
  }

  #took(mount: Mount): void {
    const { backend, names } = mount;
    if (names === 'namespaced') {
      if (this.#byNamespace.has(backend.namespace)) {
        throw new Error(`Two backends have the namespace "${backend.namespace}"`);
      }
      this.#byNamespace.set(backend.namespace, mount);
    }
    backend.onEvent((event) => this.#heard(mount, event));
  }

  #heard(mount: Mount, event: BackendEvent): void {
    // Of one that was taken away, only what its calls in hand have brought about concerns anybody.
    if (event.kind !== 'elicitationComplete' && !this.#all.includes(mount)) return;
    if (event.kind === 'statusChanged') this.#tellStatus(mount);
    else this.host.heard(mount, event);
  }

  #mounted(namespace: string): Mount | undefined {
    return this.#all.find(({ backend }) => backend.namespace === namespace);
  }

  /** Whoever was to come into the namespace need not come any more. */
  #supersede(namespace: string, by: Mount | undefined): void {
    const superseded = this.#arriving.get(namespace);
    if (by === undefined) this.#arriving.delete(namespace);
    else this.#arriving.set(namespace, by);
    if (superseded !== undefined) void this.#departures.leave(superseded);
  }

  /** Until it is up, or has failed to be, whoever has its namespace serves. */
  async #arrive(mount: Mount): Promise<void> {
    const { namespace } = mount.backend;
    this.#supersede(namespace, mount);
    const failure = await this.#started(mount);
    if (this.#arriving.get(namespace) !== mount) return;
    this.#arriving.delete(namespace);
    this.#exchange(this.#mounted(namespace), mount);
    this.#tried(mount, failure);
  }

  /** In one step: no list has both of them, or none. */
  #exchange(gone: Mount | undefined, come: Mount | undefined): void {
    const at = gone === undefined ? this.#all.length : this.#all.indexOf(gone);
    this.#all.splice(at, gone === undefined ? 0 : 1, ...(come === undefined ? [] : [come]));
    if (gone !== undefined) {
      this.#byNamespace.delete(gone.backend.namespace);
      this.standing.forget(gone);
      this.host.lost(gone);
    }
    if (come !== undefined) this.#took(come);
    this.host.changed();
    if (gone !== undefined) void this.#departures.leave(gone);
  }

  /** Why it could not be, if it could not. */
  async #started({ backend }: Mount): Promise<{ readonly error: unknown } | undefined> {
    try {
      await backend.start();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #tried(mount: Mount, failure: { readonly error: unknown } | undefined): void {
    this.standing.started(mount, failure?.error);
    if (failure !== undefined) this.failed(mount, 'start', failure.error);
    this.#tellStatus(mount);
  }

  #tellStatus(mount: Mount): void {
    const status = this.standing.news(mount);
    if (status !== undefined) this.host.stands(mount, status);
  }

  async #close(mount: Mount): Promise<void> {
    try {
      await mount.backend.close();
    } catch (error) {
      this.failed(mount, 'close', error);
    }
  }
}
