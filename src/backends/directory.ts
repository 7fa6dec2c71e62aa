/**
 * What mcpx's own tools and operations may know of everything else that is mounted. The core has it
 * (`Core.directory`); whoever uses it knows neither catalog nor mounts.
 */
import type {
  CallToolResult,
  Implementation,
  ServerCapabilities,
} from '../../generated/newest/types.js';
import type { BackendStatus, Bare, Listing, Tool } from './backend.js';
import type { RequestContext } from './context.js';

export interface BackendStanding extends BackendStatus {
  readonly namespace: string;
}

export interface BackendEntry extends BackendStanding {
  readonly info?: Implementation;
  readonly capabilities: ServerCapabilities;
  /** How many it has on each list. */
  readonly counts: Readonly<Record<Listing, number>>;
}

export interface ToolEntry {
  /** As clients list it. */
  readonly tool: Tool;
  /** Of the backend that has it. */
  readonly namespace: string;
}

export interface Directory {
  /** In the order in which they are configured. */
  standing(): readonly BackendStanding[];
  /** The same with all there is to know of them. Lists that are long in coming are counted as they were. */
  backends(): Promise<readonly BackendEntry[]>;
  /** In the order in which clients list them. */
  tools(): Promise<readonly ToolEntry[]>;
  /**
   * Calls a tool under its listed name, for the client of `ctx`. Rejects with `ArgumentsRefused` where
   * the arguments do not fit its schema, with `RpcError` `invalidParams` where there is no such tool.
   */
  callTool(
    name: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Promise<Bare<CallToolResult>>;
}
