/** `generated/projections/`: one table a revision, their form, and the index of all. */
import { readFileSync } from 'node:fs';
import type { ProjectionTable } from '../projection/table.js';
import { header } from './header.js';

const DECISIONS = 'codegen/decisions/table.ts';

export function emitProjections(tables: readonly ProjectionTable[]): Map<string, string> {
  const files = new Map<string, string>();
  const form = 'codegen/projection/table.ts';
  const formText = readFileSync(new URL('../projection/table.ts', import.meta.url), 'utf8');
  files.set('generated/projections/table.ts', header(form) + formText);
  for (const table of tables) {
    files.set(`generated/projections/${table.revision}.ts`, tableModule(table));
  }
  files.set('generated/projections/index.ts', index(tables));
  return files;
}

function tableModule(table: ProjectionTable): string {
  return [
    header('schemas/*/schema.ts', DECISIONS),
    "import type { ProjectionTable } from './table.js';",
    '',
    `export const projection: ProjectionTable = ${JSON.stringify(table, null, 2)};`,
    '',
  ].join('\n');
}

function index(tables: readonly ProjectionTable[]): string {
  const local = (revision: string): string => `r${revision.replace(/-/g, '')}`;
  return [
    header('schemas/revisions.json'),
    "import type { Revision } from '../revisions.js';",
    "import type { ProjectionTable } from './table.js';",
    ...tables.map(
      ({ revision }) => `import { projection as ${local(revision)} } from './${revision}.js';`,
    ),
    '',
    '/** From the newest shape to each revision, the newest one included. */',
    'export const PROJECTIONS: Readonly<Record<Revision, ProjectionTable>> = {',
    ...tables.map(({ revision }) => `  '${revision}': ${local(revision)},`),
    '};',
    '',
  ].join('\n');
}
