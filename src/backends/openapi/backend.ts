/** An OpenAPI document as a backend: every operation a tool. */
import { Agent } from 'undici';
import type {
  CallToolResult,
  Implementation,
  ServerCapabilities,
} from '../../../generated/newest/types.js';
import { invalidParams } from '../../protocol/errors.js';
import type { Backend, BackendEvent, Bare, Tool } from '../backend.js';
import type { RequestContext } from '../context.js';
import { HttpFailure, exchange, type HttpLimits } from '../http/exchange.js';
import { failedCall, httpResult } from '../http/result.js';
import { outputFault } from '../output-fault.js';
import { ToolsOnly } from '../tools-only.js';
import { readDocument } from './document.js';
import { importDocument, type Imported } from './import.js';
import type { Operation } from './operation.js';
import { DEFAULT_MAX_RESPONSE, DEFAULT_TIMEOUT, type OpenApiOptions } from './options.js';
import type { ImportReport } from './report.js';
import { buildRequest } from './request.js';

/** Tools from which on a list is more than clients and models deal with well. */
const MANY = 200;

export class OpenApiBackend extends ToolsOnly implements Backend {
  readonly namespace: string;
  readonly capabilities: ServerCapabilities = { tools: { listChanged: true } };
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  readonly #limits: HttpLimits;
  #imported: Imported | undefined;
  #tools: readonly Tool[] = [];
  /** Tools whose service has answered otherwise than the document says. */
  readonly #unpromised = new Set<string>();
  #listener: (event: BackendEvent) => void = () => undefined;

  constructor(private readonly options: OpenApiOptions) {
    super();
    const { namespace, target } = options;
    this.namespace = namespace;
    this.#limits = {
      timeout: target.timeout ?? DEFAULT_TIMEOUT,
      maxBytes: target.maxResponse ?? DEFAULT_MAX_RESPONSE,
    };
  }

  get info(): Implementation | undefined {
    const report = this.report;
    return report && { name: report.title, version: report.version };
  }

  /** Undefined until started. */
  get report(): ImportReport | undefined {
    return this.#imported?.report;
  }

  /** Rejects with an `Error` where the document cannot be had or used. */
  async start(): Promise<void> {
    await this.#import();
  }

  async #import(): Promise<readonly Tool[]> {
    const { target } = this.options;
    this.#imported = importDocument(await readDocument(target.document), target);
    this.#list();
    this.#tell(this.#imported.report);
    return this.#tools;
  }

  #list(): void {
    const operations = [...(this.#imported?.operations.values() ?? [])];
    this.#tools = operations.map(({ tool }) => {
      if (!this.#unpromised.has(tool.name)) return tool;
      const { outputSchema: _broken, ...rest } = tool;
      return rest;
    });
  }

  #tell(report: ImportReport): void {
    const { diagnostics } = this.options;
    const { skipped, repairs, renamed, withoutCredentials, ...sums } = report;
    const { namespace } = this;
    diagnostics.logger.info(
      {
        namespace,
        ...sums,
        skipped: skipped.length,
        repairs: repairs.length,
        renamed: renamed.length,
        withoutCredentials: withoutCredentials.length,
      },
      'OpenAPI document imported',
    );
    for (const one of skipped) diagnostics.note('openapi-skipped', { namespace, ...one });
    for (const one of repairs) diagnostics.note('openapi-repaired', { namespace, ...one });
    for (const one of renamed) diagnostics.note('openapi-renamed', { namespace, ...one });
    for (const where of withoutCredentials) {
      diagnostics.note('openapi-without-credentials', { namespace, where });
    }
    if (report.imported > MANY) {
      const { imported, toolBytes } = report;
      const hint = 'include and exclude leave fewer';
      diagnostics.note('openapi-many-tools', { namespace, imported, toolBytes, hint });
    }
  }

  /** A document that was not to be had at the start is asked for again. */
  tools(): readonly Tool[] | Promise<readonly Tool[]> {
    return this.#imported === undefined ? this.#import() : this.#tools;
  }

  async callTool(
    name: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Promise<Bare<CallToolResult>> {
    const operation = this.#imported?.operations.get(name);
    if (operation === undefined) throw invalidParams(`Unknown tool: ${name}`, { name });
    const request = buildRequest(operation, args);
    try {
      const response = await exchange(request, this.#limits, this.#agent, ctx.signal);
      return this.#kept(operation, httpResult(response, request.url.href), response.status);
    } catch (error) {
      if (error instanceof HttpFailure) return failedCall(error.message);
      throw error;
    }
  }

  /** A promise that the service does not keep is taken back; the call itself has been carried out. */
  #kept(
    { tool: { name, outputSchema } }: Operation,
    result: Bare<CallToolResult>,
    status: number,
  ): Bare<CallToolResult> {
    if (outputSchema === undefined || result.isError === true) return result;
    if (this.#unpromised.has(name)) return result;
    const fault = outputFault(outputSchema, result.structuredContent);
    if (fault === undefined) return result;
    const { namespace } = this;
    this.options.diagnostics.note('openapi-promise-broken', { namespace, tool: name, fault });
    this.#unpromised.add(name);
    this.#list();
    this.#listener({ kind: 'listChanged', list: 'tools' });
    const text =
      `The call was carried out (HTTP ${status}) and need not be repeated, ` +
      `but its answer is not what the API's own description says: ${fault}`;
    return { content: [{ type: 'text', text }, ...result.content], isError: true };
  }

  onEvent(listener: (event: BackendEvent) => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
