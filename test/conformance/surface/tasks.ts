/** Tools that run as tasks, by the names the suite asks for. */
import { setTimeout as pause } from 'node:timers/promises';
import { RpcError, type McpServer, type RequestContext } from '../../../src/index.js';

const string = { type: 'string' } as const;
const optional = { taskSupport: 'optional' } as const;
const required = { taskSupport: 'required' } as const;

/** Past the window in which a call is still answered directly, in milliseconds. */
const A_WHILE = 400;

export function declareTasks(server: McpServer): void {
  server.tool(
    {
      name: 'greet',
      description: 'Greets at once.',
      inputSchema: { type: 'object', properties: { name: string } },
    },
    ({ name }) => `Hello, ${String(name)}!`,
  );
  server.tool(
    {
      name: 'slow_compute',
      description: 'Takes its time.',
      inputSchema: {
        type: 'object',
        properties: { seconds: { type: 'number' }, label: string },
      },
      execution: optional,
    },
    async ({ seconds, label }, { signal }) => {
      await pause(Number(seconds) * 1000, undefined, { signal });
      return `Computed ${String(label)}`;
    },
  );
  server.tool(
    { name: 'failing_job', description: 'Reports an error.', execution: required },
    async (_args, { signal }) => {
      await pause(A_WHILE, undefined, { signal });
      throw new Error('The job failed, as it should');
    },
  );
  server.tool(
    { name: 'protocol_error_job', description: 'Ends with a JSON-RPC error.', execution: optional },
    async (_args, { signal }) => {
      await pause(A_WHILE, undefined, { signal });
      throw new RpcError('internal', 'The job broke, as it should');
    },
  );
  declareAskingTasks(server);
}

function declareAskingTasks(server: McpServer): void {
  server.tool(
    {
      name: 'confirm_delete',
      description: 'Asks before it deletes.',
      inputSchema: { type: 'object', properties: { filename: string } },
      execution: optional,
    },
    async ({ filename }, ctx) => {
      await pause(A_WHILE, undefined, { signal: ctx.signal });
      const yes = await ask(ctx, 'confirm', `Delete ${String(filename)}?`, 'confirm', 'boolean');
      return yes === true ? `Deleted ${String(filename)}` : 'Nothing was deleted';
    },
  );
  server.tool(
    { name: 'multi_input', description: 'Asks two things at once.', execution: optional },
    async (_args, ctx) => {
      await pause(A_WHILE, undefined, { signal: ctx.signal });
      const [name, sure] = await Promise.all([
        ask(ctx, 'name', 'Your name?', 'name', 'string'),
        ask(ctx, 'confirm', 'Are you sure?', 'confirm', 'boolean'),
      ]);
      return `${String(name)}: ${String(sure)}`;
    },
  );
  server.tool(
    { name: 'test_tool_with_task', description: 'Asks, then takes its time.', execution: required },
    async (_args, ctx) => {
      const name = await ask(ctx, 'user_name', 'Your name?', 'name', 'string');
      await pause(A_WHILE, undefined, { signal: ctx.signal });
      return `Done for ${String(name)}`;
    },
  );
}

async function ask(
  ctx: RequestContext,
  key: string,
  message: string,
  field: string,
  type: 'string' | 'boolean',
): Promise<unknown> {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [field]: type === 'string' ? { type } : { type } },
    required: [field],
  };
  const { content } = await ctx.elicit({ message, requestedSchema }, { key });
  return content?.[field];
}
