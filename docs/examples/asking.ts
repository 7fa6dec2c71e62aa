import { createServer } from 'mcpx';

const branches = new Set(['main', 'old-idea', 'spike']);

const server = createServer({ name: 'branches', version: '1.0.0' });

server.tool(
  {
    name: 'delete_branch',
    description: 'Deletes a branch, if the user agrees.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
    annotations: { destructiveHint: true },
  },
  async ({ name }, ctx) => {
    const branch = String(name);
    if (!branches.has(branch)) throw new Error(`There is no branch ${branch}.`);
    // In whatever way the client's revision has for it; the handler waits for the answer.
    const { action, content } = await ctx.elicit({
      message: `Delete ${branch}?`,
      requestedSchema: {
        type: 'object',
        properties: { sure: { type: 'boolean', title: 'I am sure' } },
        required: ['sure'],
      },
    });
    if (action !== 'accept' || content?.['sure'] !== true) return `${branch} stays.`;
    branches.delete(branch);
    return `${branch} is gone.`;
  },
);

await server.stdio();
