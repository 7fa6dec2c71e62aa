/** Upstreams behind one core, and clients of it. All of it ends with the test. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { UpstreamBackend } from '../../src/backends/upstream/backend.js';
import type {
  StdioTarget,
  UpstreamPatience,
  UpstreamTarget,
} from '../../src/backends/upstream/options.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import type { Core, Mount } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { isModern, modernMeta } from './peers.js';
import { StdioClient, type Message } from './stdio-client.js';

const SCRIPTED = fileURLToPath(new URL('../fixtures/upstream/scripted.mjs', import.meta.url));

/** See the fixture for what a script may say. */
export interface Script {
  readonly revision?: Revision;
  readonly capabilities?: object;
  readonly probe?: object | 'silent' | 'exit';
  readonly pages?: Readonly<Record<string, object>>;
  readonly results?: Readonly<Record<string, object>>;
  /** Results go out without the envelope that the revision wants. */
  readonly bare?: boolean;
  /** A file that gets a character with each start. */
  readonly starts?: string;
}

export function scripted(script: Script): StdioTarget {
  const args = [SCRIPTED, JSON.stringify(script)];
  return { kind: 'stdio', command: process.execPath, args, env: {} };
}

/** One page with these tools; each takes no arguments unless it says otherwise. */
export function toolsPage(
  ...tools: { name: string; [field: string]: unknown }[]
): Record<string, object> {
  return {
    'tools/list': { tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) },
  };
}

export interface Gateway {
  readonly core: Core;
  readonly diagnostics: Diagnostics;
  readonly backends: Readonly<Record<string, UpstreamBackend>>;
  /** A client that has shaken hands, where its revision does that. */
  readonly client: (revision: Revision, capabilities?: object) => Promise<GatewayClient>;
}

export class GatewayClient {
  constructor(
    readonly raw: StdioClient,
    readonly revision: Revision,
    private readonly capabilities: object,
  ) {}

  request(method: string, params: object = {}): Promise<Message> {
    return this.raw.request(method, this.params(params));
  }

  params(params: object = {}): object {
    if (!isModern(this.revision)) return params;
    const { _meta, ...rest } = params as { _meta?: object };
    const declared = { 'io.modelcontextprotocol/clientCapabilities': this.capabilities };
    return { ...rest, ...modernMeta({ ...declared, ..._meta }) };
  }

  /** Throws where the answer is an error. */
  async result<T = Record<string, unknown>>(method: string, params: object = {}): Promise<T> {
    const { result, error } = await this.request(method, params);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as T;
  }

  async tools(): Promise<ListedTool[]> {
    const tools: ListedTool[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.result<{ tools: ListedTool[]; nextCursor?: string }>(
        'tools/list',
        cursor === undefined ? {} : { cursor },
      );
      tools.push(...page.tools);
      if (page.nextCursor === undefined) return tools;
      cursor = page.nextCursor;
    }
  }

  async names(): Promise<string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  call(name: string, args: object = {}): Promise<CallResult> {
    return this.result<CallResult>('tools/call', { name, arguments: args });
  }

  async text(name: string, args: object = {}): Promise<string> {
    const { content } = await this.call(name, args);
    return content.map((block) => block.text ?? `<${block.type}>`).join('\n');
  }
}

export interface ListedTool {
  name: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  [field: string]: unknown;
}

export interface CallResult {
  content: { type: string; text?: string; [field: string]: unknown }[];
  structuredContent?: unknown;
  isError?: boolean;
  [field: string]: unknown;
}

export interface GatewayOptions {
  readonly patience?: Partial<UpstreamPatience>;
  readonly names?: Mount['names'];
  readonly nameLength?: number;
  readonly pageSize?: number;
}

/** Started: every upstream has been tried. */
export async function gateway(
  targets: Readonly<Record<string, UpstreamTarget>>,
  { patience, names = 'namespaced', nameLength = 128, pageSize = 100 }: GatewayOptions = {},
): Promise<Gateway> {
  const diagnostics = new Diagnostics();
  const clientInfo = { name: 'mcpx', version: '0' };
  const backends = Object.fromEntries(
    Object.entries(targets).map(([namespace, target]) => {
      const options = { namespace, target, clientInfo, patience, diagnostics };
      return [namespace, new UpstreamBackend({ ...options, passThrough: names === 'own' })];
    }),
  );
  const core = createCore({
    info: { name: 'gateway', version: '1' },
    mounts: Object.values(backends).map((backend) => ({ backend, names })),
    settings: { listChangedDelay: 1, nameLength, pageSize },
    diagnostics,
  });
  const clients: StdioClient[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await core.close(0);
  });
  await core.start();
  return {
    core,
    diagnostics,
    backends,
    client: async (revision, capabilities = {}) => {
      const raw = new StdioClient(core);
      clients.push(raw);
      if (revision !== NEWEST) await raw.initialize(revision, capabilities);
      return new GatewayClient(raw, revision, capabilities);
    },
  };
}
