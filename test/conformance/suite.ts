/** Runs the official suite's server leg against a URL, and reads what it found. */
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startChild } from './child.js';

/** The revisions the suite has a set of required scenarios for. */
export const REQUIREMENT_SETS = ['2025-11-25', '2026-07-28'] as const;
export type RequirementSet = (typeof REQUIREMENT_SETS)[number];

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** One scenario, as it went against one target on the wire of one revision. */
export interface ScenarioRun {
  readonly scenario: string;
  readonly target: string;
  readonly set: RequirementSet;
  /** Counts for the suite's pass rate; the others are run all the same. */
  readonly scored: boolean;
  readonly checks: readonly Check[];
}

interface Requirements {
  server: string[];
  client: string[];
  not_scored: { scenario: string; leg: 'server' | 'client' }[];
}

export const SUITE = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);
export const SHIM = fileURLToPath(new URL('./globsync.mjs', import.meta.url));
const SUITE_TIMEOUT_MS = 180_000;

/** `server-<scenario>-<ISO time>`, the time with dashes for what a file name may not hold. */
const OUTPUT_FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/**
 * Every scenario of the set, in the suite's order; one that left no result has no checks.
 * Throws if the suite itself did not run to its end.
 */
export async function runSuite(
  target: string,
  url: string,
  set: RequirementSet,
  outputDir: string,
): Promise<ScenarioRun[]> {
  const suite = startChild(
    process.execPath,
    [
      ...['--no-warnings', '--import', SHIM, join(SUITE, 'dist/index.js')],
      ...['server', '--url', url, '--requirements', set, '-o', outputDir],
    ],
    { timeoutMs: SUITE_TIMEOUT_MS },
  );
  const exit = await suite.exited;
  const results = await readResults(outputDir);
  // 1 is also its answer to a failed scenario, which the checks tell better.
  if ((exit.code !== 0 && exit.code !== 1) || results.size === 0) {
    throw new Error(
      `the suite ended with ${exit.signal ?? exit.code} against ${target} (${set}):\n${suite.output()}`,
    );
  }
  return (await requiredScenarios(set, 'server')).map(({ scenario, scored }) => ({
    ...{ scenario, target, set, scored },
    checks: results.get(scenario) ?? [],
  }));
}

/** Of one leg, in the suite's order. */
export async function requiredScenarios(set: RequirementSet, leg: 'server' | 'client') {
  const text = await readFile(join(SUITE, 'requirements', `${set}.yaml`), 'utf8');
  const requirements = parse(text) as Requirements;
  return [
    ...requirements[leg].map((scenario) => ({ scenario, scored: true })),
    ...requirements.not_scored
      .filter((unscored) => unscored.leg === leg)
      .map(({ scenario }) => ({ scenario, scored: false })),
  ];
}

async function readResults(outputDir: string): Promise<Map<string, Check[]>> {
  const results = new Map<string, Check[]>();
  const folders = await readdir(outputDir).catch(() => []);
  for (const folder of folders) {
    const scenario = OUTPUT_FOLDER.exec(folder)?.[1];
    if (scenario === undefined) continue;
    // A scenario that threw leaves its folder empty.
    const text = await readFile(join(outputDir, folder, 'checks.json'), 'utf8').catch(() => '[]');
    results.set(scenario, JSON.parse(text) as Check[]);
  }
  return results;
}
