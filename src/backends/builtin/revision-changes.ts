/** `revision_changes`: what changed between these revisions? */
import type { Revision } from '../../../generated/revisions.js';
import type { LocalBackend } from '../local/backend.js';
import { diff, type Diff, type FieldChange } from '../../audit/reports.js';
import { REVISION_NAMES, REVISION_SCHEMA } from './revisions.js';

export function addRevisionChanges(backend: LocalBackend): void {
  backend.addTool(
    {
      name: 'revision_changes',
      title: 'What changed between two revisions?',
      description:
        'Methods that came and went between two revisions of the Model Context Protocol, and the ' +
        'fields of the messages that both have: added, removed, required, typed otherwise.',
      inputSchema: {
        type: 'object',
        properties: {
          from: { ...REVISION_SCHEMA, description: 'The older revision' },
          to: { ...REVISION_SCHEMA, description: 'The newer revision' },
          method: { type: 'string', description: 'Only what concerns this method' },
        },
        required: ['from', 'to'],
      },
      outputSchema: {
        type: 'object',
        properties: {
          from: REVISION_SCHEMA,
          to: REVISION_SCHEMA,
          methods: { type: 'array', items: { type: 'object' } },
          messages: { type: 'array', items: { type: 'object' } },
        },
        required: ['from', 'to', 'methods', 'messages'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args) => {
      const { from, to, method } = args as { from: Revision; to: Revision; method?: string };
      if (REVISION_NAMES.indexOf(from) >= REVISION_NAMES.indexOf(to)) {
        throw new Error(`from (${from}) has to be older than to (${to})`);
      }
      const changes = about(diff(from, to), method);
      return {
        content: [{ type: 'text', text: inWords(from, to, changes) }],
        structuredContent: { from, to, ...changes },
      };
    },
  );
}

function about(
  { methods, messages }: Diff,
  method: string | undefined,
): Pick<Diff, 'methods' | 'messages'> {
  if (method === undefined) return { methods, messages };
  return {
    methods: methods.filter((change) => change.method === method),
    messages: messages.filter((message) => message.method === method),
  };
}

function inWords(
  from: Revision,
  to: Revision,
  { methods, messages }: Pick<Diff, 'methods' | 'messages'>,
): string {
  if (methods.length + messages.length === 0) return `Nothing changed from ${from} to ${to}.`;
  return [
    `From ${from} to ${to}:`,
    ...methods.map(({ method, change, was, now }) => `${method}: ${change} (${now ?? was ?? ''})`),
    ...messages.flatMap(({ method, part, changes }) => [
      `${method}, ${part}:`,
      ...changes.map((change) => `  ${changeInWords(change)}`),
    ]),
  ].join('\n');
}

function changeInWords({ path, kind, was, now }: FieldChange): string {
  const where = path === '' ? 'itself' : path;
  if (was !== undefined && now !== undefined) return `${where}: ${kind}, ${was} → ${now}`;
  return `${where}: ${kind} (${now ?? was ?? ''})`;
}
