/** Calls a tool of the catalog; what is too large of its result is kept beside it. */
import type { CallToolResult } from '../../generated/newest/types.js';
import type { Bare } from '../backends/backend.js';
import type { RequestContext } from '../backends/context.js';
import type { Entry, Items } from './catalog/listing.js';
import type { Serving } from './serving.js';

export function callEntry(
  { catalog, artifacts }: Pick<Serving, 'catalog' | 'artifacts'>,
  entry: Entry<Items['tools']>,
  args: Record<string, unknown>,
  ctx: RequestContext,
): Bare<CallToolResult> | Promise<Bare<CallToolResult>> {
  const result = catalog.callTool(entry, args, ctx);
  // What is offered under its own names goes as it is.
  if (artifacts === undefined || entry.mount.names === 'own') return result;
  const kept = (large: Bare<CallToolResult>): Bare<CallToolResult> =>
    artifacts.keep(large, entry.item, ctx);
  return result instanceof Promise ? result.then(kept) : kept(result);
}
