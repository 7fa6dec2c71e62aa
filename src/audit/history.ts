/** Since when, and until when: fields, definitions and methods by name. */
import { matrix, type Lifetime } from './reports.js';

export interface Found extends Lifetime {
  /** `Tool.icons`, `Tool`, `tools/list`. */
  name: string;
  kind: 'field' | 'definition' | 'method';
  /** By revision: `required string`. */
  in?: Record<string, string>;
}

/** The name itself; else fields of that name in any definition; else names that hold it somewhere. */
export function findHistory(name: string): readonly Found[] {
  const all = everything();
  const exact = all.filter((found) => found.name === name);
  if (exact.length > 0) return exact;
  const wanted = name.toLowerCase();
  const last = all.filter((found) => found.name.toLowerCase().split('.').at(-1) === wanted);
  return last.length > 0 ? last : all.filter((found) => found.name.toLowerCase().includes(wanted));
}

let known: readonly Found[] | undefined;

/** Put together once: whoever judges a message asks for each of its faults. */
function everything(): readonly Found[] {
  return (known ??= listed());
}

function listed(): Found[] {
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

/** One line for each revision in which what is said of it changes. */
export function changesIn(by: Record<string, string>): string[] {
  const lines: string[] = [];
  let before: string | undefined;
  for (const [revision, text] of Object.entries(by)) {
    if (text !== before) lines.push(`  ${revision}: ${text}`);
    before = text;
  }
  return lines;
}
