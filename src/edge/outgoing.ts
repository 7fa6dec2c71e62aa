/**
 * The one place where frames leave. Every frame becomes text here, and here alone the strict check
 * looks at it: off in production unless switched on, `error` in tests.
 */
import { stringifyJson } from '../protocol/json.js';
import type { Outgoing, OutgoingCheckMode, Violation } from './contract.js';

/** Names the mode for a process that nobody can call `setOutgoingCheck` in. */
const ENVIRONMENT = 'MCPX_CHECK_OUTGOING';
const MODES: readonly string[] = ['off', 'warn', 'error'] satisfies OutgoingCheckMode[];

type Check = (outgoing: Outgoing, text: string) => void;

let check: Check | undefined;
let reported = new Map<string, number>();

/** The frame as it goes on the wire. In mode `error`, throws an `Error` that names every violation. */
export function encode(outgoing: Outgoing, frame: object): string {
  const text = stringifyJson(frame);
  if (check !== undefined) check(outgoing, text);
  return text;
}

/**
 * A result as the text that goes behind `"result":`, for one that is sent many times and serialised
 * once. Checked as `encode` checks a frame that carries it.
 */
export function encodeResult(outgoing: Outgoing, result: object): string {
  const text = stringifyJson(result);
  if (check !== undefined) check(outgoing, `{"jsonrpc":"2.0","id":0,"result":${text}}`);
  return text;
}

/**
 * Switches the check for the whole process; resolves when the validators are there. Until then frames
 * are kept, and checked as soon as they are: none leaves unseen. `warn` calls `report` once for each
 * distinct violation and counts the rest.
 */
export async function setOutgoingCheck(
  mode: OutgoingCheckMode,
  report: (line: string) => void = toStderr,
): Promise<void> {
  reported = new Map();
  if (mode === 'off') {
    check = undefined;
    return;
  }
  const early: [Outgoing, string][] = [];
  const collect: Check = (outgoing, text) => void early.push([outgoing, text]);
  check = collect;
  const { loadChecker } = await import('./check.js');
  const violationsOf = await loadChecker();
  // Somebody may have switched again in the meantime.
  if (check !== collect) return;
  const ready: Check = (outgoing, text) => {
    const violations = violationsOf(outgoing, JSON.parse(text));
    if (violations.length === 0) return;
    if (mode === 'error') throw new Error(violations.map(describeViolation).join('\n'));
    for (const violation of violations) warn(describeViolation(violation), report);
  };
  check = ready;
  for (const [outgoing, text] of early) ready(outgoing, text);
}

/** One line: what left for whom, where it is wrong, and how. */
export function describeViolation({ outgoing, pointer, message, kind }: Violation): string {
  const { sender, method, revision } = outgoing;
  const what = method === undefined ? outgoing.kind : `${outgoing.kind} ${method}`;
  return `outgoing ${what} (${sender}, ${revision}): ${pointer || '/'}: ${message} [${kind}]`;
}

function warn(line: string, report: (line: string) => void): void {
  const times = reported.get(line) ?? 0;
  // A peer can make up any number of paths; a line more or less says nothing new then.
  if (times > 0 || reported.size < 1000) reported.set(line, times + 1);
  if (times === 0 && reported.has(line)) report(line);
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

const fromEnvironment = process.env[ENVIRONMENT];
if (fromEnvironment !== undefined && fromEnvironment !== '') {
  if (!MODES.includes(fromEnvironment)) {
    throw new Error(`${ENVIRONMENT} is "${fromEnvironment}"; expected ${MODES.join(', ')}`);
  }
  // A violation in a frame that left early rejects, and so ends the process with its text: as meant.
  void setOutgoingCheck(fromEnvironment as OutgoingCheckMode);
}
