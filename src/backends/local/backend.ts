/** The backend of what is declared in code: mcpx as a library, and mcpx's own tools. */
import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
} from '../../../generated/newest/types.js';
import { RpcError, invalidParams, resourceNotFound } from '../../protocol/errors.js';
import { plainNumbers } from '../../protocol/json.js';
import { isObject } from '../../protocol/jsonrpc.js';
import {
  ArgumentsRefused,
  type Backend,
  type BackendEvent,
  type Bare,
  type Tool,
} from '../backend.js';
import type { RequestContext } from '../context.js';
import { schemaFault } from '../json-schema.js';
import type {
  Completer,
  PromptDefinition,
  PromptHandler,
  ResourceDefinition,
  ResourceHandler,
  ResourceTemplateDefinition,
  ResourceTemplateHandler,
  ToolDefinition,
  ToolHandler,
} from './definitions.js';
import { completeResult, failedTool, promptResult, readResult, toolResult } from './returns.js';
import { isStandardSchema, jsonSchemaOf, parseStandard, type Schema } from './schema.js';
import { compileTemplate, type Variables } from './uri-template.js';

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Takes back what was declared; clients are told. Harmless when called again. */
export interface Registration {
  remove(): void;
}

interface Registered<Item, Handler> {
  readonly item: Item;
  readonly handler: Handler;
}

interface RegisteredTool extends Registered<Tool, ToolHandler> {
  readonly schema: Schema | undefined;
  readonly verbatim: boolean;
}

interface RegisteredTemplate extends Registered<ResourceTemplate, ResourceTemplateHandler> {
  readonly match: (uri: string) => Variables | undefined;
  readonly complete: Readonly<Record<string, Completer>>;
}

interface RegisteredPrompt extends Registered<Prompt, PromptHandler> {
  readonly complete: Readonly<Record<string, Completer>>;
}

export class LocalBackend implements Backend {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #resources = new Map<string, Registered<Resource, ResourceHandler>>();
  readonly #templates = new Map<string, RegisteredTemplate>();
  readonly #prompts = new Map<string, RegisteredPrompt>();
  #listener: (event: BackendEvent) => void = () => undefined;

  constructor(readonly namespace: string) {}

