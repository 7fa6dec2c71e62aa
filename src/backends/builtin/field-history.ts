/** `field_history`: since when does this field exist? */
import type { LocalBackend } from '../local/backend.js';
import { matrix, type Lifetime } from './reports.js';

interface Found extends Lifetime {
  /** `Tool.icons`, `Tool`, `tools/list`. */
  name: string;
  kind: 'field' | 'definition' | 'method';
  /** By revision: `required string`. */
  in?: Record<string, string>;
}

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
      const all = find(String(name));
      const found = all.slice(0, MOST);
      const left = all.length - found.length;
      return {
        content: [{ type: 'text', text: inWords(String(name), found, left) }],
        structuredContent: { found, left },
      };
    },
  );
}

/** The name itself; else fields of that name in any definition; else names that hold it somewhere. */
function find(name: string): Found[] {
  const all = everything();
  const exact = all.filter((found) => found.name === name);
  if (exact.length > 0) return exact;
  const wanted = name.toLowerCase();
  const last = all.filter((found) => found.name.toLowerCase().split('.').at(-1) === wanted);
  return last.length > 0 ? last : all.filter((found) => found.name.toLowerCase().includes(wanted));
}

function everything(): Found[] {
  const { definitions, methods } = matrix();
  const found: Found[] = [];
  for (const [name, { since, until, in: by }] of Object.entries(methods)) {
    found.push({ name, kind: 'method', ...lifetime({ since, until }), in: by });
  }
  for (const [definition, row] of Object.entries(definitions)) {
    found.push({ name: definition, kind: 'definition', ...lifetime(row) });
    for (const [path, field] of Object.entries(row.fields)) {
      found.push({
        name: `${definition}.${path}`,
        kind: 'field',
        ...lifetime(field),
        in: Object.fromEntries(
          Object.entries(field.in).map(([revision, { required, type }]) => [
            revision,
            `${required ? 'required' : 'optional'} ${type}`,
          ]),
        ),
      });
    }
  }
  return found;
}

function lifetime({
  since,
  until,
}: {
  since: Lifetime['since'];
  until?: Lifetime['until'];
}): Lifetime {
  return until === undefined ? { since } : { since, until };
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

/** One line where what is said of it changes. */
function changesIn(by: Record<string, string>): string[] {
  const lines: string[] = [];
  let before: string | undefined;
  for (const [revision, text] of Object.entries(by)) {
    if (text !== before) lines.push(`  ${revision}: ${text}`);
    before = text;
  }
  return lines;
}
