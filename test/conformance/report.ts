/** The outcome of all runs for a person: scenario × target, then what was not expected. */
import { failuresOf, type Failure, type Verdict } from './expected.js';
import type { Check, ScenarioRun } from './suite.js';

/** Scenario runs, counted as tests are. */
export interface Summary {
  /** Scored by the suite, and nothing failed. */
  readonly passed: number;
  readonly failed: number;
  /** Failed as expected. */
  readonly expected: number;
  /** Nothing in the scenario applied to the target. */
  readonly skipped: number;
  /** Nothing failed, but the suite does not score it. */
  readonly unscored: number;
}

export function summarise(runs: readonly ScenarioRun[], verdict: Verdict): Summary {
  const failed = new Set([
    ...verdict.unexpected.map(({ run }) => run),
    ...verdict.stale.map(({ run }) => run),
  ]);
  const expected = new Set(verdict.expected.map(({ run }) => run));
  const counts = { passed: 0, failed: 0, expected: 0, skipped: 0, unscored: 0 };
  for (const run of runs) {
    if (failed.has(run)) counts.failed++;
    else if (expected.has(run)) counts.expected++;
    else if (run.checks.every(({ status }) => status === 'SKIPPED')) counts.skipped++;
    else if (run.scored) counts.passed++;
    else counts.unscored++;
  }
  return counts;
}

/** One line a scenario, one column a target and revision: checks passed / checks that could have. */
export function table(runs: readonly ScenarioRun[], verdict: Verdict): string {
  const unexpected = new Set(verdict.unexpected.map(({ run }) => run));
  const columns = unique(runs.map(columnOf));
  const rows = unique(runs.map(({ scenario }) => scenario)).map((scenario) => {
    const ofScenario = runs.filter((run) => run.scenario === scenario);
    const cells = columns.map((column) => {
      const run = ofScenario.find((candidate) => columnOf(candidate) === column);
      return run === undefined ? '' : cell(run, unexpected.has(run));
    });
    return [ofScenario.some(({ scored }) => scored) ? scenario : `(${scenario})`, ...cells];
  });
  const totals = columns.map((column) => {
    const scored = runs.filter((run) => run.scored && columnOf(run) === column);
    return `${scored.filter((run) => failuresOf(run).length === 0).length}/${scored.length}`;
  });
  return layOut([['scenario (not scored)', ...columns], ...rows, ['scored scenarios', ...totals]]);
}

export function complaints({ unexpected, stale }: Verdict): string[] {
  return [
    ...unexpected.map(describe),
    ...stale.map(
      ({ entry, run }) => `${entry} is expected to fail, but passes with ${columnOf(run)}`,
    ),
  ];
}

export function describe({ run, check, message }: Failure): string {
  return `${run.scenario}:${check} with ${columnOf(run)}\n    ${message}`;
}

function columnOf({ target, set }: ScenarioRun): string {
  return `${target} ${set}`;
}

function cell(run: ScenarioRun, unexpected: boolean): string {
  const of = (...statuses: Check['status'][]): number =>
    run.checks.filter(({ status }) => statuses.includes(status)).length;
  const passed = of('SUCCESS');
  const counted = passed + of('FAILURE', 'WARNING');
  if (counted === 0 && run.checks.length > 0) return of('SKIPPED') > 0 ? 'skipped' : 'info';
  const score = run.checks.length === 0 ? 'nothing' : `${passed}/${counted}`;
  if (failuresOf(run).length === 0) return score;
  return `${score} ${unexpected ? 'FAILED' : 'expected'}`;
}

function layOut(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = rows[0]?.map((_, column) => widthOf(column)) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
