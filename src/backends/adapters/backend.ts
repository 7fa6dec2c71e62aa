/** Command lines and HTTP calls of the configuration as a backend. */
import type { CallToolResult, ServerCapabilities } from '../../../generated/newest/types.js';
import { invalidParams } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Backend, Bare, Tool } from '../backend.js';
import type { RequestContext } from '../context.js';
import { failedCall } from '../http/result.js';
import { outputFault } from '../output-fault.js';
import { ToolsOnly } from '../tools-only.js';
import { CommandRunner } from './command.js';
import { HttpRunner } from './http.js';
import type { Adapter, AdaptersOptions } from './options.js';
import type { Runner } from './runner.js';

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

interface Registered {
  readonly tool: Tool;
  readonly runner: Runner;
}

export class AdaptersBackend extends ToolsOnly implements Backend {
  readonly namespace: string;
  readonly capabilities: ServerCapabilities = { tools: {} };
  readonly #adapters: ReadonlyMap<string, Registered>;
  readonly #tools: readonly Tool[];

  /** Throws an `Error` for an adapter that could never run: its name, a template, a placeholder. */
  constructor(private readonly options: AdaptersOptions) {
    super();
    this.namespace = options.namespace;
    this.#adapters = new Map(
      Object.entries(options.adapters).map(([name, adapter]) => [
        name,
        registered(name, { ...adapter, timeout: adapter.timeout ?? options.timeout }),
      ]),
    );
    this.#tools = Array.from(this.#adapters.values(), ({ tool }) => tool);
  }

  tools(): readonly Tool[] {
    return this.#tools;
  }

  async callTool(
    name: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Promise<Bare<CallToolResult>> {
    const adapter = this.#adapters.get(name);
    if (adapter === undefined) throw invalidParams(`Unknown tool: ${name}`, { name });
    const result = await adapter.runner.run(args, ctx.signal);
    const { outputSchema } = adapter.tool;
    if (outputSchema === undefined || result.isError === true) return result;
    const fault = outputFault(outputSchema, result.structuredContent);
    if (fault === undefined) return result;
    const { namespace, diagnostics } = this.options;
    diagnostics.note('adapter-promise-broken', { namespace, tool: name, fault });
    const { content } = failedCall(`The answer does not fit the outputSchema: ${fault}`);
    return { content: [...content, ...result.content], isError: true };
  }

  onEvent(): void {
    // What the configuration declares does not change while it runs.
  }

  async start(): Promise<void> {
    // Nothing runs between calls.
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#adapters.values(), ({ runner }) => runner.close()));
  }
}

/** Throws an `Error` that names what is wrong with the first adapter that could never run. */
export function checkAdapters(adapters: Readonly<Record<string, Adapter>>): void {
  for (const [name, adapter] of Object.entries(adapters)) registered(name, adapter);
}

function registered(name: string, adapter: Adapter): Registered {
  if (!TOOL_NAME.test(name)) {
    throw new Error(`"${name}": 1 to 64 letters, digits, "_", "-" or "." are allowed as a name`);
  }
  const inputSchema = { type: 'object', ...adapter.inputSchema };
  if (inputSchema.type !== 'object') {
    throw new Error(`${name}: its inputSchema has to say type: "object" at the root`);
  }
  const runner = adapter.kind === 'command' ? new CommandRunner(adapter) : new HttpRunner(adapter);
  const properties = (inputSchema as Record<string, unknown>)['properties'];
  const known = isObject(properties) ? Object.keys(properties) : [];
  const stray = runner.names.find((placeholder) => !known.includes(placeholder));
  if (stray !== undefined) {
    const listed = known.join(', ') || 'none';
    throw new Error(`${name}: {${stray}} is no property of its inputSchema; there are: ${listed}`);
  }
  const { title, description, outputSchema, annotations } = adapter;
  const tool: Tool = { name, inputSchema: inputSchema as Tool['inputSchema'] };
  if (title !== undefined) tool.title = title;
  if (description !== undefined) tool.description = description;
  if (annotations !== undefined) tool.annotations = annotations;
  if (outputSchema !== undefined) tool.outputSchema = outputSchema;
  return { tool, runner };
}
