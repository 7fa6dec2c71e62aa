/**
 * All backends as one: lists merged, names resolved to whoever owns them, results of namespaced
 * backends made readable from here.
 */
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
import { DEFAULT_CORE_SETTINGS, type CoreSettings } from '../settings.js';
import { mergedCapabilities } from './capabilities.js';
import { Census } from './census.js';
import { Departures } from './departures.js';
import type { Entry, Items, Listing } from './listing.js';
import { MergedLists } from './merged-lists.js';
import { Standing } from './standing.js';
import {
  namespacedContents,
  namespacedPromptResult,
  namespacedToolResult,
  namespacedUri,
  splitUri,
} from './uris.js';
import { Watches, type Owner } from './watches.js';

/** What the catalog tells: lists and resources in clients' terms, and which backend came up or went down. */
export type CatalogEvent =
  | Exclude<BackendEvent, { kind: 'statusChanged' }>
  | {
      readonly kind: 'backendChanged';
      readonly namespace: string;
      readonly status: BackendStatus;
    };

export class Catalog implements Sources {
  readonly #lists: MergedLists;
  readonly #byNamespace = new Map<string, Mount>();
  /** Backends that are being started to take their place, by their namespaces. */
  readonly #arriving = new Map<string, Mount>();
  readonly #departures: Departures;
  readonly #watches: Watches;
  #closed = false;
  #capabilities: ServerCapabilities | undefined;
  readonly census: Census;
  readonly #standing: Standing;
  #onEvent: (event: CatalogEvent) => void = () => undefined;

  /** The others that look at it see it change. */
  private readonly mounts: Mount[];

