/** The tools of all backends: what there is, and calls of any of them. */
import { searchTools } from '../backends/fixed/search.js';
import { ToolCaller } from './tool-caller.js';
import { Refused, TEXT, listOf, objectOf, type Operation } from './operation.js';

const RESULT = {
  type: 'object',
  description: 'A result of the newest revision',
  properties: {
    content: { type: 'array', items: { type: 'object' } },
    structuredContent: {},
    isError: { type: 'boolean' },
  },
  required: ['content'],
};

export const tools: readonly Operation[] = [
  {
    id: 'list_tools',
    method: 'GET',
    path: '/tools',
    summary: 'The tools of all backends, as clients list them',
    input: {
      properties: {
        query: { ...TEXT, description: 'Words that all have to occur; the best come first' },
        backend: { ...TEXT, description: 'Only tools of this backend' },
      },
    },
    output: objectOf({
      tools: listOf(objectOf({ backend: TEXT, tool: { type: 'object' } })),
    }),
    async run({ core }, { query, backend }) {
      const all = await core.directory.tools();
      const wanted = all.filter(({ namespace }) => backend === undefined || namespace === backend);
      const found = query === undefined ? wanted : searchTools(wanted, query as string);
      return {
        body: { tools: found.map(({ tool, namespace }) => ({ backend: namespace, tool })) },
      };
    },
  },
  {
    id: 'call_tool',
    method: 'POST',
    path: '/tools/{name}/call',
    summary: 'Calls a tool and waits for its result',
    description:
      'A tool that fails answers 200 with isError. What a tool asks waits at /v1/questions.',
    input: {
      properties: {
        name: { ...TEXT, description: 'As it is listed' },
        arguments: { type: 'object' },
      },
      required: ['name'],
    },
    output: RESULT,
    refusals: {
      404: 'There is no such tool',
      422: 'The backend does not take the call',
      502: 'The backend failed',
      503: 'Too many requests are in flight',
    },
    async run({ core }, { name, arguments: args = {} }, signal) {
      const listed = await core.directory.tools();
      const entry = listed.find(({ tool }) => tool.name === name);
      if (entry === undefined) throw new Refused(404, `There is no tool "${String(name)}"`);
      const caller = new ToolCaller(core, signal);
      return { body: await caller.call(entry.tool, args as Record<string, unknown>) };
    },
  },
  {
    id: 'read_artifact',
    method: 'GET',
    path: '/artifacts/{id}',
    summary: 'A part of a result that was too large to be sent with it',
    input: {
      properties: { id: { ...TEXT, description: 'What follows mcpx://artifacts/ in its link' } },
      required: ['id'],
    },
    output: objectOf({ contents: listOf({ type: 'object' }) }),
    refusals: { 404: 'There is no such artifact, or it is over' },
    async run({ core }, { id }, signal) {
      const caller = new ToolCaller(core, signal);
      return { body: await caller.read(`mcpx://artifacts/${id as string}`) };
    },
  },
];
