/** The operations as tools, for whoever lets models look after mcpx. */
import type { LocalBackend } from '../backends/local/backend.js';
import { inputSchema, type House } from './operation.js';
import { OPERATIONS } from './operations.js';

/** Under which they are mounted: `v1_get_health`. */
export const OPERATIONS_NAMESPACE = 'v1';

export function addOperationTools(backend: LocalBackend, house: House): void {
  for (const operation of OPERATIONS) {
    const { id, method, summary, description, input, output } = operation;
    backend.addTool(
      {
        name: id,
        title: summary,
        description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
        inputSchema: inputSchema(input),
        outputSchema: output,
        annotations: { readOnlyHint: method === 'GET', openWorldHint: id === 'call_tool' },
      },
      // A refusal becomes a failed result, which a model can act upon.
      async (args, { signal }) => ({
        structuredContent: (await operation.run(house, args, signal)).body,
      }),
      { verbatim: true },
    );
  }
}
