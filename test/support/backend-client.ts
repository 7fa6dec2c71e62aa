/** A client of a core that serves one backend under its own names. Both end with the test. */
import { onTestFinished } from 'vitest';
import type { Backend } from '../../src/backends/backend.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { createCore } from '../../src/server/core.js';
import { StdioClient } from './stdio-client.js';

export interface ToolResult {
  content: { type: string; text?: string; [key: string]: unknown }[];
  structuredContent?: unknown;
  isError?: boolean;
}

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: {
    properties: Record<string, Record<string, unknown>>;
    required?: string[];
  } & Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

export class BackendClient {
  constructor(readonly client: StdioClient) {}

  async call(name: string, args: object = {}): Promise<ToolResult> {
    const result = await this.client.result('tools/call', { name, arguments: args });
    return result as unknown as ToolResult;
  }

  async tools(): Promise<ListedTool[]> {
    const tools: ListedTool[] = [];
    for (let cursor: unknown; ;) {
      const page = await this.client.result('tools/list', cursor === undefined ? {} : { cursor });
      tools.push(...(page['tools'] as ListedTool[]));
      cursor = page['nextCursor'];
      if (cursor === undefined) return tools;
    }
  }

  async tool(name: string): Promise<ListedTool> {
    const found = (await this.tools()).find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`there is no tool ${name}`);
    return found;
  }
}

export async function clientOf(backend: Backend, revision = '2025-11-25'): Promise<BackendClient> {
  const core = createCore({
    info: { name: 'test', version: '1' },
    mounts: [{ backend, names: 'own' }],
    settings: { listChangedDelay: 1 },
    diagnostics: new Diagnostics(),
  });
  await core.start();
  const client = new StdioClient(core);
  onTestFinished(async () => {
    await client.end();
    await core.close(0);
  });
  await client.initialize(revision);
  return new BackendClient(client);
}