  constructor(
    mounts: readonly Mount[],
    private readonly diagnostics: Diagnostics,
    settings: Partial<Pick<CoreSettings, 'nameLength' | 'drainGrace'>> = {},
  ) {
    const { nameLength, drainGrace } = { ...DEFAULT_CORE_SETTINGS, ...settings };
    this.mounts = [...mounts];
    this.#lists = new MergedLists(this.mounts, diagnostics, nameLength, (mount, list, error) =>
      this.#failed(mount, list, error),
    );
    this.#departures = new Departures({
      graceMs: drainGrace,
      close: (mount) => this.#close(mount),
      waits: ({ backend: { namespace } }, calls) =>
        this.diagnostics.logger.info({ namespace, calls }, 'calls go on where they were made'),
      cuts: ({ backend: { namespace } }, calls) =>
        this.diagnostics.note('calls-cut', { namespace, calls, afterMs: drainGrace }),
    });
    this.#watches = new Watches({
      ownerOf: (uri) => this.#watchable(uri),
      failed: (mount, what, error) => this.#failed(mount, what, error),
    });
    this.#standing = new Standing();
    this.census = new Census(this.mounts, this.#standing, {
      list: (list) => this.list(list),
      known: (list) => this.#lists.known(list),
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
   * What goes with nothing in its place goes at once. What comes is started first: until it is up, or
   * has failed to be, whoever has its namespace serves. Calls in hand end where they were made. Those
   * that are in neither list notice nothing. Never rejects; resolves when all that came were tried.
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

  #mounted(namespace: string): Mount | undefined {
    return this.mounts.find(({ backend }) => backend.namespace === namespace);
  }

  /** Whoever was to come into the namespace need not come any more. */
  #supersede(namespace: string, by: Mount | undefined): void {
    const superseded = this.#arriving.get(namespace);
    if (by === undefined) this.#arriving.delete(namespace);
    else this.#arriving.set(namespace, by);
    if (superseded !== undefined) void this.#departures.leave(superseded);
  }

  async #arrive(mount: Mount): Promise<void> {
    const { namespace } = mount.backend;
    this.#supersede(namespace, mount);
    const isWanted = (): boolean => this.#arriving.get(namespace) === mount;
    const failure = await this.#started(mount);
    if (!isWanted()) return;
    this.#arriving.delete(namespace);
    this.#exchange(this.#mounted(namespace), mount);
    this.#tried(mount, failure);
  }

  /** In one step: no list has both of them, or none. */
  #exchange(gone: Mount | undefined, come: Mount | undefined): void {
    const at = gone === undefined ? this.mounts.length : this.mounts.indexOf(gone);
    this.mounts.splice(at, gone === undefined ? 0 : 1, ...(come === undefined ? [] : [come]));
    if (gone !== undefined) {
      this.#byNamespace.delete(gone.backend.namespace);
      this.#standing.forget(gone);
      this.#lists.forget(gone);
      this.#watches.lost(gone);
    }
    if (come !== undefined) this.#took(come);
    this.#everythingChanged();
    if (gone !== undefined) void this.#departures.leave(gone);
  }

  #everythingChanged(): void {
    this.#capabilities = undefined;
    this.#lists.allStale();
    this.#watches.retry();
    for (const list of ['tools', 'resources', 'prompts'] as const) {
      this.#onEvent({ kind: 'listChanged', list });
    }
  }

  /** Whom to tell of list changes and updates, in the URIs that clients use. */
  onEvent(listener: (event: CatalogEvent) => void): void {
    this.#onEvent = listener;
  }

  async start(): Promise<void> {
    await Promise.all(
      this.mounts.map(async (mount) => {
        const failure = await this.#started(mount);
        // Another may have come in its place meanwhile.
        if (this.#closed || !this.mounts.includes(mount)) return;
        this.#tried(mount, failure);
        // Those who were not kept waiting for it have seen lists without it.
        this.#everythingChanged();
      }),
    );
  }

  /** Why it could not be, if it could not. */
  async #started(mount: Mount): Promise<{ readonly error: unknown } | undefined> {
    try {
      await mount.backend.start();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #tried(mount: Mount, failure: { readonly error: unknown } | undefined): void {
    this.#standing.started(mount, failure?.error);
    if (failure !== undefined) this.#failed(mount, 'start', failure.error);
    this.#tellStatus(mount);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const namespace of [...this.#arriving.keys()]) this.#supersede(namespace, undefined);
    await Promise.all([
      this.#departures.close(),
      ...this.mounts.map((mount) => this.#close(mount)),
    ]);
  }

  async #close(mount: Mount): Promise<void> {
    try {
      await mount.backend.close();
    } catch (error) {
      this.#failed(mount, 'close', error);
    }
  }

  /** Backends that were taken away, and are not gone yet. */
  get leaving(): number {
    return this.#departures.size;
  }

  get capabilities(): ServerCapabilities {
    return (this.#capabilities ??= mergedCapabilities(this.mounts));
  }

  get instructions(): string | undefined {
    const texts = this.mounts.flatMap(({ backend }) => backend.instructions ?? []);
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }

  list<L extends ListName>(list: L): Listing<Items[L]> | Promise<Listing<Items[L]>> {
    return this.#lists.list(list);
  }

  hasChanged(list: ChangingList): Promise<boolean> {
    return this.#lists.hasChanged(list);
  }

  #heard(mount: Mount, event: BackendEvent): void {
    const { backend, names } = mount;
    if (event.kind === 'elicitationComplete') {
      this.#onEvent(event);
      return;
    }
    // Of one that was taken away, nothing else concerns anybody.
    if (!this.mounts.includes(mount)) return;
    if (event.kind === 'statusChanged') {
      this.#tellStatus(mount);
      return;
    }
    if (event.kind === 'resourceUpdated') {
      const uri = names === 'own' ? event.uri : namespacedUri(backend.namespace, event.uri);
      this.#onEvent({ kind: 'resourceUpdated', uri });
      return;
    }
    this.#capabilities = undefined;
    this.#lists.stale(event.list);
    if (event.list === 'resources') this.#watches.retry();
    this.#onEvent(event);
  }

  #tellStatus(mount: Mount): void {
    const status = this.#standing.news(mount);
    if (status === undefined) return;
    this.#onEvent({ kind: 'backendChanged', namespace: mount.backend.namespace, status });
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
    const result = this.#departures.during(mount, backend.callTool(original, args, ctx));
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
    const { mount } = entry;
    const { backend, names } = mount;
    for (const argument of entry.item.arguments ?? []) {
      if (argument.required === true && !Object.hasOwn(args, argument.name)) {
        const pointer = `/params/arguments/${argument.name}`;
        throw invalidParams(`${pointer} is missing: prompt ${name} requires it`, { pointer });
      }
    }
    const answer = backend.getPrompt(entry.original, args, ctx);
    const result = await this.#departures.during(mount, answer);
    return names === 'own' ? result : namespacedPromptResult(backend.namespace, result);
  }

  async readResource(uri: string, ctx: RequestContext): Promise<Bare<ReadResourceResult>> {
    for (const { mount, original } of await this.#owners(uri)) {
      const { backend, names } = mount;
      try {
        const answer = backend.readResource(original, ctx);
        const result = await this.#departures.during(mount, answer);
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
    { mount }: Owner,
    params: CompleteRequestParams,
    ctx: RequestContext,
  ): Promise<Bare<CompleteResult>> | Bare<CompleteResult> {
    const { backend } = mount;
    if (backend.capabilities.completions === undefined) return { completion: { values: [] } };
    return this.#departures.during(mount, backend.complete(params, ctx));
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
    this.#watches.watch(uri);
  }

  unwatch(uri: string): void {
    this.#watches.unwatch(uri);
  }

  #watchable(uri: string): Owner | undefined {
    const listed = this.#lists.built('resources')?.entries.get(uri);
    const owners = listed === undefined ? this.#unlistedOwners(uri) : [listed];
    return owners.find(
      ({ mount: { backend } }) =>
        backend.subscribe !== undefined && backend.capabilities.resources?.subscribe === true,
    );
  }

  #failed(mount: Mount, what: string, error: unknown): void {
    if (this.mounts.includes(mount)) this.#standing.failed(mount, error);
    const { namespace } = mount.backend;
    this.diagnostics.note('backend-failed', { namespace, what, err: error });
  }
}
