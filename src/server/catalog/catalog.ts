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
import type { BackendStatus, Bare, Listing as ListName } from '../../backends/backend.js';
import type { RequestContext } from '../../backends/context.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError, invalidParams, resourceNotFound } from '../../protocol/errors.js';
import type { ChangingList } from '../../subscriptions/filter.js';
import type { Sources } from '../../subscriptions/hub.js';
import type { Mount, Remounting } from '../contract.js';
import { DEFAULT_CORE_SETTINGS, type CoreSettings } from '../settings.js';
import { mergedCapabilities } from './capabilities.js';
import { Census } from './census.js';
import type { Entry, Items, Listing } from './listing.js';
import { MergedLists } from './merged-lists.js';
import { Mounts, type BackendNews } from './mounts.js';
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
  | BackendNews
  | {
      readonly kind: 'backendChanged';
      readonly namespace: string;
      readonly status: BackendStatus;
    };

export class Catalog implements Sources {
  readonly #mounts: Mounts;
  readonly #lists: MergedLists;
  readonly #watches: Watches;
  readonly census: Census;
  #capabilities: ServerCapabilities | undefined;
  #onEvent: (event: CatalogEvent) => void = () => undefined;

  /** Throws where two backends have the same namespace. */
  constructor(
    mounts: readonly Mount[],
    diagnostics: Diagnostics,
    settings: Partial<Pick<CoreSettings, 'nameLength' | 'drainGrace'>> = {},
  ) {
    const { nameLength, drainGrace } = { ...DEFAULT_CORE_SETTINGS, ...settings };
    this.#mounts = new Mounts(mounts, drainGrace, diagnostics, {
      heard: (mount, event) => this.#heard(mount, event),
      stands: ({ backend: { namespace } }, status) =>
        this.#onEvent({ kind: 'backendChanged', namespace, status }),
      lost: (mount) => {
        this.#lists.forget(mount);
        this.#watches.lost(mount);
      },
      changed: () => this.#everythingChanged(),
    });
    const failed = this.#mounts.failed.bind(this.#mounts);
    const { all, standing } = this.#mounts;
    this.#lists = new MergedLists(all, diagnostics, nameLength, failed);
    this.#watches = new Watches({ ownerOf: (uri) => this.#watchable(uri), failed });
    this.census = new Census(all, standing, {
      list: (list) => this.list(list),
      known: (list) => this.#lists.known(list),
    });
  }

  /** Whom to tell of list changes and updates, in the URIs that clients use. */
  onEvent(listener: (event: CatalogEvent) => void): void {
    this.#onEvent = listener;
  }

  start(): Promise<void> {
    return this.#mounts.start();
  }

  remount(change: Remounting): Promise<void> {
    return this.#mounts.remount(change);
  }

  close(): Promise<void> {
    return this.#mounts.close();
  }

  /** Backends that were taken away, and are not gone yet. */
  get leaving(): number {
    return this.#mounts.leaving;
  }

  get capabilities(): ServerCapabilities {
    return (this.#capabilities ??= mergedCapabilities(this.#mounts.all));
  }

  get instructions(): string | undefined {
    const texts = this.#mounts.all.flatMap(({ backend }) => backend.instructions ?? []);
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }

  list<L extends ListName>(list: L): Listing<Items[L]> | Promise<Listing<Items[L]>> {
    return this.#lists.list(list);
  }

  hasChanged(list: ChangingList): Promise<boolean> {
    return this.#lists.hasChanged(list);
  }

  #heard({ backend, names }: Mount, event: BackendNews): void {
    if (event.kind === 'resourceUpdated' && names === 'namespaced') {
      this.#onEvent({ ...event, uri: namespacedUri(backend.namespace, event.uri) });
      return;
    }
    if (event.kind === 'listChanged') {
      this.#capabilities = undefined;
      this.#lists.stale(event.list);
      if (event.list === 'resources') this.#watches.retry();
    }
    this.#onEvent(event);
  }

  #everythingChanged(): void {
    this.#capabilities = undefined;
    this.#lists.allStale();
    this.#watches.retry();
    for (const list of ['tools', 'resources', 'prompts'] as const) {
      this.#onEvent({ kind: 'listChanged', list });
    }
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
    const result = this.#mounts.during(mount, backend.callTool(original, args, ctx));
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
    const result = await this.#mounts.during(mount, answer);
    return names === 'own' ? result : namespacedPromptResult(backend.namespace, result);
  }

  async readResource(uri: string, ctx: RequestContext): Promise<Bare<ReadResourceResult>> {
    for (const { mount, original } of await this.#owners(uri)) {
      const { backend, names } = mount;
      try {
        const answer = backend.readResource(original, ctx);
        const result = await this.#mounts.during(mount, answer);
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
    return this.#mounts.during(mount, backend.complete(params, ctx));
  }

  /** Who may have the resource, in the order in which to ask. */
  async #owners(uri: string): Promise<readonly Owner[]> {
    const listed = (await this.list('resources')).entries.get(uri);
    return listed === undefined ? this.#unlistedOwners(uri) : [listed];
  }

  #unlistedOwners(uri: string): readonly Owner[] {
    const split = splitUri(uri);
    const mount = split && this.#mounts.namespaced(split.namespace);
    if (mount !== undefined && split !== undefined) return [{ mount, original: split.uri }];
    return this.#mounts.all
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
}
