/**
 * `npm test`: everything that has to hold, one real child process a stage. A stage that fails does not
 * keep the others from running. The last line is the sum: `N passed, N failed[, N skipped]`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const results = mkdtempSync(join(tmpdir(), 'mcpx-test-'));
const PARITY = 'test/codegen/parity.test.ts';

/** `count` reads what a stage left behind; a stage without it counts as one. */
const stages = [
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'typecheck', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'generated', command: ['npm', 'run', '--silent', 'codegen', '--', '--check'] },
  vitest('parity', [PARITY]),
  vitest('tests', ['--exclude', PARITY]),
  {
    name: 'conformance',
    command: ['npm', 'run', '--silent', 'conformance', '--', '--summary', resultsOf('conformance')],
    count: conformanceCounts,
  },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
try {
  for (const { name, command, count } of stages) {
    console.log(`\n── ${name}`);
    const started = Date.now();
    const succeeded = await run(command);
    const counts = countsOf(name, succeeded, count);
    for (const key of Object.keys(total)) total[key] += counts[key];
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    lines.push(
      `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${print(counts)} (${seconds} s)`,
    );
  }
} finally {
  rmSync(results, { recursive: true });
}
console.log(`\n${lines.join('\n')}\n\n${print(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function vitest(name, args) {
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultsOf(name)}`,
  ];
  return { name, command: ['npx', 'vitest', 'run', ...reporters, ...args], count: vitestCounts };
}

function resultsOf(stage) {
  return join(results, `${stage}.json`);
}

function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
}

function countsOf(name, succeeded, count) {
  const one = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  if (count === undefined) return one;
  let counts;
  try {
    counts = count(JSON.parse(readFileSync(resultsOf(name), 'utf8')));
  } catch (error) {
    console.error(`${name} left no results: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // A run can go wrong outside of what it counts.
  return succeeded ? counts : { ...counts, failed: Math.max(counts.failed, 1) };
}

function vitestCounts({
  numPassedTests,
  numFailedTests,
  numPendingTests,
  numTodoTests,
  testResults,
}) {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
  };
}

/** What fails as expected is no success, and no news. */
function conformanceCounts({ passed, failed, expected, skipped }) {
  return { passed, failed, skipped: skipped + expected };
}

function print({ passed, failed, skipped }) {
  const sum = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? sum : `${sum}, ${skipped} skipped`;
}
