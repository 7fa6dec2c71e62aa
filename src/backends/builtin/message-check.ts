/** `check_message`: is this message valid for that revision? */
import type { Revision } from '../../../generated/revisions.js';
import { outgoingOf } from '../../audit/message.js';
import { loadChecker, type Checker } from '../../edge/check.js';
import type { Violation } from '../../edge/contract.js';
import { isDeeperThan } from '../../protocol/depth.js';
import { parseJson, plainNumbers } from '../../protocol/json.js';
import type { LocalBackend } from '../local/backend.js';
import { REVISION_SCHEMA } from './revisions.js';

interface Args {
  revision: Revision;
  message: string | Record<string, unknown>;
  method?: string;
  sender?: 'server' | 'client';
}

/** A message can be wrong in as many places as it has; nobody reads more. */
const MOST = 100;
/** Levels of nesting. More than mcpx takes of any client, so nothing that is sent has them. */
const DEEPEST = 256;

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
          left: { type: 'integer', description: 'How many more there are' },
        },
        required: ['valid', 'problems', 'left'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (args) => {
      const all = await problemsOf(args as unknown as Args);
      const problems = all.slice(0, MOST);
      const left = all.length - problems.length;
      return {
        content: [{ type: 'text', text: verdict(problems, left) }],
        structuredContent: { valid: all.length === 0, problems, left },
      };
    },
  );
}

type Problem = Pick<Violation, 'pointer' | 'message' | 'kind'>;

async function problemsOf(args: Args): Promise<Problem[]> {
  const given = typeof args.message === 'string' ? parsed(args.message) : args.message;
  if (isDeeperThan(given, DEEPEST)) {
    throw new Error(`message nests deeper than ${DEEPEST} levels`);
  }
  const frame = plainNumbers(given);
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

function verdict(problems: readonly Problem[], left: number): string {
  if (problems.length === 0) return 'Valid.';
  const lines = problems.map(inWords);
  return (left === 0 ? lines : [...lines, `… and ${left} more`]).join('\n');
}

function inWords({ pointer, message, kind }: Problem): string {
  return `${pointer || '/'}: ${message} [${kind}]`;
}
