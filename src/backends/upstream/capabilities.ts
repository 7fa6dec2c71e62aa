/** Of what an upstream can do, what mcpx can hand on to its own clients. */
import type { ServerCapabilities } from '../../../generated/newest/types.js';
import { EXTENSIONS } from '../../../generated/revisions.js';

/** Extensions with methods of their own: declaring them would promise that mcpx answers those. */
const WITH_METHODS: ReadonlySet<string> = new Set(
  Object.values(EXTENSIONS).map((extension) => extension.id),
);

export function offeredBy(upstream: ServerCapabilities): ServerCapabilities {
  const { tools, prompts, resources, completions, logging, experimental } = upstream;
  const extensions = Object.entries(upstream.extensions ?? {}).filter(
    ([id]) => !WITH_METHODS.has(id),
  );
  // Every list can change: when the upstream ends and comes back, what it offers may be something else.
  const changing = { listChanged: true };
  return {
    ...(tools === undefined ? {} : { tools: changing }),
    ...(prompts === undefined ? {} : { prompts: changing }),
    ...(resources === undefined
      ? {}
      : { resources: resources.subscribe === true ? { ...changing, subscribe: true } : changing }),
    ...(completions === undefined ? {} : { completions: {} }),
    ...(logging === undefined ? {} : { logging: {} }),
    ...(experimental === undefined ? {} : { experimental }),
    ...(extensions.length === 0 ? {} : { extensions: Object.fromEntries(extensions) }),
  };
}
