/** Tables in Markdown, so that they can go into docs/performance.md as they are. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** A figure of the run against what it should be. */
export interface Aim {
  readonly what: string;
  readonly figure: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function aimsTable(aims: readonly Aim[]): string {
  return table(
    ['aim', 'wanted', 'measured', ''],
    aims.map(({ what, figure, atLeast, atMost }) => {
      const met = figure >= (atLeast ?? -Infinity) && figure <= (atMost ?? Infinity);
      const wanted = atLeast === undefined ? `≤ ${atMost ?? ''}` : `≥ ${atLeast}`;
      return [what, wanted, figure.toFixed(2), met ? 'met' : 'MISSED'];
    }),
  );
}