  get capabilities(): ServerCapabilities {
    const { completes } = this;
    return {
      ...(this.#tools.size > 0 ? { tools: { listChanged: true } } : {}),
      ...(this.#prompts.size > 0 ? { prompts: { listChanged: true } } : {}),
      ...(this.#resources.size + this.#templates.size > 0
        ? { resources: { listChanged: true, subscribe: true } }
        : {}),
      ...(completes ? { completions: {} } : {}),
      logging: {},
    };
  }

  private get completes(): boolean {
    for (const { complete } of [...this.#templates.values(), ...this.#prompts.values()]) {
      if (Object.keys(complete).length > 0) return true;
    }
    return false;
  }

  /**
   * Throws an `Error` for a name that is taken or not allowed, and for a schema that is none. `verbatim`:
   * the handler takes numbers that no double can hold as they came (`RawNumber`, protocol/json).
   */
  addTool<Input extends Schema>(
    { inputSchema, outputSchema, ...rest }: ToolDefinition<Input>,
    handler: ToolHandler<Input>,
    { verbatim = false }: { readonly verbatim?: boolean } = {},
  ): Registration {
    const { name } = rest;
    if (!TOOL_NAME.test(name)) {
      throw new Error(`Tool name "${name}": 1 to 128 letters, digits, "_", "-" or "." are allowed`);
    }
    const input =
      inputSchema === undefined ? { type: 'object' } : jsonSchemaOf(inputSchema, 'input');
    if (input['type'] !== 'object') {
      throw new Error(`Tool ${name}: its inputSchema has to say type: "object" at the root`);
    }
    const item: Tool = { ...rest, inputSchema: input as Tool['inputSchema'] };
    if (outputSchema !== undefined) item.outputSchema = jsonSchemaOf(outputSchema, 'output');
    const registered = {
      item,
      handler: handler as unknown as ToolHandler,
      schema: inputSchema,
      verbatim,
    };
    return this.#register(this.#tools, name, registered, 'tools');
  }

  addResource(item: ResourceDefinition, handler: ResourceHandler): Registration {
    return this.#register(this.#resources, item.uri, { item, handler }, 'resources');
  }

  addResourceTemplate(
    { complete = {}, ...item }: ResourceTemplateDefinition,
    handler: ResourceTemplateHandler,
  ): Registration {
    const match = compileTemplate(item.uriTemplate);
    const registered = { item, handler, match, complete };
    return this.#register(this.#templates, item.uriTemplate, registered, 'resources');
  }

  addPrompt(definition: PromptDefinition, handler: PromptHandler): Registration {
    const complete: Record<string, Completer> = {};
    const args = definition.arguments?.map(({ complete: completer, ...argument }) => {
      if (completer !== undefined) complete[argument.name] = completer;
      return argument;
    });
    const item: Prompt = { ...definition, arguments: args };
    if (args === undefined) delete item.arguments;
    return this.#register(this.#prompts, item.name, { item, handler, complete }, 'prompts');
  }

  #register<T>(
    map: Map<string, T>,
    key: string,
    registered: T,
    list: 'tools' | 'resources' | 'prompts',
  ): Registration {
    if (map.has(key)) throw new Error(`There already is "${key}" among the ${list}`);
    map.set(key, registered);
    this.#listener({ kind: 'listChanged', list });
    return {
      remove: () => {
        if (map.get(key) !== registered) return;
        map.delete(key);
        this.#listener({ kind: 'listChanged', list });
      },
    };
  }

  /** Whoever subscribed to the resource is told. */
  resourceUpdated(uri: string): void {
    this.#listener({ kind: 'resourceUpdated', uri });
  }

  tools(): readonly Tool[] {
    return items(this.#tools);
  }

  resources(): readonly Resource[] {
    return items(this.#resources);
  }

  resourceTemplates(): readonly ResourceTemplate[] {
    return items(this.#templates);
  }

  prompts(): readonly Prompt[] {
    return items(this.#prompts);
  }

  callTool(
    name: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Bare<CallToolResult> | Promise<Bare<CallToolResult>> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw invalidParams(`Unknown tool: ${name}`, { name });
    const given = tool.verbatim ? args : plainNumbers(args);
    if (!isStandardSchema(tool.schema)) return run(tool, given, ctx);
    return parseStandard(tool.schema, given).then((parsed) => {
      if ('fault' in parsed) throw new ArgumentsRefused(parsed.fault);
      return run(tool, parsed.value as Record<string, unknown>, ctx);
    });
  }

  async getPrompt(
    name: string,
    args: Record<string, string>,
    ctx: RequestContext,
  ): Promise<Bare<GetPromptResult>> {
    const prompt = this.#prompts.get(name);
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${name}`, { name });
    return promptResult(prompt.item.description, await prompt.handler(args, ctx));
  }

  async readResource(uri: string, ctx: RequestContext): Promise<Bare<ReadResourceResult>> {
    const resource = this.#resources.get(uri);
    if (resource !== undefined) {
      return readResult(uri, resource.item.mimeType, await resource.handler(uri, ctx));
    }
    for (const { item, handler, match } of this.#templates.values()) {
      const variables = match(uri);
      if (variables === undefined) continue;
      const returned = await handler(uri, variables, ctx);
      if (returned !== undefined) return readResult(uri, item.mimeType, returned);
    }
    throw resourceNotFound(uri);
  }

  async complete(
    { ref, argument, context }: CompleteRequestParams,
    ctx: RequestContext,
  ): Promise<Bare<CompleteResult>> {
    const complete =
      ref.type === 'ref/prompt'
        ? this.#prompts.get(ref.name)?.complete
        : this.#templates.get(ref.uri)?.complete;
    if (complete === undefined) {
      throw ref.type === 'ref/prompt'
        ? invalidParams(`Unknown prompt: ${ref.name}`, { name: ref.name })
        : resourceNotFound(ref.uri);
    }
    const completer = Object.hasOwn(complete, argument.name) ? complete[argument.name] : undefined;
    if (completer === undefined) return { completion: { values: [] } };
    return completeResult(await completer(argument.value, context?.arguments ?? {}, ctx));
  }

  /** There is nothing to start: authors say `resourceUpdated` whether anybody listens or not. */
  subscribe(): void {
    return undefined;
  }

  unsubscribe(): void {
    return undefined;
  }

  onEvent(listener: (event: BackendEvent) => void): void {
    this.#listener = listener;
  }

  async start(): Promise<void> {
    // Everything is there as soon as it is declared.
  }

  async close(): Promise<void> {
    // Nothing is held that would have to be let go.
  }
}

function items<Item>(map: ReadonlyMap<string, { readonly item: Item }>): readonly Item[] {
  return Array.from(map.values(), ({ item }) => item);
}

/** A handler that answers at once is answered for at once: each promise on the way costs a small call much. */
function run(
  { item, handler }: RegisteredTool,
  args: Record<string, unknown>,
  ctx: RequestContext,
): Bare<CallToolResult> | Promise<Bare<CallToolResult>> {
  try {
    const returned = handler(args, ctx);
    if (!isThenable(returned)) return conforming(item, toolResult(returned));
    return Promise.resolve(returned)
      .then((later) => conforming(item, toolResult(later)))
      .catch(failure);
  } catch (error) {
    return failure(error);
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return isObject(value) && typeof value['then'] === 'function';
}

function failure(error: unknown): Bare<CallToolResult> {
  if (error instanceof RpcError) throw error;
  return failedTool(error);
}

/** A result that breaks the tool's own promise is a failure, not a success with a flaw (server/tools). */
function conforming(
  { name, outputSchema }: Tool,
  result: Bare<CallToolResult>,
): Bare<CallToolResult> {
  if (outputSchema === undefined || result.isError === true) return result;
  if (result.structuredContent === undefined) {
    throw new Error(`Tool ${name} has an outputSchema but returned no structuredContent`);
  }
  const fault = schemaFault(outputSchema, result.structuredContent);
  if (fault === undefined) return result;
  throw new Error(`Tool ${name} returned structuredContent that breaks its outputSchema: ${fault}`);
}
