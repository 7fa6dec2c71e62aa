/** Pages of a list: opaque cursors, and the bytes of a page prepared once for each revision. */
import type { Listing as ListName } from '../backends/backend.js';
import { invalidParams, type RpcError } from '../protocol/errors.js';
import type { Call } from './call.js';
import { Listing, keyOf } from './catalog/listing.js';
import { prepareResult, type PreparedResult } from './reply.js';
import type { Outcome, Serving } from './serving.js';

/** Answers a list method. `own`: what only this caller has, behind what everybody has. */
export function listPage(
  serving: Serving,
  call: Call,
  list: ListName,
  own: readonly object[] = [],
): Outcome | Promise<Outcome> {
  const listing = serving.catalog.list(list) as Listing<object> | Promise<Listing<object>>;
  return listing instanceof Promise
    ? listing.then((built) => page(serving, call, list, withOwn(built, own)))
    : page(serving, call, list, withOwn(listing, own));
}

/** Pages of a list that one caller alone has are not kept. */
function withOwn(listing: Listing<object>, own: readonly object[]): Listing<object> {
  return own.length === 0 ? listing : new Listing([...listing.items, ...own], listing.entries);
}

function page(
  serving: Serving,
  call: Call,
  list: ListName,
  listing: Listing<object>,
): PreparedResult {
  const { pageSize } = serving.settings;
  const { cursor } = call.params;
  const keyOfItem = (item: object): string => keyOf(list, item);
  const start = cursor === undefined ? 0 : startAfter(list, listing.items, keyOfItem, cursor);
  const key = `${call.peer.revision} ${start}`;
  const known = listing.pages.get(key);
  if (known !== undefined) return known;

  const end = start + pageSize;
  const items = listing.items.slice(start, end);
  const last = items.at(-1);
  const result =
    end < listing.items.length && last !== undefined
      ? { [list]: items, nextCursor: cursorAfter(list, end, keyOf(list, last)) }
      : { [list]: items };
  const context = serving.contextOf(call.method);
  const prepared = prepareResult(call.edge, call.method, result, context);
  // A made-up cursor may start anywhere; only pages that clients are led to are worth keeping.
  if (start % pageSize === 0) listing.pages.set(key, prepared);
  return prepared;
}

/**
 * Names the list, how far it has been read and the last entry read: it works on another connection,
 * and still leads on when entries before it came or went.
 */
export function cursorAfter(list: string, position: number, lastKey: string): string {
  return Buffer.from(JSON.stringify([list, position, lastKey])).toString('base64url');
}

/** Where to go on. Throws `RpcError` `invalidParams` for a cursor that is none of this list's. */
export function startAfter<T>(
  list: string,
  items: readonly T[],
  keyOfItem: (item: T) => string,
  cursor: unknown,
): number {
  const [position, lastKey] = parseCursor(list, cursor);
  const before = items[position - 1];
  if (before !== undefined && keyOfItem(before) === lastKey) return position;
  const found = items.findIndex((item) => keyOfItem(item) === lastKey);
  return found < 0 ? Math.min(position, items.length) : found + 1;
}

function parseCursor(list: string, cursor: unknown): [position: number, lastKey: string] {
  if (typeof cursor !== 'string') throw badCursor(list);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw badCursor(list);
  }
  if (!Array.isArray(parsed) || parsed.length !== 3) throw badCursor(list);
  const [name, position, lastKey] = parsed as unknown[];
  if (name !== list || typeof lastKey !== 'string') throw badCursor(list);
  if (!Number.isSafeInteger(position) || (position as number) < 1) throw badCursor(list);
  return [position as number, lastKey];
}

function badCursor(list: string): RpcError {
  const pointer = '/params/cursor';
  return invalidParams(`${pointer} is none that mcpx gave out for ${list}`, { pointer });
}
