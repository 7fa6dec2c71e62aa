/** How all backends stand, and how much each has on the lists that clients get. */
import { LISTINGS, type Listing as ListName } from '../../backends/backend.js';
import type { BackendEntry, BackendStanding } from '../../backends/directory.js';
import type { Mount } from '../contract.js';
import type { Listing } from './listing.js';
import type { Standing } from './standing.js';

/** How long counts wait for lists that are being asked for, in milliseconds. */
const PATIENCE = 250;

/** What the census needs of the catalog. */
export interface Lists {
  list(list: ListName): Listing<unknown> | Promise<Listing<unknown>>;
  /** What each backend had on the list when it last told. */
  known(list: ListName): ReadonlyMap<Mount, readonly unknown[]>;
}

export class Census {
  constructor(
    private readonly mounts: readonly Mount[],
    private readonly status: Standing,
    private readonly lists: Lists,
  ) {}

  standing(): BackendStanding[] {
    return this.mounts.map((mount) => ({
      namespace: mount.backend.namespace,
      ...this.status.of(mount),
    }));
  }

  /** The same, with all there is to know. */
  async backends(): Promise<BackendEntry[]> {
    const counted = await Promise.all(LISTINGS.map((list) => this.#counts(list)));
    return this.mounts.map((mount) => {
      const { namespace, info, capabilities } = mount.backend;
      const counts = LISTINGS.map((list, at) => [list, counted[at]?.get(mount) ?? 0]);
      return {
        namespace,
        ...(info !== undefined && { info }),
        ...this.status.of(mount),
        capabilities,
        counts: Object.fromEntries(counts) as Record<ListName, number>,
      };
    });
  }

  /** A backend that lets a list wait does not let those wait who want to know how it stands. */
  async #counts(list: ListName): Promise<ReadonlyMap<Mount, number>> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(resolve, PATIENCE, undefined).unref();
    });
    const listing = await Promise.race([this.lists.list(list), late]);
    const counts = new Map<Mount, number>();
    if (listing === undefined) {
      for (const [mount, items] of this.lists.known(list)) counts.set(mount, items.length);
    } else {
      for (const { mount } of listing.entries.values()) {
        counts.set(mount, (counts.get(mount) ?? 0) + 1);
      }
    }
    return counts;
  }
}
