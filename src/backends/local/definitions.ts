/** What an author declares, in the newest shape, and what handlers may return. */
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  PromptArgument,
  PromptMessage,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '../../../generated/newest/types.js';
import type { Bare, Tool } from '../backend.js';
import type { RequestContext } from '../context.js';
import type { JsonSchema, Parsed, Schema } from './schema.js';
import type { Variables } from './uri-template.js';

type Awaitable<T> = T | Promise<T>;

export type ToolDefinition<Input extends Schema = Schema, Output extends Schema = Schema> = Omit<
  Tool,
  'inputSchema' | 'outputSchema'
> & {
  /** Absent: the tool takes no arguments. */
  inputSchema?: Input;
  outputSchema?: Output;
};

/** A text; or a result, whose `content` may be left out where there is `structuredContent`. */
export type ToolReturn =
  | string
  | Bare<CallToolResult>
  | (Omit<Bare<CallToolResult>, 'content'> & { structuredContent: unknown; content?: undefined });

/** An `Error` that is thrown becomes a result with `isError` and its message; an `RpcError` goes as it is. */
export type ToolHandler<Input extends Schema = JsonSchema> = (
  args: Parsed<Input>,
  ctx: RequestContext,
) => Awaitable<ToolReturn>;

export type ResourceDefinition = Resource;

/** Contents; or the text or bytes of the one resource that was asked for. */
export type ResourceReturn = string | Uint8Array | Bare<ReadResourceResult>;

export type ResourceHandler = (uri: string, ctx: RequestContext) => Awaitable<ResourceReturn>;

/** `settled`: the other arguments, as far as the user has chosen them. */
export type Completer = (
  value: string,
  settled: Readonly<Record<string, string>>,
  ctx: RequestContext,
) => Awaitable<readonly string[] | { values: string[]; total?: number; hasMore?: boolean }>;

export type ResourceTemplateDefinition = ResourceTemplate & {
  /** By variable. */
  complete?: Readonly<Record<string, Completer>>;
};

/** Undefined: there is no such resource. */
export type ResourceTemplateHandler = (
  uri: string,
  variables: Variables,
  ctx: RequestContext,
) => Awaitable<ResourceReturn | undefined>;

export type PromptDefinition = Omit<Prompt, 'arguments'> & {
  arguments?: (PromptArgument & { complete?: Completer })[];
};

/** The text of one user message; or messages; or the whole result. */
export type PromptReturn = string | PromptMessage[] | Bare<GetPromptResult>;

export type PromptHandler = (
  args: Readonly<Record<string, string>>,
  ctx: RequestContext,
) => Awaitable<PromptReturn>;
