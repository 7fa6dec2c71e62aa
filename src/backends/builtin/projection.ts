/** `project_result`: what does a client of that revision get? */
import { NEWEST, type Revision } from '../../../generated/revisions.js';
import { METHODS } from '../../../generated/methods.js';
import { edgeFor } from '../../edge/edge.js';
import { stringifyJson } from '../../protocol/json.js';
import type { LocalBackend } from '../local/backend.js';
import { losses } from '../../audit/reports.js';
import { REVISION_SCHEMA } from './revisions.js';

interface Args {
  revision: Revision;
  method: string;
  result?: Record<string, unknown>;
}

export function addProjection(backend: LocalBackend): void {
  backend.addTool<Record<string, unknown>>(
    {
      name: 'project_result',
      title: 'What does an older client get?',
      description:
        'What becomes of a result of the newest shape on its way to a client of a revision, and why. ' +
        'Without a result: everything that may be said another way or left out.',
      inputSchema: {
        type: 'object',
        properties: {
          revision: { ...REVISION_SCHEMA, description: 'The revision of the client' },
          method: { type: 'string', description: 'The method that is answered, as `tools/list`' },
          result: { type: 'object', description: `A result as ${NEWEST} has it` },
        },
        required: ['revision', 'method'],
      },
      outputSchema: {
        type: 'object',
        properties: {
          result: { type: 'object' },
          changes: { type: 'array', items: { type: 'object' } },
        },
        required: ['changes'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args) => {
      const { revision, method, result } = args as unknown as Args;
      if (METHODS[NEWEST][method]?.result === undefined) {
        throw new Error(`method: ${NEWEST} has no request "${method}"`);
      }
      const changes = changesTo(revision, method);
      const projected =
        result && edgeFor(revision).result(method, result, { serverInfo: SOMEBODY });
      return {
        content: [{ type: 'text', text: inWords(projected, changes) }],
        structuredContent: { ...(projected !== undefined && { result: projected }), changes },
      };
    },
  );
}

/** Stands in the envelope of a result that is only shown. */
const SOMEBODY = { name: 'example', version: '1.0.0' };

interface Change {
  at: string;
  outcome: string;
  reason: string;
}

function changesTo(revision: Revision, method: string): Change[] {
  return losses(revision)
    .losses.filter(({ messages }) =>
      messages.some((message) => message.method === method && message.part === 'result'),
    )
    .map(({ at, outcome, reason }) => ({ at, outcome, reason }));
}

function inWords(projected: object | undefined, changes: readonly Change[]): string {
  const rules = changes.map(({ at, outcome, reason }) => `${at}: ${outcome}. ${reason}`);
  if (projected === undefined) return rules.join('\n') || 'Everything arrives as it is.';
  return stringifyJson(projected);
}
