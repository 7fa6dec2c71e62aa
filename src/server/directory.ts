/** The catalog as mcpx's own tools and operations see it. */
import type { CallToolResult } from '../../generated/newest/types.js';
import { ArgumentsRefused, type Bare } from '../backends/backend.js';
import type { RequestContext } from '../backends/context.js';
import type { BackendEntry, BackendStanding, Directory, ToolEntry } from '../backends/directory.js';
import { invalidParams } from '../protocol/errors.js';
import { argumentsFault } from './arguments.js';
import { callEntry } from './call-entry.js';
import type { Serving } from './serving.js';

export class CatalogDirectory implements Directory {
  constructor(private readonly serving: Pick<Serving, 'catalog' | 'artifacts' | 'diagnostics'>) {}

  standing(): readonly BackendStanding[] {
    return this.serving.catalog.census.standing().filter((one) => this.#isBackend(one));
  }

  async backends(): Promise<readonly BackendEntry[]> {
    return (await this.serving.catalog.census.backends()).filter((one) => this.#isBackend(one));
  }

  /** What is kept for callers is none to anybody but them. */
  #isBackend({ namespace }: BackendStanding): boolean {
    return namespace !== this.serving.artifacts?.namespace;
  }

  async tools(): Promise<readonly ToolEntry[]> {
    const { entries } = await this.serving.catalog.list('tools');
    return Array.from(entries.values(), ({ item, mount }) => ({
      tool: item,
      namespace: mount.backend.namespace,
    }));
  }

  async callTool(
    name: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Promise<Bare<CallToolResult>> {
    const { catalog, diagnostics } = this.serving;
    const entry = await catalog.tool(name);
    if (entry === undefined) throw invalidParams(`Unknown tool: ${name}`, { name });
    const fault = argumentsFault(diagnostics, entry.item, args);
    if (fault !== undefined) throw new ArgumentsRefused(`Arguments for tool ${name}: ${fault}`);
    return callEntry(this.serving, entry, args, ctx);
  }
}
