/**
 * Runs the official suite against mcpx, every requirement set: its server leg against every target, and
 * its client leg, in which mcpx is the gateway to the suite's own servers (target `client`).
 *
 *   npm run conformance -- [--target NAME] [--set REVISION] [--summary FILE] [--keep DIR]
 *
 * Ends with 1 on a failure that test/conformance/expected-failures.yaml does not name, and on an entry
 * there that no longer fails. `--summary` writes the counts as JSON, `--keep` leaves the suite's output.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENT_TARGET, runClientSuite } from '../test/conformance/client-suite.js';
import { judge, parseExpectedFailures } from '../test/conformance/expected.js';
import { complaints, summarise, table } from '../test/conformance/report.js';
import { REQUIREMENT_SETS, runSuite, type ScenarioRun } from '../test/conformance/suite.js';
import { TARGETS } from '../test/conformance/targets.js';

const EXPECTED = new URL('../test/conformance/expected-failures.yaml', import.meta.url);

const { values: options } = parseArgs({
  options: {
    target: { type: 'string' },
    set: { type: 'string' },
    summary: { type: 'string' },
    keep: { type: 'string' },
  },
});
const targets = TARGETS.filter(({ name }) => (options.target ?? name) === name);
const asClient = (options.target ?? CLIENT_TARGET) === CLIENT_TARGET;
const sets = REQUIREMENT_SETS.filter((set) => (options.set ?? set) === set);
if ((targets.length === 0 && !asClient) || sets.length === 0) {
  throw new Error(
    `--target takes ${[...TARGETS.map(({ name }) => name), CLIENT_TARGET].join(' or ')}, --set ${REQUIREMENT_SETS.join(' or ')}`,
  );
}

const known = parseExpectedFailures(await readFile(EXPECTED, 'utf8'));
const output = options.keep ?? (await mkdtemp(join(tmpdir(), 'mcpx-conformance-')));
const runs: ScenarioRun[] = [];
try {
  for (const target of targets) {
    const server = await target.start();
    try {
      for (const set of sets) {
        const folder = resolve(output, target.name, set);
        await mkdir(folder, { recursive: true });
        runs.push(...(await runSuite(target.name, server.url, set, folder)));
      }
    } finally {
      await server.stop();
      if (options.keep) await writeFile(join(output, `${target.name}.log`), server.output());
    }
  }
  for (const set of asClient ? sets : []) {
    runs.push(...(await runClientSuite(set, resolve(output, CLIENT_TARGET, set))));
  }
} finally {
  if (options.keep === undefined) await rm(output, { recursive: true });
}

const verdict = judge(runs, known);
const summary = summarise(runs, verdict);
const trouble = complaints(verdict);
console.log(table(runs, verdict));
if (trouble.length > 0) console.log(`\nNot as expected:\n${trouble.join('\n')}`);
console.log(
  `\n${summary.passed} scenarios passed, ${summary.failed} failed, ` +
    `${summary.expected} failed as expected, ${summary.skipped} skipped, ` +
    `${summary.unscored} went well without being scored`,
);
if (options.summary) await writeFile(options.summary, `${JSON.stringify(summary)}\n`);
if (trouble.length > 0) process.exitCode = 1;
