/** What mcpx can do is what its backends can do together. */
import type { ServerCapabilities } from '../../../generated/newest/types.js';
import type { Mount } from '../contract.js';

/** A backend whose extensions and experiments reach the client as they are: one under its own names. */
export function mergedCapabilities(mounts: readonly Mount[]): ServerCapabilities {
  const merged: ServerCapabilities = {};
  for (const { backend, names } of mounts) {
    const own = backend.capabilities;
    if (own.tools) merged.tools = flags(merged.tools, own.tools, ['listChanged']);
    if (own.prompts) merged.prompts = flags(merged.prompts, own.prompts, ['listChanged']);
    if (own.resources) {
      const { subscribe, ...rest } = own.resources;
      const delivers = subscribe === true && backend.subscribe !== undefined;
      const resources = delivers ? { ...rest, subscribe } : rest;
      merged.resources = flags(merged.resources, resources, ['listChanged', 'subscribe']);
    }
    if (own.completions) merged.completions = {};
    if (own.logging) merged.logging = {};
    if (names === 'own') {
      if (own.experimental) merged.experimental = { ...own.experimental, ...merged.experimental };
      if (own.extensions) merged.extensions = { ...own.extensions, ...merged.extensions };
    }
  }
  return merged;
}

function flags<K extends string>(
  a: Partial<Record<K, boolean>> | undefined,
  b: Partial<Record<K, boolean>>,
  keys: readonly K[],
): Partial<Record<K, boolean>> {
  const merged: Partial<Record<K, boolean>> = {};
  for (const key of keys) if (a?.[key] === true || b[key] === true) merged[key] = true;
  return merged;
}
