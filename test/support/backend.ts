/** A backend that hands through what it is given, as an upstream does: nothing made plain, nothing checked. */
import type { CallToolResult } from '../../generated/newest/types.js';
import type { Backend, Bare } from '../../src/backends/backend.js';
import { LocalBackend } from '../../src/backends/local/backend.js';

type CallTool = Backend['callTool'];

/** Tools `mirror` (gives its arguments back) and those of `more`. */
export function mirrorBackend(namespace: string, more: Record<string, CallTool> = {}): Backend {
  const tools: Record<string, CallTool> = { mirror, ...more };
  const backend = new LocalBackend(namespace);
  for (const name of Object.keys(tools)) backend.addTool({ name }, () => '');
  backend.callTool = (name, args, ctx) =>
    tools[name]?.(name, args, ctx) as Promise<Bare<CallToolResult>>;
  return backend;
}

const mirror: CallTool = (_name, args) => ({
  content: [],
  structuredContent: args,
});
