/** `field_history`: since when does this field exist? */
import type { LocalBackend } from '../local/backend.js';
import { changesIn, findHistory, type Found } from '../../audit/history.js';

/** More would be a list nobody reads; the matrix is a resource. */
const MOST = 50;

export function addFieldHistory(backend: LocalBackend): void {
  backend.addTool(
    {
      name: 'field_history',
      title: 'Since when does this exist?',
      description:
        'Since when, and until when, a field, a definition or a method of the Model Context Protocol ' +
        'exists, and whether it is required. Finds `Tool.icons`, `icons`, `Tool`, `tools/list`.',
      inputSchema: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            minLength: 1,
            description: 'A field, alone or after its definition; a definition; or a method',
          },
        },
        required: ['name'],
      },
      outputSchema: {
        type: 'object',
        properties: {
          found: { type: 'array', items: { type: 'object' } },
          left: { type: 'integer', description: 'How many more there are' },
        },
        required: ['found', 'left'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ name }) => {
      const all = findHistory(String(name));
      const found = all.slice(0, MOST);
      const left = all.length - found.length;
      return {
        content: [{ type: 'text', text: inWords(String(name), found, left) }],
        structuredContent: { found, left },
      };
    },
  );
}

function inWords(name: string, found: readonly Found[], left: number): string {
  if (found.length === 0) return `No revision has a field, a definition or a method "${name}".`;
  const lines = found.map(({ name: full, kind, since, until, in: by }) => {
    const end = until === undefined ? '' : `, gone in ${until}`;
    const detail = by === undefined ? [] : changesIn(by);
    return [`${full} (${kind}): since ${since}${end}`, ...detail].join('\n');
  });
  if (left > 0) lines.push(`… and ${left} more`);
  return lines.join('\n');
}
