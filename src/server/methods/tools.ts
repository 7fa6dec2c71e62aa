/** `tools/list` and `tools/call`. */
import { FACTS } from '../../../generated/facts.js';
import type { CallToolResult } from '../../../generated/newest/types.js';
import { ArgumentsRefused, type Bare } from '../../backends/backend.js';
import { RpcError, invalidParams } from '../../protocol/errors.js';
import { argumentsFault } from '../arguments.js';
import type { Call } from '../call.js';
import { callEntry } from '../call-entry.js';
import type { Items, Listing } from '../catalog/listing.js';
import { checkParamHeaders } from '../mirrored-headers.js';
import { listPage } from '../pages.js';
import { becomeTaskAfter, planOf, runAsPlanned } from '../task-calls.js';
import { elsewhere, type MethodFamily, type Outcome, type Serving } from '../serving.js';

export const tools: MethodFamily = {
  'tools/list': {
    needs: 'tools',
    handle: (serving, call) => listPage(serving, call, 'tools'),
  },
  'tools/call': {
    needs: 'tools',
    handle(serving, call) {
      const listing = serving.catalog.list('tools');
      return listing instanceof Promise
        ? listing.then((built) => callTool(serving, call, built))
        : callTool(serving, call, listing);
    },
  },
};

function callTool(
  serving: Serving,
  call: Call,
  { entries }: Listing<Items['tools']>,
): Outcome | Promise<Outcome> {
  const { name, arguments: given } = call.params as {
    name: string;
    arguments?: Record<string, unknown>;
  };
  const entry = entries.get(name);
  if (entry === undefined) throw invalidParams(`Unknown tool: ${name}`, { name });
  const args = given ?? {};
  const { headers } = call.exchange;
  if (headers !== undefined && FACTS[call.peer.revision].mirroredHeaders) {
    checkParamHeaders(entry.item.inputSchema, args, headers);
  }
  call.tool = entry.item;
  const fault =
    entry.mount.backend.judgesArguments === true
      ? undefined
      : argumentsFault(serving.diagnostics, entry.item, args);
  if (fault !== undefined) return refusedArguments(call, fault);
  const plan = planOf(serving, call, entry.item);
  if (serving.desk.resume(call)) {
    if (plan.kind === 'after') becomeTaskAfter(serving, call, plan.window);
    return elsewhere();
  }
  return runAsPlanned(serving, call, plan, () => {
    try {
      const result = callEntry(serving, entry, args, call);
      return result instanceof Promise
        ? result.catch((error: unknown) => refusedByTool(call, error))
        : result;
    } catch (error) {
      return refusedByTool(call, error);
    }
  });
}

function refusedByTool(call: Call, error: unknown): Bare<CallToolResult> {
  if (error instanceof ArgumentsRefused) return refusedArguments(call, error.message);
  throw error;
}

/** Newer revisions let the model see what was wrong, as the result of the call (server/tools). */
function refusedArguments(call: Call, fault: string): Bare<CallToolResult> {
  const text = `Invalid arguments for tool ${call.tool?.name ?? ''}: ${fault}`;
  if (!FACTS[call.peer.revision].toolInputErrorsAreResults)
    throw new RpcError('invalidParams', text);
  return { content: [{ type: 'text', text }], isError: true };
}
