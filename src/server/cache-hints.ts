/** How long and for whom results may be kept (2026-07-28, server/utilities/caching). */
import type { Implementation, Tool } from '../../generated/newest/types.js';
import type { ResultContext } from '../edge/contract.js';
import type { CoreSettings } from './settings.js';

/** Made once: contexts are handed to the edge with every result. */
export function resultContexts(
  serverInfo: Implementation,
  { listMaxAge, readMaxAge }: CoreSettings,
): (method: string) => ResultContext {
  const plain: ResultContext = { serverInfo };
  const shared: ResultContext = { serverInfo, ttlMs: listMaxAge, cacheScope: 'public' };
  const contexts = new Map<string, ResultContext>([
    ['server/discover', shared],
    ['tools/list', shared],
    ['prompts/list', shared],
    ['resources/templates/list', shared],
    // A caller's own resources are among them.
    ['resources/list', { serverInfo, ttlMs: listMaxAge, cacheScope: 'private' }],
    ['resources/read', { serverInfo, ttlMs: readMaxAge, cacheScope: 'private' }],
  ]);
  return (method) => contexts.get(method) ?? plain;
}

/** For results of `tools/call`: also made once, for each tool as it is listed. */
export function toolContexts(serverInfo: Implementation): (tool: Tool) => ResultContext {
  const contexts = new WeakMap<Tool, ResultContext>();
  return (tool) => {
    let context = contexts.get(tool);
    if (context === undefined) contexts.set(tool, (context = { serverInfo, tool }));
    return context;
  };
}

/** What is answered thanks to a client's own input is nobody else's, and not even its own again. */
export function uncacheable({ serverInfo }: ResultContext): ResultContext {
  return { serverInfo, ttlMs: 0, cacheScope: 'private' };
}
