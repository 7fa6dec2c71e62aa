/** `index.html`: matrix and diffs as one page that needs nothing but itself. */
import { readFileSync } from 'node:fs';
import type { Effect } from '../../diff/effects.js';
import type { FieldChange, MethodChange, RevisionDiff } from '../../diff/diff.js';
import type { Sender } from '../../model.js';
import type { RevisionEntry } from '../../sources.js';
import { marker } from '../markdown.js';
import type { Matrix } from '../matrix.js';

const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export function pageReport(
  revisions: readonly RevisionEntry[],
  matrix: Matrix,
  diffs: readonly RevisionDiff[],
  sendersOf: (method: string) => Sender[],
): Map<string, string> {
  const data = JSON.stringify(dataOf(revisions, matrix, diffs, sendersOf));
  const page = [
    '<!doctype html>',
    marker('schemas/', 'codegen/decisions/table.ts', 'codegen/reports/page/'),
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>MCP, field by field</title>',
    `<link rel="icon" href="data:,">`,
    `<style>\n${part('style.css')}</style>`,
    '</head>',
    '<body data-view="matrix">',
    part('body.html').trimEnd(),
    // Nothing in the data may end the element that holds it.
    `<script type="application/json" id="data">${data.replaceAll('<', '\\u003c')}</script>`,
    `<script>\n${part('script.js')}</script>`,
    '</body>',
    '</html>',
    '',
  ];
  return new Map([['generated/reports/index.html', page.join('\n')]]);
}

/** By revision, oldest first: type, and of a field whether it is required; `null` where it does not exist. */
type Cells = ([type: string, required?: boolean] | null)[];

function dataOf(
  revisions: readonly RevisionEntry[],
  { definitions, methods }: Matrix,
  diffs: readonly RevisionDiff[],
  sendersOf: (method: string) => Sender[],
): object {
  const effects = new EffectList();
  return {
    revisions: revisions.map(({ revision, era, title }) => ({ revision, era, title })),
    definitions: Object.entries(definitions).map(([name, { since, until, carriers, fields }]) => ({
      name,
      since,
      until,
      carriers,
      fields: Object.entries(fields).map(([path, field]) => {
        const cells: Cells = revisions.map(({ revision }) => {
          const here = field.in[revision];
          return here === undefined ? null : [here.type, here.required];
        });
        return [path, cells, Object.values(field.in).at(-1)?.type ?? ''];
      }),
    })),
    methods: Object.fromEntries(
      Object.entries(methods).map(([name, row]) => {
        const cells: Cells = revisions.map(({ revision }) => {
          const here = row.in[revision];
          return here === undefined ? null : [here];
        });
        const latest = Object.values(row.in).at(-1) ?? '';
        return [name, { cells, latest, senders: sendersOf(name) }];
      }),
    ),
    diffs: Object.fromEntries(
      diffs.map(({ from, to, methods: changed, messages, constants }) => [
        `${from} ${to}`,
        {
          methods: changed.map((change) => effects.numbered(change)),
          messages: messages.map((message) => ({
            ...message,
            changes: message.changes.map((change) => effects.numbered(change)),
          })),
          constants,
        },
      ]),
    ),
    effects: effects.all,
  };
}

/** The same few hundred sentences stand beside thousands of changes: each is in the page once. */
class EffectList {
  readonly all: Effect[] = [];
  readonly #numbers = new Map<string, number>();

  numbered({ edge = [], ...change }: MethodChange | FieldChange): object {
    return { ...change, edge: edge.map((effect) => this.#number(effect)) };
  }

  #number(effect: Effect): number {
    const key = JSON.stringify(effect);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.all.push(effect) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
