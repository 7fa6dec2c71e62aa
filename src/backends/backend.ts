/**
 * Anything that offers tools, resources and prompts. A backend speaks the newest shape only and knows
 * nothing of peers, transports or revisions; what it returns may be handed out more than once and is
 * never edited.
 */
import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  Tool as WireTool,
} from '../../generated/newest/types.js';
import type { Revision } from '../../generated/revisions.js';
import type { RequestContext } from './context.js';

/** A tool as mcpx keeps it: `execution` exists on the wire for one revision only, the edge sees to that. */
export type Tool = WireTool & {
  execution?: { taskSupport?: 'required' | 'optional' | 'forbidden' };
};

/** Results as handlers build them: the envelope is the edge's. (`Omit` would lose what is not an index.) */
export type Bare<T> = {
  [K in keyof T as K extends 'resultType' | 'ttlMs' | 'cacheScope' ? never : K]: T[K];
};

export type Listing = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** Which capability has the list. */
export const CAPABILITY_OF = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resources',
  prompts: 'prompts',
} as const satisfies Record<Listing, keyof ServerCapabilities>;

export const LISTINGS = Object.keys(CAPABILITY_OF) as readonly Listing[];

export type BackendEvent =
  | { kind: 'listChanged'; list: 'tools' | 'resources' | 'prompts' }
  | { kind: 'resourceUpdated'; uri: string }
  /** What a user was sent elsewhere for is done (2025-11-25, client/elicitation, url mode). */
  | { kind: 'elicitationComplete'; elicitationId: string }
  /** What `status` says has changed. */
  | { kind: 'statusChanged' };

export type BackendState = 'starting' | 'up' | 'down';

export interface BackendStatus {
  readonly state: BackendState;
  /** Of an upstream that has been up: what it speaks. */
  readonly revision?: Revision;
  /** What failed last, whether it is up again or not. */
  readonly lastError?: { readonly message: string; readonly at: Date };
}

/** Thrown by `callTool` for arguments that a tool refuses although they fit its `inputSchema`. */
export class ArgumentsRefused extends Error {
  override readonly name = 'ArgumentsRefused';
}

export interface Backend {
  /** The name under which it is configured. */
  readonly namespace: string;
  readonly capabilities: ServerCapabilities;
  readonly info?: Implementation;
  readonly instructions?: string;
  /** Absent: it is up from its start on, and what it fails at is seen from outside. */
  readonly status?: BackendStatus;

  /** Whole lists, every page; the order is the backend's and stable. Cheap to call: backends cache. */
  tools(): readonly Tool[] | Promise<readonly Tool[]>;
  resources(): readonly Resource[] | Promise<readonly Resource[]>;
  resourceTemplates(): readonly ResourceTemplate[] | Promise<readonly ResourceTemplate[]>;
  prompts(): readonly Prompt[] | Promise<readonly Prompt[]>;

  /** Refuses wrong arguments itself, in its own words: they are not looked at before. */
  readonly judgesArguments?: boolean;
  /**
   * Throws `RpcError` (see protocol/errors) for unknown names; a failing tool is a result with
   * `isError`. Arguments fit the tool's `inputSchema`, unless it judges them itself, and may hold a `RawNumber` (protocol/json).
   */
  callTool(
    name: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Promise<Bare<CallToolResult>> | Bare<CallToolResult>;
  getPrompt(
    name: string,
    args: Record<string, string>,
    ctx: RequestContext,
  ): Promise<Bare<GetPromptResult>> | Bare<GetPromptResult>;
  /** Throws `RpcError` `resourceNotFound` for a URI it does not own or cannot find. */
  readResource(
    uri: string,
    ctx: RequestContext,
  ): Promise<Bare<ReadResourceResult>> | Bare<ReadResourceResult>;
  complete(
    params: CompleteRequestParams,
    ctx: RequestContext,
  ): Promise<Bare<CompleteResult>> | Bare<CompleteResult>;

  /** Starts or stops the flow of `resourceUpdated` for one URI. Absent: cannot deliver updates. */
  subscribe?(uri: string): void | Promise<void>;
  unsubscribe?(uri: string): void | Promise<void>;

  /** Registers the one listener (the catalog). */
  onEvent(listener: (event: BackendEvent) => void): void;

  /** Resolves when the lists are known, rejects with the reason why it could not start. */
  start(): Promise<void>;
  /**
   * It has been taken away: calls in hand end as they would have, others do not come, and nothing is
   * done but for those. `close` follows. Absent: it does nothing of its own accord.
   */
  retire?(): void;
  close(): Promise<void>;
}
