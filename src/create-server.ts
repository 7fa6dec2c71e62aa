/** mcpx as a library: declare once, in the newest shape; serve every revision. */
import type { Readable, Writable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import type { Icon } from '../generated/newest/types.js';
import { LocalBackend, type Registration } from './backends/local/backend.js';
import type {
  PromptDefinition,
  PromptHandler,
  ResourceDefinition,
  ResourceHandler,
  ResourceTemplateDefinition,
  ResourceTemplateHandler,
  ToolDefinition,
  ToolHandler,
} from './backends/local/definitions.js';
import type { JsonSchema, Schema } from './backends/local/schema.js';
import { Diagnostics } from './protocol/diagnostics.js';
import type { Logger } from './protocol/log.js';
import type { Core } from './server/contract.js';
import { createCore } from './server/core.js';
import type { CoreSettings } from './server/settings.js';
import type { TaskStore } from './store/store.js';
import { mcpHttp } from './transport/http/plugin.js';
import { createHttpServer, type HttpServer } from './transport/http/server.js';
import type { HttpSettings } from './transport/http/settings.js';
import { serveStdio } from './transport/stdio.js';

export interface ServerOptions {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** For the model: what the server is for and how its parts go together. */
  instructions?: string;
  settings?: Partial<CoreSettings>;
  /** Where tasks are kept; in memory unless given, and gone with the process. Closed with the server. */
  store?: TaskStore;
  /** pino, or anything with its four methods. Default: silence. */
  logger?: Logger;
}

export interface ListeningServer {
  readonly url: string;
  /** Refuses new requests, and lets those in flight go on for `graceMs` at most (10 s unless given). */
  close(graceMs?: number): Promise<void>;
}

/** How long `close` lets requests in flight go on, in milliseconds. */
const GRACE = 10_000;

/** See docs/examples. */
export function createServer(options: ServerOptions): McpServer {
  return new McpServer(options);
}

export class McpServer {
  /** For transports of your own. */
  readonly core: Core;
  readonly #backend: LocalBackend;
  readonly #listening = new Set<HttpServer>();
  #started: Promise<void> | undefined;

  constructor({ instructions, settings, store, logger, ...info }: ServerOptions) {
    this.#backend = new LocalBackend(info.name);
    this.core = createCore({
      info,
      instructions,
      mounts: [{ backend: this.#backend, names: 'own' }],
      settings,
      ...(store !== undefined && { store }),
      diagnostics: new Diagnostics(logger),
    });
  }

  /**
   * Declares a tool. Arguments that do not fit `inputSchema` never reach the handler. Throws an `Error`
   * for a name that is taken or not allowed.
   */
  tool<Input extends Schema = JsonSchema>(
    definition: ToolDefinition<Input>,
    handler: ToolHandler<Input>,
  ): Registration {
    return this.#backend.addTool(definition, handler);
  }

  resource(definition: ResourceDefinition, handler: ResourceHandler): Registration {
    return this.#backend.addResource(definition, handler);
  }

  /** Throws an `Error` for a template that URIs cannot be matched against. */
  resourceTemplate(
    definition: ResourceTemplateDefinition,
    handler: ResourceTemplateHandler,
  ): Registration {
    return this.#backend.addResourceTemplate(definition, handler);
  }

  prompt(definition: PromptDefinition, handler: PromptHandler): Registration {
    return this.#backend.addPrompt(definition, handler);
  }

  /** Tells those who subscribed to the resource. */
  resourceUpdated(uri: string): void {
    this.#backend.resourceUpdated(uri);
  }

  /**
   * Serves one client on standard input and output, or on the streams given. Resolves when the client
   * is gone and answered. Nothing else may write to the output.
   */
  async stdio({
    input = process.stdin,
    output = process.stdout,
  }: { input?: Readable; output?: Writable } = {}): Promise<void> {
    await this.#start();
    await serveStdio(this.core, { input, output }).closed;
  }

  /**
   * Serves Streamable HTTP on an address of its own. Resolves once it listens; `url` is the endpoint.
   * Rejects for settings that cannot be used, or an address that cannot be had.
   */
  async http(settings: Partial<HttpSettings> = {}): Promise<ListeningServer> {
    const http = createHttpServer(this.core, settings);
    await this.#start();
    const { url } = await http.listen();
    this.#listening.add(http);
    return {
      url,
      close: async (graceMs = GRACE) => {
        await http.close(graceMs);
        this.#listening.delete(http);
      },
    };
  }

  /**
   * Streamable HTTP for a Fastify application of yours: `app.register(server.plugin())`. Throws an
   * `Error` for settings that cannot be used.
   */
  plugin(settings: Partial<HttpSettings> = {}): FastifyPluginAsync {
    const endpoint = mcpHttp(this.core, settings);
    return async (app) => {
      await this.#start();
      await app.register(endpoint);
    };
  }

  /** Refuses new requests, lets those in flight end, then cancels them. Stops listening. */
  async close(graceMs: number = GRACE): Promise<void> {
    await Promise.all([...this.#listening].map((http) => http.close(graceMs)));
    this.#listening.clear();
    await this.core.close(graceMs);
  }

  #start(): Promise<void> {
    return (this.#started ??= this.core.start());
  }
}
