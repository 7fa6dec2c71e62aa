/**
 * All backends as one: lists merged, names resolved to whoever owns them, results of namespaced
 * backends made readable from here.
 */
import { isDeepStrictEqual } from 'node:util';
import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
  ServerCapabilities,
} from '../../../generated/newest/types.js';
import type {
  BackendEvent,
  BackendStatus,
  Bare,
  Listing as ListName,
} from '../../backends/backend.js';
import type { RequestContext } from '../../backends/context.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError, invalidParams, resourceNotFound } from '../../protocol/errors.js';
import type { ChangingList } from '../../subscriptions/filter.js';
import type { Sources } from '../../subscriptions/hub.js';
import type { Mount, Remounting } from '../contract.js';
import { mergedCapabilities } from './capabilities.js';
import { Census } from './census.js';
import { assemble, type Entry, type Items, type Listing } from './listing.js';
import { DEFAULT_NAME_LENGTH } from './names.js';
import { Standing } from './standing.js';
import {
  namespacedContents,
  namespacedPromptResult,
  namespacedToolResult,
  namespacedUri,
  splitUri,
} from './uris.js';

const CAPABILITY = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resources',
} as const satisfies Record<ListName, ChangingList>;

const LISTS = Object.keys(CAPABILITY) as readonly ListName[];

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

/** What the catalog tells: lists and resources in clients' terms, and which backend came up or went down. */
export type CatalogEvent =
  | Exclude<BackendEvent, { kind: 'statusChanged' }>
  | {
      readonly kind: 'backendChanged';
      readonly namespace: string;
      readonly status: BackendStatus;
    };

