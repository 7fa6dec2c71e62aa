/** Whole lists of an upstream: every page, and of each only the entries that can be relied on. */
import type { Prompt, Resource, ResourceTemplate } from '../../../generated/newest/types.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Listing, Tool } from '../backend.js';
import { ingestTool, type ToolFinding } from './ingest/tools.js';
import { resultFault } from './received.js';
import type { Session } from './session.js';

export interface Lists {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
}

export const NO_LISTS: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };

/** Which lists one `list_changed` is about. */
export const LISTS_OF = {
  tools: ['tools'],
  resources: ['resources', 'resourceTemplates'],
  prompts: ['prompts'],
} as const satisfies Record<string, readonly Listing[]>;

const METHODS: Readonly<Record<Listing, string>> = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
};

/** No honest list is longer, and one that is has to end somewhere. */
const MAX_PAGES = 1000;

export interface FetchOptions {
  /** For each page, in milliseconds. */
  readonly timeout: number;
  readonly diagnostics: Diagnostics;
  /** Arguments of tools travel as headers, too. */
  readonly mirrorsHeaders: boolean;
  /** What is told of tools that did not go on as they came. */
  readonly found: (finding: ToolFinding) => void;
}

/** Rejects where a page cannot be had: half a list would look like a whole one. */
export async function fetchList<L extends Listing>(
  session: Session,
  list: L,
  options: FetchOptions,
): Promise<Lists[L]> {
  const { timeout, diagnostics } = options;
  const method = METHODS[list];
  const items: unknown[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  do {
    let page: Record<string, unknown>;
    try {
      page = await session.request(method, cursor === undefined ? {} : { cursor }, { timeout });
    } catch (error) {
      if (error instanceof RpcError && error.kind === 'methodNotFound') break;
      throw error;
    }
    items.push(...usable(session, list, page, options));
    cursor = page['nextCursor'];
    if (cursor !== undefined && (seen.has(cursor) || seen.size >= MAX_PAGES)) {
      diagnostics.note('upstream-pages-endless', { namespace: session.namespace, method, cursor });
      break;
    }
    seen.add(cursor);
    // An empty string is a cursor like any other; only its absence ends the list.
  } while (typeof cursor === 'string');
  return once(session, list, items, diagnostics) as unknown as Lists[L];
}

const KEYS = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
} as const satisfies Record<Listing, string>;

/** Of entries that cannot be told apart the first counts: a call could reach no other. */
function once(
  { namespace }: Session,
  list: Listing,
  items: readonly unknown[],
  diagnostics: Diagnostics,
): unknown[] {
  const known = new Set<unknown>();
  return items.filter((item) => {
    const key = (item as Record<string, unknown>)[KEYS[list]];
    if (known.has(key)) {
      diagnostics.note('upstream-entry-twice', { namespace, list, [KEYS[list]]: key });
      return false;
    }
    known.add(key);
    return true;
  });
}

/** An entry that is wrong takes itself down, not its list. */
function usable(
  session: Session,
  list: Listing,
  page: Record<string, unknown>,
  options: FetchOptions,
): unknown[] {
  const { namespace } = session;
  const { diagnostics } = options;
  const method = METHODS[list];
  const received = page[list];
  if (!Array.isArray(received)) {
    diagnostics.note('upstream-list-invalid', { namespace, method, expected: `an array ${list}` });
    return [];
  }
  const entries = list === 'tools' ? ingested(session, received, options) : received;
  if (resultFault(method, { [list]: entries }) === undefined) return entries;
  return entries.filter((entry: unknown) => {
    const fault = resultFault(method, { [list]: [entry] });
    if (fault === undefined) return true;
    const name = isObject(entry) ? (entry['name'] ?? entry['uri']) : undefined;
    diagnostics.note('upstream-entry-invalid', { namespace, method, name, fault });
    return false;
  });
}

const EVENTS = {
  translated: 'upstream-schema-translated',
  repaired: 'upstream-schema-repaired',
  'schema-dropped': 'upstream-output-schema-dropped',
  isolated: 'upstream-tool-isolated',
} as const satisfies Record<ToolFinding['kind'], string>;

function ingested(
  { namespace }: Session,
  entries: readonly unknown[],
  { diagnostics, mirrorsHeaders, found }: FetchOptions,
): unknown[] {
  return entries.flatMap((entry) => {
    const { tool, findings } = ingestTool(entry, { mirrorsHeaders });
    for (const finding of findings) {
      const { kind, ...details } = finding;
      diagnostics.note(EVENTS[kind], { namespace, ...details });
      found(finding);
    }
    return tool ?? [];
  });
}
