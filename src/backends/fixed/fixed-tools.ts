/** The tools of the gateway itself: for clients, and models, that cannot take in the whole list of tools. */
import type { Directory, ToolEntry } from '../directory.js';
import type { LocalBackend } from '../local/backend.js';
import { unknownTool } from './unknown-tool.js';
import { searchTools } from './search.js';

/** Found tools, unless the call says how many. */
const DEFAULT_LIMIT = 20;
const MOST = 100;

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

/** `backend` has to be mounted first, so that no other tool gets these names. */
export function addFixedTools(backend: LocalBackend, directory: Directory): void {
  addListBackends(backend, directory);
  addSearchTools(backend, directory);
  addDescribeTool(backend, directory);
  addCallTool(backend, directory);
}

function addListBackends(backend: LocalBackend, directory: Directory): void {
  backend.addTool(
    {
      name: 'mcpx_list_backends',
      title: 'What is behind this server',
      description:
        'Lists the servers and services behind this one: whether each is up, what it is, how many ' +
        'tools, resources and prompts it has, and what failed last.',
      outputSchema: {
        type: 'object',
        properties: { backends: { type: 'array', items: BACKEND_SCHEMA } },
        required: ['backends'],
      },
      annotations: READ_ONLY,
    },
    async () => {
      const all = await directory.backends();
      const backends = all
        .filter(({ namespace }) => namespace !== backend.namespace)
        .map(({ namespace, state, info, revision, counts, lastError }) => ({
          namespace,
          state,
          ...(info !== undefined && { name: info.name, version: info.version }),
          ...(revision !== undefined && { revision }),
          counts,
          ...(lastError !== undefined && {
            lastError: { message: lastError.message, at: lastError.at.toISOString() },
          }),
        }));
      return { structuredContent: { backends } };
    },
  );
}

const COUNT = { type: 'integer', minimum: 0 };

const BACKEND_SCHEMA = {
  type: 'object',
  properties: {
    namespace: { type: 'string', description: 'In front of the names of its tools' },
    state: { enum: ['starting', 'up', 'down'] },
    name: { type: 'string' },
    version: { type: 'string' },
    revision: { type: 'string', description: 'Of the protocol, that it speaks' },
    counts: {
      type: 'object',
      properties: { tools: COUNT, resources: COUNT, resourceTemplates: COUNT, prompts: COUNT },
      required: ['tools', 'resources', 'resourceTemplates', 'prompts'],
    },
    lastError: {
      type: 'object',
      properties: { message: { type: 'string' }, at: { type: 'string' } },
      required: ['message', 'at'],
    },
  },
  required: ['namespace', 'state', 'counts'],
};

function addSearchTools(backend: LocalBackend, directory: Directory): void {
  backend.addTool(
    {
      name: 'mcpx_search_tools',
      title: 'Find a tool',
      description:
        'Finds tools by words in their names, titles and descriptions, the best first. Every word ' +
        'has to occur; without any, all tools are found.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'Words to look for' },
          backend: { type: 'string', description: 'Only tools of this backend' },
          limit: { type: 'integer', minimum: 1, maximum: MOST, default: DEFAULT_LIMIT },
        },
        required: ['query'],
      },
      outputSchema: {
        type: 'object',
        properties: {
          tools: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                title: { type: 'string' },
                description: { type: 'string' },
                backend: { type: 'string' },
              },
              required: ['name', 'backend'],
            },
          },
          left: { ...COUNT, description: 'How many more there are' },
        },
        required: ['tools', 'left'],
      },
      annotations: READ_ONLY,
    },
    async ({ query, backend: namespace, limit }) => {
      const tools = (await contributed(backend, directory)).filter(
        (entry) => namespace === undefined || entry.namespace === namespace,
      );
      const found = searchTools(tools, String(query));
      const shown = found.slice(0, limit === undefined ? DEFAULT_LIMIT : Number(limit));
      return {
        structuredContent: { tools: shown.map(summary), left: found.length - shown.length },
      };
    },
  );
}

function summary({ tool: { name, title, description }, namespace }: ToolEntry): object {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    backend: namespace,
  };
}

function addDescribeTool(backend: LocalBackend, directory: Directory): void {
  backend.addTool(
    {
      name: 'mcpx_describe_tool',
      title: 'How a tool is called',
      description: 'Tells all there is to know of a tool: its arguments, its results, its hints.',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', description: 'As it is listed or was found' } },
        required: ['name'],
      },
      outputSchema: {
        type: 'object',
        properties: { tool: { type: 'object' }, backend: { type: 'string' } },
        required: ['tool', 'backend'],
      },
      annotations: READ_ONLY,
    },
    async ({ name }) => {
      const tools = await contributed(backend, directory);
      const entry = tools.find(({ tool }) => tool.name === name);
      if (entry === undefined) throw unknownTool(String(name), tools);
      return { structuredContent: { tool: entry.tool, backend: entry.namespace } };
    },
  );
}

/** Without an `outputSchema`: the result is that of the other tool, as it is. */
function addCallTool(backend: LocalBackend, directory: Directory): void {
  backend.addTool(
    {
      name: 'mcpx_call_tool',
      title: 'Call a tool by its name',
      description:
        'Calls any tool of the servers and services behind this one, as if it were called directly: ' +
        'for tools that were found by mcpx_search_tools. The result is that of the tool.',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'As it is listed or was found' },
          arguments: { type: 'object', description: 'What mcpx_describe_tool says it takes' },
        },
        required: ['name'],
      },
      annotations: { openWorldHint: true },
    },
    async ({ name, arguments: args = {} }, ctx) => {
      const tools = await contributed(backend, directory);
      if (!tools.some(({ tool }) => tool.name === name)) throw unknownTool(String(name), tools);
      return directory.callTool(String(name), args as Record<string, unknown>, ctx);
    },
    { verbatim: true },
  );
}

/** All but the fixed ones. */
async function contributed(
  { namespace: own }: LocalBackend,
  directory: Directory,
): Promise<readonly ToolEntry[]> {
  return (await directory.tools()).filter(({ namespace }) => namespace !== own);
}
