/** `generated/reports/`. */
import type { Decided } from '../decisions/decision.js';
import { diffRevisions, type RevisionDiff } from '../diff/diff.js';
import { Effects } from '../diff/effects.js';
import { methodsWithExtensions } from '../emit/facts-of-revisions.js';
import type { Sender } from '../model.js';
import type { Places } from '../places/places.js';
import type { Sources } from '../sources.js';
import { diffReports } from './diff-report.js';
import { marker, table } from './markdown.js';
import { matrixOf, matrixReports } from './matrix.js';
import { pageReport } from './page/page.js';
import { peerReports } from './peers.js';

export function emitReports(
  sources: Sources,
  places: Places,
  decided: readonly Decided[],
): Map<string, string> {
  const effects = new Effects(decided);
  const diffs = pairs(places.revisions).map(([from, to]) =>
    diffRevisions(places, from, to, effects),
  );
  const matrix = matrixOf(sources, places);
  return new Map([
    ...diffReports(diffs),
    ...matrixReports(matrix),
    ...pageReport(sources.revisions, matrix, diffs, (method) => sendersOf(sources, method)),
    ...peerReports(sources.revisions, decided),
    ['generated/reports/index.md', index(sources, diffs)],
  ]);
}

/** Over all revisions. */
function sendersOf(sources: Sources, method: string): Sender[] {
  const senders = sources.revisions.flatMap(({ revision }) =>
    methodsWithExtensions(sources, revision)
      .filter((one) => one.method === method)
      .flatMap((one) => one.senders),
  );
  return [...new Set(senders)].sort();
}

/** Each revision with each later one. */
function pairs(revisions: readonly string[]): [string, string][] {
  return revisions.flatMap((from, at) =>
    revisions.slice(at + 1).map((to): [string, string] => [from, to]),
  );
}

function index({ revisions }: Sources, diffs: readonly RevisionDiff[]): string {
  const newest = revisions.at(-1)?.revision ?? '';
  return [
    marker('schemas/', 'codegen/decisions/table.ts'),
    '',
    '# Reports',
    '',
    'Made from the schemas and the decisions of this repository. Beside each page stands the same as JSON,',
    'and all of it is one page to look things up in: [index.html](index.html).',
    '',
    '## What does a client of some revision get?',
    '',
    ...table(
      ['revision', 'era', 'what it gets', `what changed since, up to ${newest}`],
      revisions.map(({ revision, era }) => [
        revision,
        era,
        `[client-${revision}](client-${revision}.md)`,
        revision === newest ? '' : `[diff](diff-${revision}-${newest}.md)`,
      ]),
    ),
    '## What changed from one revision to the next?',
    '',
    ...table(
      ['from', 'to', 'methods', 'fields', 'page'],
      diffs
        .filter(({ from, to }) =>
          isNext(
            revisions.map((r) => r.revision),
            from,
            to,
          ),
        )
        .map(({ from, to, methods, messages }) => [
          from,
          to,
          String(methods.length),
          String(messages.flatMap(({ changes }) => changes).length),
          `[diff](diff-${from}-${to}.md)`,
        ]),
    ),
    '## Since when does a field exist?',
    '',
    'See [the matrix](matrix.md).',
    '',
  ].join('\n');
}

function isNext(revisions: readonly string[], from: string, to: string): boolean {
  return revisions.indexOf(to) === revisions.indexOf(from) + 1;
}