export class Catalog implements Sources {
  readonly #slots: Slots = {
    tools: { known: new Map() },
    prompts: { known: new Map() },
    resources: { known: new Map() },
    resourceTemplates: { known: new Map() },
  };
  readonly #byNamespace = new Map<string, Mount>();
  /** Who was asked for the updates of a URI, so that the same one is told that nobody watches any more. */
  readonly #watched = new Map<string, Owner>();
  #capabilities: ServerCapabilities | undefined;
  readonly census: Census;
  readonly #standing: Standing;
  #onEvent: (event: CatalogEvent) => void = () => undefined;

  /** The others that look at it see it change. */
  private readonly mounts: Mount[];

  constructor(
    mounts: readonly Mount[],
    private readonly diagnostics: Diagnostics,
    private readonly nameLength = DEFAULT_NAME_LENGTH,
  ) {
    this.mounts = [...mounts];
    this.#standing = new Standing();
    this.census = new Census(this.mounts, this.#standing, {
      list: (list) => this.list(list),
      known: (list) => this.#slots[list].known,
    });
    for (const mount of mounts) this.#took(mount);
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

  /**
   * Puts backends in the place of others, once they are up or have failed to be: until then the others
   * serve. Those that are in neither list notice nothing. Never rejects.
   */
  async remount({ removed, added }: Remounting): Promise<void> {
    await Promise.all(added.map((mount) => this.#start(mount)));
    for (const mount of removed) {
      this.#byNamespace.delete(mount.backend.namespace);
      this.#standing.forget(mount);
      for (const list of LISTS) this.#slots[list].known.delete(mount);
      mount.backend.onEvent(() => undefined);
    }
    const staying = this.mounts.filter((mount) => !removed.includes(mount));
    this.mounts.splice(0, this.mounts.length, ...staying, ...added);
    for (const mount of added) this.#took(mount);
    this.#capabilities = undefined;
    for (const list of LISTS) this.#stale(list);
    this.#watchAnew(removed);
    for (const list of ['tools', 'resources', 'prompts'] as const) {
      this.#onEvent({ kind: 'listChanged', list });
    }
    for (const mount of added) this.#tellStatus(mount);
    await Promise.all(removed.map((mount) => this.#close(mount)));
  }

  #watchAnew(removed: readonly Mount[]): void {
    for (const [uri, { mount }] of [...this.#watched]) {
      if (!removed.includes(mount)) continue;
      this.#watched.delete(uri);
      this.watch(uri);
    }
  }

  /** Whom to tell of list changes and updates, in the URIs that clients use. */
  onEvent(listener: (event: CatalogEvent) => void): void {
    this.#onEvent = listener;
  }

  async start(): Promise<void> {
    await Promise.all(
      this.mounts.map(async (mount) => {
        await this.#start(mount);
        this.#tellStatus(mount);
      }),
    );
    this.#capabilities = undefined;
  }

  async #start(mount: Mount): Promise<void> {
    try {
      await mount.backend.start();
      this.#standing.started(mount);
    } catch (error) {
      this.#standing.started(mount, error);
      this.#failed(mount, 'start', error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.mounts.map((mount) => this.#close(mount)));
  }

  async #close(mount: Mount): Promise<void> {
    try {
      await mount.backend.close();
    } catch (error) {
      this.#failed(mount, 'close', error);
    }
  }

  get capabilities(): ServerCapabilities {
    return (this.#capabilities ??= mergedCapabilities(this.mounts));
  }

  get instructions(): string | undefined {
    const texts = this.mounts.flatMap(({ backend }) => backend.instructions ?? []);
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }

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
      (m) => m.backend.capabilities[CAPABILITY[list]] !== undefined,
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
      slot.known.set(mount, items);
      return items;
    };
    const fallBack = (error: unknown): readonly Items[L][] => {
      this.#failed(mount, list, error);
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

  #heard(mount: Mount, event: BackendEvent): void {
    const { backend, names } = mount;
    if (event.kind === 'statusChanged') {
      this.#tellStatus(mount);
      return;
    }
    if (event.kind === 'elicitationComplete') {
      this.#onEvent(event);
      return;
    }
    if (event.kind === 'resourceUpdated') {
      const uri = names === 'own' ? event.uri : namespacedUri(backend.namespace, event.uri);
      this.#onEvent({ kind: 'resourceUpdated', uri });
      return;
    }
    this.#capabilities = undefined;
    this.#stale(event.list);
    if (event.list === 'resources') this.#stale('resourceTemplates');
    this.#onEvent(event);
  }

  #tellStatus(mount: Mount): void {
    const status = this.#standing.news(mount);
    if (status === undefined) return;
    this.#onEvent({ kind: 'backendChanged', namespace: mount.backend.namespace, status });
  }

  #stale(list: ListName): void {
    const slot = this.#slots[list] as Slot<unknown>;
    slot.previous ??= slot.listing;
    slot.listing = undefined;
    slot.building = undefined;
  }

  async tool(name: string): Promise<Entry<Items['tools']> | undefined> {
    return (await this.list('tools')).entries.get(name);
  }

  callTool(
    { mount, original }: Entry<Items['tools']>,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Bare<CallToolResult> | Promise<Bare<CallToolResult>> {
    const { backend, names } = mount;
    const result = backend.callTool(original, args, ctx);
    if (names === 'own') return result;
    const namespaced = (r: Bare<CallToolResult>): Bare<CallToolResult> =>
      namespacedToolResult(backend.namespace, r);
    return result instanceof Promise ? result.then(namespaced) : namespaced(result);
  }

  async getPrompt(
    name: string,
    args: Record<string, string>,
    ctx: RequestContext,
  ): Promise<Bare<GetPromptResult>> {
    const entry = (await this.list('prompts')).entries.get(name);
    if (entry === undefined) throw invalidParams(`Unknown prompt: ${name}`, { name });
    const { backend, names } = entry.mount;
    for (const argument of entry.item.arguments ?? []) {
      if (argument.required === true && !Object.hasOwn(args, argument.name)) {
        const pointer = `/params/arguments/${argument.name}`;
        throw invalidParams(`${pointer} is missing: prompt ${name} requires it`, { pointer });
      }
    }
    const result = await backend.getPrompt(entry.original, args, ctx);
    return names === 'own' ? result : namespacedPromptResult(backend.namespace, result);
  }

  async readResource(uri: string, ctx: RequestContext): Promise<Bare<ReadResourceResult>> {
    for (const { mount, original } of await this.#owners(uri)) {
      const { backend, names } = mount;
      try {
        const result = await backend.readResource(original, ctx);
        return names === 'own' ? result : namespacedContents(backend.namespace, result);
      } catch (error) {
        // It names the URI its own way; the client has asked for ours.
        if (!(error instanceof RpcError) || error.kind !== 'resourceNotFound') throw error;
      }
    }
    throw resourceNotFound(uri);
  }

  async complete(
    params: CompleteRequestParams,
    ctx: RequestContext,
  ): Promise<Bare<CompleteResult>> {
    const { ref } = params;
    if (ref.type === 'ref/prompt') {
      const entry = (await this.list('prompts')).entries.get(ref.name);
      if (entry === undefined)
        throw invalidParams(`Unknown prompt: ${ref.name}`, { name: ref.name });
      return this.#completeAt(entry, { ...params, ref: { ...ref, name: entry.original } }, ctx);
    }
    const template = (await this.list('resourceTemplates')).entries.get(ref.uri);
    const owners = template === undefined ? await this.#owners(ref.uri) : [template];
    for (const owner of owners) {
      try {
        const asked = { ...params, ref: { ...ref, uri: owner.original } };
        return await this.#completeAt(owner, asked, ctx);
      } catch (error) {
        if (!(error instanceof RpcError) || error.kind !== 'resourceNotFound') throw error;
      }
    }
    throw invalidParams(`Unknown resource template: ${ref.uri}`, { uri: ref.uri });
  }

  #completeAt(
    { mount: { backend } }: Owner,
    params: CompleteRequestParams,
    ctx: RequestContext,
  ): Promise<Bare<CompleteResult>> | Bare<CompleteResult> {
    if (backend.capabilities.completions === undefined) return { completion: { values: [] } };
    return backend.complete(params, ctx);
  }

  /** Who may have the resource, in the order in which to ask. */
  async #owners(uri: string): Promise<readonly Owner[]> {
    const listed = (await this.list('resources')).entries.get(uri);
    return listed === undefined ? this.#unlistedOwners(uri) : [listed];
  }

  #unlistedOwners(uri: string): readonly Owner[] {
    const split = splitUri(uri);
    const mount = split && this.#byNamespace.get(split.namespace);
    if (mount !== undefined && split !== undefined) return [{ mount, original: split.uri }];
    return this.mounts
      .filter(({ backend, names }) => names === 'own' && backend.capabilities.resources)
      .map((own) => ({ mount: own, original: uri }));
  }

  /** Whether updates of the resource can be told of: its owner can deliver them. */
  canWatch(uri: string): boolean {
    return this.#watchable(uri) !== undefined;
  }

  watch(uri: string): void {
    const owner = this.#watchable(uri);
    if (owner === undefined) return;
    this.#watched.set(uri, owner);
    void this.#watching('subscribe', owner);
  }

  unwatch(uri: string): void {
    const owner = this.#watched.get(uri);
    this.#watched.delete(uri);
    if (owner !== undefined) void this.#watching('unsubscribe', owner);
  }

  async #watching(verb: 'subscribe' | 'unsubscribe', { mount, original }: Owner): Promise<void> {
    try {
      await mount.backend[verb]?.(original);
    } catch (error) {
      this.#failed(mount, verb, error);
    }
  }

  #watchable(uri: string): Owner | undefined {
    const listed = this.#slots.resources.listing?.entries.get(uri);
    const owners = listed === undefined ? this.#unlistedOwners(uri) : [listed];
    return owners.find(
      ({ mount: { backend } }) =>
        backend.subscribe !== undefined && backend.capabilities.resources?.subscribe === true,
    );
  }

  #failed(mount: Mount, what: string, error: unknown): void {
    this.#standing.failed(mount, error);
    const { namespace } = mount.backend;
    this.diagnostics.note('backend-failed', { namespace, what, err: error });
  }
}

interface Owner {
  readonly mount: Mount;
  /** The URI by which the backend knows it. */
  readonly original: string;
}

function isReady<T>(part: readonly T[] | Promise<readonly T[]>): part is readonly T[] {
  return !(part instanceof Promise);
}
