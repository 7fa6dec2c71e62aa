/** Which backend tells of the updates of which resource, through all changes of the backends. */
import type { Mount } from '../contract.js';

export interface Owner {
  readonly mount: Mount;
  /** The URI by which the backend knows it. */
  readonly original: string;
}

export interface WatchesHost {
  /** Who can deliver updates of the resource just now, if anybody. */
  ownerOf(uri: string): Owner | undefined;
  failed(mount: Mount, what: string, error: unknown): void;
}

export class Watches {
  /** Who was asked for the updates of each URI; nobody where none of the backends could deliver them. */
  readonly #asked = new Map<string, Owner | undefined>();

  constructor(private readonly host: WatchesHost) {}

  watch(uri: string): void {
    const owner = this.host.ownerOf(uri);
    this.#asked.set(uri, owner);
    if (owner !== undefined) void this.#tell('subscribe', owner);
  }

  unwatch(uri: string): void {
    const owner = this.#asked.get(uri);
    this.#asked.delete(uri);
    if (owner !== undefined) void this.#tell('unsubscribe', owner);
  }

  /** The backend is not there any more: others may have what it had. */
  lost(mount: Mount): void {
    for (const [uri, owner] of this.#asked)
      if (owner?.mount === mount) this.#asked.set(uri, undefined);
  }

  /** Backends can do what they could not before: they are asked for what is still wanted. */
  retry(): void {
    for (const [uri, owner] of this.#asked) if (owner === undefined) this.watch(uri);
  }

  async #tell(verb: 'subscribe' | 'unsubscribe', { mount, original }: Owner): Promise<void> {
    try {
      await mount.backend[verb]?.(original);
    } catch (error) {
      this.host.failed(mount, verb, error);
    }
  }
}
