/**
 * What the official suite runs as the client under test: mcpx as the gateway to the suite's server, and
 * in front of it a client of the other era that does what the scenario wants done. The suite appends the
 * address, and names the scenario in the environment.
 */
import { UpstreamBackend } from '../../../src/backends/upstream/backend.js';
import { setOutgoingCheck } from '../../../src/edge/outgoing.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { createCore } from '../../../src/server/core.js';
import { StdioClient, type Message } from '../../support/stdio-client.js';

interface Tool {
  name: string;
  inputSchema: object;
}

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } =
  process.env;
const url = process.argv.at(-1) ?? '';

await setOutgoingCheck('error');
const backend = new UpstreamBackend({
  namespace: 'suite',
  target: { kind: 'http', url, headers: {} },
  clientInfo: { name: 'mcpx', version: '0' },
  diagnostics: new Diagnostics(),
  passThrough: true,
});
const core = createCore({
  info: { name: 'mcpx', version: '0' },
  mounts: [{ backend, names: 'own' }],
});
await core.start();
const client = new StdioClient(core);
client.onFrame = answer;
await client.initialize('2025-11-25', { elicitation: { form: {} }, sampling: {}, roots: {} });
const { tools } = (await client.result('tools/list')) as unknown as { tools: Tool[] };

await scenarios()[scenario]?.();
await client.end();
await core.close(0);
process.exit(0);

function scenarios(): Readonly<Record<string, () => Promise<void>>> {
  return {
    tools_call: () => call('add_numbers', { a: 5, b: 3 }),
    'elicitation-sep1034-client-defaults': () => call('test_client_elicitation_defaults'),
    'sse-retry': () => call('test_reconnection'),
    'sep-2322-client-request-state': async () => {
      for (const { name } of tools) await call(name);
    },
    'http-standard-headers': async () => {
      for (const { name } of tools) await call(name);
      const { resources } = (await client.result('resources/list')) as { resources: Message[] };
      for (const resource of resources) {
        await client.request('resources/read', { uri: (resource as { uri?: string }).uri });
      }
      const { prompts } = (await client.result('prompts/list')) as { prompts: Tool[] };
      for (const { name } of prompts) await client.request('prompts/get', { name });
    },
    'http-custom-headers': async () => {
      const { toolCalls = [] } = JSON.parse(context) as {
        toolCalls?: { name: string; arguments: object }[];
      };
      for (const one of toolCalls) await call(one.name, one.arguments);
    },
    'http-invalid-tool-headers': () => call('valid_tool', { region: 'us-west1' }),
    'json-schema-2020-12-preservation': async () => {
      const focal = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
      await call('json_schema_echo', { schema: focal?.inputSchema });
    },
  };
}

async function call(name: string, args: object = {}): Promise<void> {
  const { error } = await client.request('tools/call', { name, arguments: args });
  if (error !== undefined) process.stderr.write(`${name}: ${error.message}\n`);
}

/** Accepts, with every default that the form has, and yes to what has none. */
function answer({ id, method, params }: Message): void {
  if (method !== 'elicitation/create' || id === undefined) return;
  const { properties = {} } = (params?.['requestedSchema'] ?? {}) as {
    properties?: Record<string, { type?: string; default?: unknown }>;
  };
  const content = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      schema.default ?? (schema.type === 'boolean' ? true : 'yes'),
    ]),
  );
  client.send({ jsonrpc: '2.0', id, result: { action: 'accept', content } });
}
