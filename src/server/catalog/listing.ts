/** One list as clients see it, put together from what the backends have. */
import type { Prompt, Resource, ResourceTemplate } from '../../../generated/newest/types.js';
import type { Listing as ListName, Tool } from '../../backends/backend.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Mount } from '../contract.js';
import type { PreparedResult } from '../reply.js';
import { namespacedName, withDigest } from './names.js';
import { namespacedUri } from './uris.js';

export interface Items {
  tools: Tool;
  resources: Resource;
  resourceTemplates: ResourceTemplate;
  prompts: Prompt;
}

export interface Entry<T> {
  readonly mount: Mount;
  /** The name or URI by which the backend knows it. */
  readonly original: string;
  readonly item: T;
}

export class Listing<T> {
  /** Pages as they went out, by revision and first entry. They go when the list is replaced. */
  readonly pages = new Map<string, PreparedResult>();

  constructor(
    readonly items: readonly T[],
    /** By the name or URI that clients use. */
    readonly entries: ReadonlyMap<string, Entry<T>>,
  ) {}
}

/** The field that identifies an entry, and how one of a namespaced backend is told from others. */
const KEYS = {
  tools: { field: 'name', expose: namespacedName },
  prompts: { field: 'name', expose: namespacedName },
  resources: { field: 'uri', expose: namespacedUri },
  resourceTemplates: { field: 'uriTemplate', expose: namespacedUri },
} as const satisfies Record<
  ListName,
  { field: string; expose(ns: string, key: string, limit: number): string }
>;

/** What a client lists an entry under. */
export function keyOf(list: ListName, item: object): string {
  return (item as Record<string, string>)[KEYS[list].field] ?? '';
}

/**
 * Own names come first, in their backends' order; namespaced ones follow, sorted. Of two that want
 * the same name the second is renamed; of two that have the same URI the first is kept.
 */
export function assemble<L extends ListName>(
  list: L,
  parts: readonly { mount: Mount; items: readonly Items[L][] }[],
  diagnostics: Diagnostics,
  nameLength: number,
): Listing<Items[L]> {
  const { field } = KEYS[list];
  const named = field === 'name';
  const entries = new Map<string, Entry<Items[L]>>();
  const add = ({ mount, original, item, exposed }: Candidate<Items[L]>): void => {
    let key = exposed;
    if (entries.has(key)) {
      const { namespace } = mount.backend;
      diagnostics.note(named ? 'name-collision' : 'uri-collision', { list, namespace, key });
      if (!named) return;
      key = withDigest(key, namespace, original, nameLength);
      if (entries.has(key)) return;
    }
    const renamed = key === original ? item : { ...item, [field]: key };
    entries.set(key, { mount, original, item: renamed });
  };
  const candidates = parts.flatMap((part) => candidatesOf(list, part, diagnostics, nameLength));
  for (const candidate of candidates) if (candidate.mount.names === 'own') add(candidate);
  candidates
    .filter(({ mount }) => mount.names === 'namespaced')
    .sort(byExposedName)
    .forEach(add);
  return new Listing(
    Array.from(entries.values(), ({ item }) => item),
    entries,
  );
}

interface Candidate<T> {
  readonly mount: Mount;
  readonly original: string;
  readonly exposed: string;
  readonly item: T;
}

function candidatesOf<L extends ListName>(
  list: L,
  { mount, items }: { mount: Mount; items: readonly Items[L][] },
  diagnostics: Diagnostics,
  nameLength: number,
): Candidate<Items[L]>[] {
  const { field, expose } = KEYS[list];
  const { namespace } = mount.backend;
  const candidates: Candidate<Items[L]>[] = [];
  for (const item of items) {
    // An upstream may have put anything on its list.
    const raw: Record<string, unknown> = isObject(item) ? item : {};
    const original = raw[field];
    const schema = list === 'tools' ? raw['inputSchema'] : {};
    if (typeof original !== 'string' || !isObject(schema)) {
      diagnostics.note('list-entry-unusable', { list, namespace, expected: field, item });
      continue;
    }
    const exposed = mount.names === 'own' ? original : expose(namespace, original, nameLength);
    candidates.push({ mount, original, exposed, item });
  }
  return candidates;
}

/** Ties go by origin, so that the same one of two is renamed on every start. */
function byExposedName(a: Candidate<unknown>, b: Candidate<unknown>): number {
  return (
    compare(a.exposed, b.exposed) ||
    compare(a.mount.backend.namespace, b.mount.backend.namespace) ||
    compare(a.original, b.original)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
