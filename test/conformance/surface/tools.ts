/** The tools that the official suite's server scenarios call, by the names it calls them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcError, type McpServer } from '../../../src/index.js';
import { PNG, WAV } from './media.js';

/** Between two notifications of one call, so that each can be seen to come by itself. */
const STEP_MS = 20;

export function declareTools(server: McpServer): void {
  declareContentTools(server);
  declareTalkingTools(server);
  declareSchemaTools(server);
  declareListChanges(server);

  server.tool(
    { name: 'test_error_handling', description: 'Fails, and says so in its result.' },
    () => {
      throw new Error('Failed, as this tool always does.');
    },
  );
  server.tool(
    { name: 'test_missing_capability', description: 'Needs a client that offers sampling.' },
    (_, { peer }) => {
      if (peer.capabilities.sampling !== undefined) return 'The client offers sampling.';
      const data = { requiredCapabilities: { sampling: {} } };
      throw new RpcError('missingCapability', 'This tool needs sampling', data);
    },
  );
}

function declareContentTools(server: McpServer): void {
  server.tool(
    { name: 'test_simple_text', description: 'Answers with one text block.' },
    () => 'Text, and nothing but text.',
  );
  server.tool({ name: 'test_image_content', description: 'Answers with one image.' }, () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  }));
  server.tool({ name: 'test_audio_content', description: 'Answers with some audio.' }, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  server.tool(
    { name: 'test_embedded_resource', description: 'Answers with a resource in the result.' },
    () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'A resource that came along with a result.',
          },
        },
      ],
    }),
  );
  server.tool(
    { name: 'test_multiple_content_types', description: 'Answers with three kinds of content.' },
    () => ({
      content: [
        { type: 'text', text: 'One of each:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  );
}

function declareTalkingTools(server: McpServer): void {
  server.tool(
    { name: 'test_tool_with_progress', description: 'Reports progress, then answers.' },
    async (_, ctx) => {
      for (const progress of [0, 50, 100]) {
        ctx.progress({ progress, total: 100 });
        await sleep(STEP_MS);
      }
      return 'Went from 0 to 100.';
    },
  );
  server.tool(
    { name: 'test_tool_with_logging', description: 'Logs three lines, then answers.' },
    async (_, ctx) => {
      for (const line of ['starting', 'half way', 'done']) {
        ctx.log('info', line);
        await sleep(STEP_MS);
      }
      return 'Three lines were logged.';
    },
  );
  server.tool(
    { name: 'test_logging_tool', description: 'Logs a line for those who asked for the log.' },
    (_, ctx) => {
      ctx.log('info', 'for those who asked');
      return 'Logged a line.';
    },
  );
  server.tool(
    { name: 'test_streaming_elicitation', description: 'Reports progress, and asks nothing.' },
    (_, ctx) => {
      ctx.progress({ progress: 1, total: 1 });
      return 'There was nothing to ask.';
    },
  );
  server.tool(
    { name: 'test_reconnection', description: 'Takes a while, as if a connection could be lost.' },
    async () => {
      await sleep(100);
      return 'Finished after the wait.';
    },
  );
}

function declareSchemaTools(server: McpServer): void {
  server.tool(
    {
      name: 'test_x_mcp_header',
      description: 'Takes an argument that a header mirrors.',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      },
    },
    ({ region }) => `Region: ${String(region)}`,
  );
  server.tool(
    {
      name: 'json_schema_2020_12_tool',
      description: 'Takes a contact; its schema uses what only JSON Schema 2020-12 has.',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
    },
    (contact) => ({ structuredContent: contact }),
  );
}

/** Each call adds what the one before took away, or takes it away again: a change either way. */
function declareListChanges(server: McpServer): void {
  const toggleTool = toggle(() =>
    server.tool({ name: 'test_passing_tool', description: 'Comes and goes.' }, () => 'Still here.'),
  );
  const togglePrompt = toggle(() =>
    server.prompt({ name: 'test_passing_prompt', description: 'Comes and goes.' }, () => 'Hello.'),
  );
  server.tool(
    { name: 'test_trigger_tool_change', description: 'Changes the list of tools.' },
    toggleTool,
  );
  server.tool(
    { name: 'test_trigger_prompt_change', description: 'Changes the list of prompts.' },
    togglePrompt,
  );
}

function toggle(add: () => { remove(): void }): () => string {
  let added: { remove(): void } | undefined;
  return () => {
    if (added === undefined) {
      added = add();
      return 'Added one.';
    }
    added.remove();
    added = undefined;
    return 'Took one away.';
  };
}
