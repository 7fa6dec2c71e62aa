import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { judge, parseExpectedFailures } from './expected.js';
import { summarise } from './report.js';
import type { Check, ScenarioRun } from './suite.js';

const check = (id: string, status: Check['status']): Check => ({ id, status });

function run(scenario: string, ...checks: Check[]): ScenarioRun {
  return { scenario, target: 'library', set: '2026-07-28', scored: true, checks };
}

describe('the list of expected failures', () => {
  it('reads scenarios and single checks, each with its comment', () => {
    expect(parseExpectedFailures('library:\n  - ping # #1\n  - caching:ttl # #2\n')).toEqual([
      { target: 'library', entry: 'ping', scenario: 'ping', check: undefined },
      { target: 'library', entry: 'caching:ttl', scenario: 'caching', check: 'ttl' },
    ]);
  });

  it('refuses an entry that does not name the issue that will mend it', () => {
    expect(() => parseExpectedFailures('library:\n  - ping\n')).toThrow(/ping needs a comment/);
    expect(() => parseExpectedFailures('library:\n  - ping # later\n')).toThrow(/ping needs/);
  });

  it('may be empty', () => {
    expect(parseExpectedFailures('library:\n')).toEqual([]);
    expect(parseExpectedFailures('')).toEqual([]);
  });

  it('is well formed as it stands', async () => {
    const file = new URL('./expected-failures.yaml', import.meta.url);
    expect(parseExpectedFailures(await readFile(file, 'utf8'))).toBeInstanceOf(Array);
  });
});

describe('the judgement of a conformance run', () => {
  it('finds a failure that no entry names', () => {
    const verdict = judge([run('ping', check('pong', 'FAILURE'))], []);
    expect(verdict.unexpected).toMatchObject([{ check: 'pong' }]);
    expect(verdict.stale).toEqual([]);
  });

  it('takes a warning for a failure, and skipped or informative checks for none', () => {
    const verdict = judge(
      [run('a', check('w', 'WARNING')), run('b', check('s', 'SKIPPED'), check('i', 'INFO'))],
      [],
    );
    expect(verdict.unexpected).toMatchObject([{ run: { scenario: 'a' }, check: 'w' }]);
  });

  it('takes a scenario that left no result for a failure', () => {
    expect(judge([run('ping')], []).unexpected).toHaveLength(1);
  });

  it('lets a named check fail, and no other of its scenario', () => {
    const runs = [run('ping', check('pong', 'FAILURE'), check('schema', 'FAILURE'))];
    const verdict = judge(runs, parseExpectedFailures('library:\n  - ping:pong # #1\n'));
    expect(verdict.expected).toMatchObject([{ check: 'pong' }]);
    expect(verdict.unexpected).toMatchObject([{ check: 'schema' }]);
  });

  it('lets nothing fail with one target that is known of another', () => {
    const known = parseExpectedFailures('gateway:\n  - ping # #1\n');
    const verdict = judge([run('ping', check('pong', 'FAILURE'))], known);
    expect(verdict).toMatchObject({ unexpected: [{ check: 'pong' }], stale: [] });
  });

  it('finds an entry that has nothing to excuse any more', () => {
    const runs = [run('ping', check('pong', 'SUCCESS'))];
    const verdict = judge(runs, parseExpectedFailures('library:\n  - ping # #1\n'));
    expect(verdict.stale).toMatchObject([{ entry: 'ping' }]);
  });

  it('counts scenarios as tests are counted', () => {
    const runs = [
      run('good', check('a', 'SUCCESS')),
      run('bad', check('a', 'SUCCESS'), check('b', 'FAILURE')),
      run('known', check('a', 'FAILURE')),
      run('absent', check('a', 'SKIPPED')),
      { ...run('extra', check('a', 'SUCCESS')), scored: false },
    ];
    const verdict = judge(runs, parseExpectedFailures('library:\n  - known # #1\n'));
    expect(summarise(runs, verdict)).toEqual({
      passed: 1,
      failed: 1,
      expected: 1,
      skipped: 1,
      unscored: 1,
    });
  });
});
