/** What becomes of a lossy change, and why. The table is `table.ts`; codegen holds it against the changes. */
import type { Change, ChangeKind } from '../projection/changes.js';
import { carrierText } from '../projection/changes.js';
import type { ShapeId } from '../projection/table.js';

export interface Decision {
  kind: ChangeKind;
  /** Places, `*` for any run of characters. */
  at: readonly string[];
  /** Only for these revisions; for all that lose it where absent. */
  revisions?: readonly string[];
  outcome: Outcome;
  /** For whoever audits: a sentence. */
  reason: string;
}

export type Outcome =
  /** The conversion (src/edge/conversions) that runs on the value of the shape. */
  | { convert: string; on: ShapeId }
  /** It goes, and nothing takes its place. */
  | 'drop'
  /** Nothing has to happen: values pass as they are. */
  | 'pass'
  /** mcpx never sends it to such a peer. */
  | 'never sent';

export interface Decided {
  change: Change;
  decision: Decision;
}

/**
 * In the order of the decisions, which is the order in which conversions at one place run. Throws, with a list that reads like a to-do, where a change has no decision or a decision no change.
 */
export function decide(changes: readonly Change[], decisions: readonly Decision[]): Decided[] {
  const used = new Set<Decision>();
  const open: Change[] = [];
  const decided: Decided[] = [];
  for (const change of changes) {
    const decision = decisions.find((candidate) => concerns(candidate, change));
    if (decision === undefined) open.push(change);
    else {
      used.add(decision);
      decided.push({ change, decision });
    }
  }
  const unused = decisions.filter((decision) => !used.has(decision));
  if (open.length > 0 || unused.length > 0) throw new UndecidedError(open, unused);
  return decided.sort((a, b) => decisions.indexOf(a.decision) - decisions.indexOf(b.decision));
}

export class UndecidedError extends Error {
  override readonly name = 'UndecidedError';

  constructor(
    readonly open: readonly Change[],
    readonly unused: readonly Decision[],
  ) {
    super([...openLines(open), ...unusedLines(unused)].join('\n'));
  }
}

function concerns({ kind, at, revisions }: Decision, change: Change): boolean {
  if (kind !== change.kind || revisions?.includes(change.revision) === false) return false;
  return at.some((pattern) => matches(pattern, change.at));
}

function matches(pattern: string, at: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(at);
}

function openLines(open: readonly Change[]): string[] {
  if (open.length === 0) return [];
  const places = new Map<string, Change[]>();
  for (const change of open) {
    const key = `${change.kind} ${change.at}`;
    places.set(key, [...(places.get(key) ?? []), change]);
  }
  return [
    `${places.size} lossy changes need a decision in codegen/decisions/table.ts:`,
    ...[...places].flatMap(([key, changes]) => [
      `  - [ ] ${key}: ${changes[0]?.detail ?? ''}`,
      `        for peers of ${changes.map(({ revision }) => revision).join(', ')}`,
      `        sent in ${sentIn(changes)}`,
    ]),
  ];
}

function sentIn(changes: readonly Change[]): string {
  const carriers = new Set(changes.flatMap(({ messages }) => messages.map(carrierText)));
  const [...names] = carriers;
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

function unusedLines(unused: readonly Decision[]): string[] {
  if (unused.length === 0) return [];
  return [
    `${unused.length} decisions in codegen/decisions/table.ts concern nothing that changes:`,
    ...unused.map(
      ({ kind, at, revisions }) =>
        `  - ${kind} ${at.join(', ')}${revisions === undefined ? '' : ` (${revisions.join(', ')})`}`,
    ),
  ];
}
