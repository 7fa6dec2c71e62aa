/** What a subscriber wants to hear of, as the wire says it and as bits. */
import type { ServerCapabilities, SubscriptionFilter } from '../../generated/newest/types.js';
import { isObject } from '../protocol/jsonrpc.js';

export type ChangingList = 'tools' | 'resources' | 'prompts';

export const LIST_BITS: Readonly<Record<ChangingList, number>> = {
  tools: 1,
  resources: 2,
  prompts: 4,
};

/** What a legacy session hears of without asking. */
export const EVERY_LIST = LIST_BITS.tools | LIST_BITS.resources | LIST_BITS.prompts;

const FIELDS = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const satisfies Record<ChangingList, keyof SubscriptionFilter>;

export interface Agreed {
  /** As the acknowledgement says it: only what was asked for and can be delivered. */
  readonly filter: SubscriptionFilter;
  readonly lists: number;
  readonly uris: readonly string[];
}

/**
 * The part of a wish that can be granted. `deliverable`: whether the owner of a resource can tell of
 * its updates. Kinds nobody knows are left out, as the acknowledgement then shows.
 */
export function agree(
  wish: Record<string, unknown>,
  capabilities: ServerCapabilities,
  deliverable: (uri: string) => boolean,
): Agreed {
  const filter: SubscriptionFilter = {};
  let lists = 0;
  for (const list of Object.keys(FIELDS) as ChangingList[]) {
    if (wish[FIELDS[list]] !== true || capabilities[list]?.listChanged !== true) continue;
    filter[FIELDS[list]] = true;
    lists |= LIST_BITS[list];
  }
  const asked = wish['resourceSubscriptions'];
  const uris = Array.isArray(asked) ? [...new Set(asked.filter(isString))].filter(deliverable) : [];
  if (uris.length > 0) filter.resourceSubscriptions = uris;
  return { filter, lists, uris };
}

/** Ids of tasks, where the filter of the tasks extension names any. */
export function asksForTasks(wish: unknown): boolean {
  return isObject(wish) && wish['taskIds'] !== undefined;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
