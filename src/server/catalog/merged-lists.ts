/**
 * The lists of all backends, each as one: built when it is asked for, kept until a backend changes, and
 * compared with what it was before to tell whether it is another one at all.
 */
import { isDeepStrictEqual } from 'node:util';
import { CAPABILITY_OF, LISTINGS, type Listing as ListName } from '../../backends/backend.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import type { ChangingList } from '../../subscriptions/filter.js';
import type { Mount } from '../contract.js';
import { assemble, type Items, type Listing } from './listing.js';

/** How long a list that lacks a failing backend is kept before that one is asked again. */
const RETRY_AFTER = 5_000;

interface Slot<T> {
  listing?: Listing<T>;
  /** Built, but since then a backend has changed. Kept to see whether anything really did. */
  previous?: Listing<T>;
  building?: Promise<Listing<T>>;
  /** A backend failed: not before then is it asked again. */
  retryAt?: number;
  /** Last good answers, by mount. */
  readonly known: Map<Mount, readonly T[]>;
}

type Slots = { [L in ListName]: Slot<Items[L]> };

export class MergedLists {
  readonly #slots: Slots = {
    tools: { known: new Map() },
    prompts: { known: new Map() },
    resources: { known: new Map() },
    resourceTemplates: { known: new Map() },
  };

  constructor(
    /** Those that there are just now. */
    private readonly mounts: readonly Mount[],
    private readonly diagnostics: Diagnostics,
    private readonly nameLength: number,
    private readonly failed: (mount: Mount, list: ListName, error: unknown) => void,
  ) {}

  list<L extends ListName>(list: L): Listing<Items[L]> | Promise<Listing<Items[L]>> {
    const slot: Slot<Items[L]> = this.#slots[list];
    if (slot.listing !== undefined) {
      if (slot.retryAt === undefined || slot.retryAt > Date.now()) return slot.listing;
      slot.previous = slot.listing;
      slot.listing = undefined;
    }
    return slot.building ?? this.#build(list, slot);
  }

  #build<L extends ListName>(
    list: L,
    slot: Slot<Items[L]>,
  ): Listing<Items[L]> | Promise<Listing<Items[L]>> {
    const mounts = this.mounts.filter(
      (m) => m.backend.capabilities[CAPABILITY_OF[list]] !== undefined,
    );
    slot.retryAt = undefined;
    const parts = mounts.map((mount) => this.#ask(list, slot, mount));
    const ready = parts.filter(isReady);
    if (ready.length === parts.length) return this.#built(list, slot, mounts, ready);
    // eslint-disable-next-line @typescript-eslint/await-thenable -- it looks into the arrays among them
    const building: Promise<Listing<Items[L]>> = Promise.all(parts).then((items) => {
      // A change during the build has set another promise, or none: then this answer is only handed out.
      const current: boolean = slot.building === building;
      if (current) slot.building = undefined;
      // Of a backend that is gone nothing is handed out.
      else if (!mounts.every((mount) => this.mounts.includes(mount))) return this.list(list);
      return this.#built(list, current ? slot : { known: slot.known }, mounts, items);
    });
    slot.building = building;
    return building;
  }

  #built<L extends ListName>(
    list: L,
    slot: Slot<Items[L]>,
    mounts: readonly Mount[],
    items: readonly (readonly Items[L][])[],
  ): Listing<Items[L]> {
    const parts = mounts.map((mount, at) => ({ mount, items: items[at] ?? [] }));
    const listing = assemble(list, parts, this.diagnostics, this.nameLength);
    const { previous } = slot;
    // Nothing changed after all: what was prepared from the old one is still good.
    const same = previous !== undefined && isDeepStrictEqual(previous.items, listing.items);
    if (same) for (const [key, page] of previous.pages) listing.pages.set(key, page);
    slot.listing = listing;
    return listing;
  }

  #ask<L extends ListName>(
    list: L,
    slot: Slot<Items[L]>,
    mount: Mount,
  ): readonly Items[L][] | Promise<readonly Items[L][]> {
    const keep = (items: readonly Items[L][]): readonly Items[L][] => {
      if (this.mounts.includes(mount)) slot.known.set(mount, items);
      return items;
    };
    const fallBack = (error: unknown): readonly Items[L][] => {
      this.failed(mount, list, error);
      slot.retryAt = Date.now() + RETRY_AFTER;
      return slot.known.get(mount) ?? [];
    };
    try {
      const answer = mount.backend[list]() as readonly Items[L][] | Promise<readonly Items[L][]>;
      return answer instanceof Promise ? answer.then(keep, fallBack) : keep(answer);
    } catch (error) {
      return fallBack(error);
    }
  }

  async hasChanged(list: ChangingList): Promise<boolean> {
    const kinds: ListName[] = list === 'resources' ? ['resources', 'resourceTemplates'] : [list];
    const changed = await Promise.all(kinds.map((kind) => this.#hasChanged(kind)));
    return changed.includes(true);
  }

  async #hasChanged(list: ListName): Promise<boolean> {
    const slot = this.#slots[list];
    const { previous } = slot;
    const { items } = await this.list(list);
    slot.previous = undefined;
    return previous === undefined ? true : !isDeepStrictEqual(previous.items, items);
  }

  /** What each backend had on the list when it last told. */
  known(list: ListName): ReadonlyMap<Mount, readonly unknown[]> {
    return this.#slots[list].known;
  }

  /** The list as it is kept; undefined where it has to be built first. */
  built<L extends ListName>(list: L): Listing<Items[L]> | undefined {
    const slot: Slot<Items[L]> = this.#slots[list];
    return slot.listing;
  }

  /** The backend is not there any more. */
  forget(mount: Mount): void {
    for (const list of LISTINGS) this.#slots[list].known.delete(mount);
  }

  stale(list: ChangingList): void {
    for (const kind of LISTINGS) if (CAPABILITY_OF[kind] === list) this.#stale(kind);
  }

  allStale(): void {
    for (const list of LISTINGS) this.#stale(list);
  }

  #stale(list: ListName): void {
    const slot = this.#slots[list] as Slot<unknown>;
    slot.previous ??= slot.listing;
    slot.listing = undefined;
    slot.building = undefined;
  }
}

function isReady<T>(part: readonly T[] | Promise<readonly T[]>): part is readonly T[] {
  return !(part instanceof Promise);
}
