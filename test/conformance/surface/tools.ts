/** The tools that the official suite's server scenarios call, by the names it calls them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PNG, WAV } from './media.js';
import type { SurfaceTool } from './surface.js';

const NO_ARGUMENTS = { type: 'object' } as const;

/** Between two notifications of one call, so that each can be seen to come by itself. */
const STEP_MS = 20;

export const TOOLS: readonly SurfaceTool[] = [
  {
    name: 'test_simple_text',
    description: 'Answers with one text block.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({ content: [text('Text, and nothing but text.')] }),
  },
  {
    name: 'test_image_content',
    description: 'Answers with one image.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  },
  {
    name: 'test_audio_content',
    description: 'Answers with one piece of audio.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource inside the result.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({
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
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with a text, an image and a resource.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({
      content: [
        text('One of each:'),
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
  },
  {
    name: 'test_error_handling',
    description: 'Fails, and says so in its result.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({ content: [text('Failed, as this tool always does.')], isError: true }),
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports its progress three times, then answers.',
    inputSchema: NO_ARGUMENTS,
    call: async (_, ctx) => {
      for (const progress of [0, 50, 100]) {
        ctx.progress({ progress, total: 100 });
        await sleep(STEP_MS);
      }
      return { content: [text('Went from 0 to 100.')] };
    },
  },
  {
    name: 'test_tool_with_logging',
    description: 'Writes three lines to the client’s log, then answers.',
    inputSchema: NO_ARGUMENTS,
    call: async (_, ctx) => {
      for (const line of ['starting', 'half way', 'done']) {
        ctx.log('info', line);
        await sleep(STEP_MS);
      }
      return { content: [text('Three lines were logged.')] };
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Logs one line, which nobody gets who asked for no log.',
    inputSchema: NO_ARGUMENTS,
    call: (_, ctx) => {
      ctx.log('info', 'only for those who asked');
      return { content: [text('Logged a line for whoever asked.')] };
    },
  },
  {
    name: 'test_reconnection',
    description: 'Takes long enough for a client to lose its connection meanwhile.',
    inputSchema: NO_ARGUMENTS,
    call: async () => {
      await sleep(100);
      return { content: [text('Finished after the wait.')] };
    },
  },
  {
    name: 'test_missing_capability',
    description: 'Cannot do anything for a client that offers no sampling.',
    inputSchema: NO_ARGUMENTS,
    needs: { sampling: {} },
    call: () => ({ content: [text('The client could be asked for a sample.')] }),
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Answers at once and sends no request of its own.',
    inputSchema: NO_ARGUMENTS,
    call: () => ({ content: [text('There was nothing to ask.')] }),
  },
  {
    name: 'test_x_mcp_header',
    description: 'Takes an argument that a header mirrors.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    call: ({ region }) => ({ content: [text(`region: ${String(region)}`)] }),
  },
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
    call: (args) => ({ content: [text(JSON.stringify(args))] }),
  },
];

export function text(value: string) {
  return { type: 'text' as const, text: value };
}
