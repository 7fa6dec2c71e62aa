/** `diff-<from>-<to>`: what changed between two revisions, for a person and for a program. */
import type { FieldChange, MessageDiff, RevisionDiff } from '../diff/diff.js';
import type { Effect } from '../diff/effects.js';
import { jsonComment } from '../emit/header.js';
import { code, marker, table } from './markdown.js';

export function diffReports(diffs: readonly RevisionDiff[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const diff of diffs) {
    const name = `generated/reports/diff-${diff.from}-${diff.to}`;
    const from = [`schemas/${diff.from}/schema.ts`, `schemas/${diff.to}/schema.ts`];
    const data = { $comment: jsonComment(...from), ...diff };
    files.set(`${name}.json`, `${JSON.stringify(data, null, 2)}\n`);
    files.set(`${name}.md`, [marker(...from), '', ...page(diff)].join('\n'));
  }
  return files;
}

function page(diff: RevisionDiff): string[] {
  return [
    `# From ${diff.from} to ${diff.to}`,
    '',
    summary(diff),
    '',
    ...methodSection(diff),
    ...constantSection(diff),
    ...diff.messages.flatMap(messageSection),
  ];
}

function summary({ methods, messages }: RevisionDiff): string {
  const changes = messages.flatMap((message) => message.changes);
  const count = (kind: FieldChange['kind']): number =>
    changes.filter((change) => change.kind === kind).length;
  return [
    `${methods.length} methods came, went or changed hands.`,
    `In ${messages.length} messages that both revisions have, ${count('added')} fields came,`,
    `${count('removed')} went, ${count('optionality')} became required or optional,`,
    `${count('type')} changed their type, ${count('union')} members of unions came or went,`,
    `${count('constant')} constants changed. A field that stands in several messages counts in each.`,
  ].join(' ');
}

function methodSection({ methods }: RevisionDiff): string[] {
  if (methods.length === 0) return [];
  return [
    '## Methods',
    '',
    ...table(
      ['method', 'change', 'was', 'is', 'the edge'],
      methods.map(({ method, change, was = '', now = '', edge }) => [
        code(method),
        change,
        was,
        now,
        effectsText(edge),
      ]),
    ),
  ];
}

function constantSection({ constants }: RevisionDiff): string[] {
  if (constants.length === 0) return [];
  return ['## Constants', '', ...changeTable('constant', constants)];
}

function messageSection({ method, part, senders, changes }: MessageDiff): string[] {
  const of = senders.map((sender) => `the ${sender}`).join(' or ');
  return [`## ${code(method)}, ${part} (sent by ${of})`, '', ...changeTable('field', changes)];
}

function changeTable(what: string, changes: readonly FieldChange[]): string[] {
  return table(
    [what, 'change', 'was', 'is', 'the edge'],
    changes.map(({ path, kind, was = '', now = '', edge }) => [
      code(path) || 'itself',
      kind,
      code(was),
      code(now),
      effectsText(edge),
    ]),
  );
}

function effectsText(effects: readonly Effect[] = []): string {
  return effects
    .map(({ peer, outcome, conversion, reason }) => {
      const how = conversion === undefined ? outcome : `${outcome} by ${code(conversion)}`;
      return `${peer}: ${how}. ${reason}`;
    })
    .join(' ');
}
