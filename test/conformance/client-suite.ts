/** Runs the client leg of the official suite: its servers behind mcpx, one scenario after the other. */
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.js';
import {
  SHIM,
  SUITE,
  requiredScenarios,
  type Check,
  type RequirementSet,
  type ScenarioRun,
} from './suite.js';

export const CLIENT_TARGET = 'client';

/** The suite splits the command at spaces, runs it in its own folder, and waits for what `exec` starts. */
const UNDER_TEST = fileURLToPath(new URL('./client/through-gateway.ts', import.meta.url));
const COMMAND = `exec ${process.execPath} --import tsx ${UNDER_TEST}`;
const SCENARIO_TIMEOUT_MS = 60_000;

/** What mcpx does not do as a client: it is given tokens, and gets none. */
const LEFT_OUT = /^(?:auth\/|sep-2640-)/;

/** Every scenario of the set but those of authorization; one that left no result has no checks. */
export async function runClientSuite(
  set: RequirementSet,
  outputDir: string,
): Promise<ScenarioRun[]> {
  const required = await requiredScenarios(set, 'client');
  const runs: ScenarioRun[] = [];
  for (const { scenario, scored } of required) {
    if (LEFT_OUT.test(scenario)) continue;
    const folder = join(outputDir, scenario);
    await mkdir(folder, { recursive: true });
    const suite = startChild(
      process.execPath,
      [
        ...['--no-warnings', '--import', SHIM, join(SUITE, 'dist/index.js'), 'client'],
        ...['--command', COMMAND, '--scenario', scenario, '--spec-version', set, '--force'],
        ...['-o', folder],
      ],
      { timeoutMs: SCENARIO_TIMEOUT_MS },
    );
    await suite.exited;
    runs.push({ scenario, target: CLIENT_TARGET, set, scored, checks: await checksIn(folder) });
  }
  return runs;
}

async function checksIn(folder: string): Promise<Check[]> {
  const [run] = await readdir(folder);
  if (run === undefined) return [];
  const text = await readFile(join(folder, run, 'checks.json'), 'utf8').catch(() => '[]');
  return JSON.parse(text) as Check[];
}
