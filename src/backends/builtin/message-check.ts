/** `check_message`: is this message valid for that revision? */
import { METHODS } from '../../../generated/methods.js';
import type { Revision } from '../../../generated/revisions.js';
import { loadChecker, type Checker } from '../../edge/check.js';
import type { Outgoing, Violation } from '../../edge/contract.js';
import { parseJson, plainNumbers } from '../../protocol/json.js';
import { sortFrame } from '../../protocol/jsonrpc.js';
import type { LocalBackend } from '../local/backend.js';
import { REVISION_SCHEMA } from './revisions.js';

interface Args {
  revision: Revision;
  message: string | Record<string, unknown>;
  method?: string;
  sender?: 'server' | 'client';
}

let checker: Promise<Checker> | undefined;

export function addMessageCheck(backend: LocalBackend): void {
  backend.addTool<Record<string, unknown>>(
    {
      name: 'check_message',
      title: 'Is this message valid?',
      description:
        'Whether a JSON-RPC message of the Model Context Protocol is valid for a revision, strictly: ' +
        'by its schema, without fields that only other revisions define, with embedded schemas that ' +
        'are JSON Schema.',
      inputSchema: {
        type: 'object',
        properties: {
          revision: { ...REVISION_SCHEMA, description: 'The revision it is sent to' },
          message: { type: ['object', 'string'], description: 'The message, or its text' },
          method: { type: 'string', description: 'Of a response: the method it answers' },
          sender: {
            type: 'string',
            enum: ['server', 'client'],
            description: 'Who sends it; found out from the method where that leaves no doubt',
          },
        },
        required: ['revision', 'message'],
      },
      outputSchema: {
        type: 'object',
        properties: {
          valid: { type: 'boolean' },
          problems: { type: 'array', items: { type: 'object' } },
        },
        required: ['valid', 'problems'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (args) => {
      const problems = await problemsOf(args as unknown as Args);
      const valid = problems.length === 0;
      return {
        content: [{ type: 'text', text: valid ? 'Valid.' : problems.map(inWords).join('\n') }],
        structuredContent: { valid, problems },
      };
    },
  );
}

type Problem = Pick<Violation, 'pointer' | 'message' | 'kind'>;

async function problemsOf(args: Args): Promise<Problem[]> {
  const frame = plainNumbers(
    typeof args.message === 'string' ? parsed(args.message) : args.message,
  );
  const outgoing = outgoingOf(args, frame);
  const check = await (checker ??= loadChecker());
  return check(outgoing, frame).map(({ pointer, message, kind }) => ({ pointer, message, kind }));
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`message is not JSON: ${(error as Error).message}`);
  }
}

/** Throws where the answer to a response, or its sender, has to be told. */
function outgoingOf({ revision, method, sender }: Args, frame: unknown): Outgoing {
  const sorted = sortFrame(frame);
  if (sorted.kind === 'invalid') {
    return { revision, sender: sender ?? 'server', kind: 'request', method };
  }
  if (sorted.kind !== 'response') {
    const own = sorted.frame.method;
    const senders = METHODS[revision][own]?.senders ?? [];
    return { revision, sender: sender ?? senders[0] ?? 'server', kind: sorted.kind, method: own };
  }
  if ('error' in sorted.frame)
    return { revision, sender: sender ?? 'server', kind: 'error', method };
  if (method === undefined) {
    throw new Error('method is missing: a result is judged by the method it answers');
  }
  const asks = METHODS[revision][method]?.senders[0] ?? 'client';
  const answers = asks === 'client' ? 'server' : 'client';
  return { revision, sender: sender ?? answers, kind: 'result', method };
}

function inWords({ pointer, message, kind }: Problem): string {
  return `${pointer || '/'}: ${message} [${kind}]`;
}
