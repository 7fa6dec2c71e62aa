/** Whether arguments fit the `inputSchema` of a tool as it is listed. */
import type { Tool } from '../backends/backend.js';
import { UnusableSchema, schemaFault } from '../backends/json-schema.js';
import type { Diagnostics } from '../protocol/diagnostics.js';
import { RpcError } from '../protocol/errors.js';

/**
 * What is wrong with them, in words; undefined if nothing is. Throws `RpcError` `internal` for a schema
 * that cannot be used: it takes down its own tool and no other.
 */
export function argumentsFault(
  diagnostics: Diagnostics,
  { name, inputSchema }: Tool,
  args: Record<string, unknown>,
): string | undefined {
  try {
    return schemaFault(inputSchema, args);
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error;
    diagnostics.note('input-schema-unusable', { tool: name, why: error.message });
    const message = `The inputSchema of tool ${name} cannot be used: ${error.message}`;
    throw new RpcError('internal', message);
  }
}
