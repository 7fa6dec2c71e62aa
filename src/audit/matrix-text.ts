/** Fields against revisions, as a table for a terminal or as Markdown. */
import { matrix, type FieldRow, type Matrix } from './reports.js';

/** The whole matrix, or what concerns a method: its row, and the definitions that its messages are made of. */
export function matrixOf(method?: string): Matrix {
  const all = matrix();
  if (method === undefined) return all;
  const { revisions, definitions, methods } = all;
  return {
    revisions,
    methods: Object.fromEntries(Object.entries(methods).filter(([name]) => name === method)),
    definitions: Object.fromEntries(
      Object.entries(definitions).filter(([, { carriers }]) => method in carriers),
    ),
  };
}

/** `req` and `opt`; `*`: not the type of the last column. */
export function matrixAsText(data: Matrix): string {
  const rows = rowsOf(data);
  const widths = (rows[0] ?? []).map((_cell, at) =>
    Math.max(...rows.map((cells) => (cells[at] ?? '').length)),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

export function matrixAsMarkdown(data: Matrix): string {
  const [head = [], ...rows] = rowsOf(data);
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function rowsOf({ revisions, definitions, methods }: Matrix): string[][] {
  return [
    ['', ...revisions, 'type'],
    ...Object.entries(methods).map(([name, row]) => [
      name,
      ...revisions.map((revision) => (revision in row.in ? 'yes' : '-')),
      Object.values(row.in).at(-1) ?? '',
    ]),
    ...Object.entries(definitions).flatMap(([name, { fields }]) =>
      Object.entries(fields).map(([path, field]) => {
        const latest = Object.values(field.in).at(-1)?.type ?? '';
        const cells = revisions.map((revision) => cell(field.in[revision], latest));
        return [`${name}.${path}`, ...cells, latest];
      }),
    ),
  ];
}

function cell(here: FieldRow['in'][string] | undefined, latest: string): string {
  if (here === undefined) return '-';
  return `${here.required ? 'req' : 'opt'}${here.type === latest ? '' : '*'}`;
}
