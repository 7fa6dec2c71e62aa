/** What a client has to have declared to be asked a question (client/elicitation, sampling, roots). */
import type { ClientCapabilities } from '../../generated/newest/types.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { Question } from '../backends/context.js';

/** What is missing, in the form of `ClientCapabilities`; undefined where the client can be asked. */
export function missingFor(
  question: Question,
  capabilities: ClientCapabilities,
): Record<string, unknown> | undefined {
  switch (question.method) {
    case 'elicitation/create':
      return missingElicitation(question.params, capabilities.elicitation);
    case 'sampling/createMessage':
      return missingSampling(question.params, capabilities.sampling);
    case 'roots/list':
      return isObject(capabilities.roots) ? undefined : { roots: {} };
  }
}

/** An empty `elicitation` means forms (2025-11-25, client/elicitation). */
function missingElicitation(
  params: { mode?: string },
  declared: unknown,
): Record<string, unknown> | undefined {
  const mode = params.mode ?? 'form';
  if (isObject(declared)) {
    if (mode in declared) return undefined;
    if (mode === 'form' && !('url' in declared)) return undefined;
  }
  return { elicitation: { [mode]: {} } };
}

function missingSampling(
  { tools, toolChoice }: { tools?: unknown; toolChoice?: unknown },
  declared: unknown,
): Record<string, unknown> | undefined {
  if (!isObject(declared)) return { sampling: {} };
  const needsTools = tools !== undefined || toolChoice !== undefined;
  return needsTools && !isObject(declared['tools']) ? { sampling: { tools: {} } } : undefined;
}
