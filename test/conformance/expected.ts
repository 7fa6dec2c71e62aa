/** What is known to fail, and whether a run went as expected. */
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { ScenarioRun } from './suite.js';

/** A scenario, or one check of it; written `scenario` or `scenario:check`, as the suite does. */
export interface ExpectedFailure {
  readonly target: string;
  readonly entry: string;
  readonly scenario: string;
  readonly check?: string;
}

export interface Failure {
  readonly run: ScenarioRun;
  readonly check: string;
  readonly message: string;
}

export interface Verdict {
  /** Failures and warnings that no entry names. */
  readonly unexpected: readonly Failure[];
  readonly expected: readonly Failure[];
  /** Runs in which something was to fail and did not. */
  readonly stale: readonly { readonly entry: string; readonly run: ScenarioRun }[];
}

/** Issues are named as they are everywhere else: `#4`. */
const ISSUE = /#\d+/;

/** Throws if a target has no list, or if an entry does not name in its comment the issue that will mend it. */
export function parseExpectedFailures(text: string): ExpectedFailure[] {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  if (document.contents === null) return [];
  if (!isMap(document.contents)) throw new Error('expected failures: lists by target are expected');
  return document.contents.items.flatMap(({ key, value }) => entriesOf(String(key), value));
}

function entriesOf(target: string, list: unknown): ExpectedFailure[] {
  if (isScalar(list) && list.value === null) return [];
  if (!isSeq(list)) throw new Error(`expected failures: /${target} has to be a list`);
  return list.items.map((item, index) => {
    if (!isScalar(item) || typeof item.value !== 'string') {
      throw new Error(`expected failures: /${target}/${index} has to be a string`);
    }
    if (!ISSUE.test(item.comment ?? '')) {
      throw new Error(
        `expected failures: ${item.value} needs a comment with the issue, as in # #4`,
      );
    }
    const [scenario = '', check] = item.value.split(':');
    return { target, entry: item.value, scenario, check };
  });
}

/** Checks by worst outcome: an id may come more than once in a scenario. A scenario without checks failed. */
export function failuresOf(run: ScenarioRun): Failure[] {
  if (run.checks.length === 0) {
    return [{ run, check: 'no-result', message: 'the scenario left no result' }];
  }
  const failures = new Map<string, Failure>();
  for (const { id, status, errorMessage } of run.checks) {
    if (status !== 'FAILURE' && status !== 'WARNING') continue;
    failures.set(id, {
      run,
      check: id,
      message: `${status}: ${errorMessage ?? 'no reason given'}`,
    });
  }
  return [...failures.values()];
}

/**
 * An entry has to fail in every run of its scenario with its target, so that it goes as soon as it is
 * mended for one revision. An entry that no run was made for is no news.
 */
export function judge(runs: readonly ScenarioRun[], known: readonly ExpectedFailure[]): Verdict {
  const unexpected: Failure[] = [];
  const expected: Failure[] = [];
  const stale: { entry: string; run: ScenarioRun }[] = [];
  for (const run of runs) {
    const entries = known.filter(
      ({ target, scenario }) => target === run.target && scenario === run.scenario,
    );
    const failures = failuresOf(run);
    for (const failure of failures) {
      const named = entries.some(({ check }) => check === undefined || check === failure.check);
      (named ? expected : unexpected).push(failure);
    }
    for (const { entry, check } of entries) {
      const failed = failures.some((failure) => check === undefined || check === failure.check);
      if (!failed) stale.push({ entry, run });
    }
  }
  return { unexpected, expected, stale };
}
