/** What changed between two revisions as a person reads it: in a terminal, or as Markdown. */
import type { Changes } from './changes.js';
import type { Effect, FieldChange, MessageChanges } from './reports.js';

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-' };
const KINDS: Readonly<Record<FieldChange['kind'], string>> = {
  added: 'added',
  removed: 'removed',
  optionality: 'required or optional',
  type: 'type',
  union: 'members',
  constant: 'constant',
};

export function changesAsText(changes: Changes): string {
  const { from, to, methods, messages, constants } = changes;
  const sections = [
    methods.flatMap(({ method, change, was, now, edge }) => [
      `${SIGNS[change] ?? '~'} ${method}  ${wasAndIs(was, now)}`,
      ...effectLines(edge, '    '),
    ]),
    constants.map(
      (change) => `${sign(change)} ${change.path}  ${wasAndIs(change.was, change.now)}`,
    ),
    ...messages.map((message) => [
      heading(message),
      ...message.changes.flatMap((change) => [
        `  ${sign(change)} ${change.path || 'itself'}  ${wasAndIs(change.was, change.now)}`,
        ...effectLines(change.edge, '      '),
      ]),
    ]),
  ].filter((lines) => lines.length > 0);
  if (sections.length === 0) return `Nothing of this changed from ${from} to ${to}.\n`;
  const title = `From ${from} to ${to}: ${summary(changes)}`;
  return `${[[title], ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

export function changesAsMarkdown({ from, to, methods, messages, constants }: Changes): string {
  const head = ['change', 'was', 'is', 'the edge'];
  const row = (name: string, kind: string, was = '', now = '', edge: Effect[] = []): string =>
    tableLine([code(name), kind, code(was), code(now), effectLines(edge, '').join('<br>')]);
  const section = (title: string, what: string, rows: string[]): string[] =>
    rows.length === 0
      ? []
      : [
          `## ${title}`,
          '',
          tableLine([what, ...head]),
          '| --- | --- | --- | --- | --- |',
          ...rows,
          '',
        ];
  return [
    `# From ${from} to ${to}`,
    '',
    ...section(
      'Methods',
      'method',
      methods.map(({ method, change, was, now, edge }) => row(method, change, was, now, edge)),
    ),
    ...section(
      'Constants',
      'constant',
      constants.map(({ path, kind, was, now }) => row(path, KINDS[kind], was, now)),
    ),
    ...messages.flatMap((message) =>
      section(
        heading(message),
        'field',
        message.changes.map(({ path, kind, was, now, edge }) =>
          row(path || 'itself', KINDS[kind], was, now, edge),
        ),
      ),
    ),
  ].join('\n');
}

function summary({ methods, messages, constants }: Changes): string {
  const fields = messages.reduce((sum, { changes }) => sum + changes.length, 0);
  return `${count(methods.length, 'method')}, ${count(constants.length, 'constant')}, ${count(
    fields,
    'change',
  )} in ${count(messages.length, 'message')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function heading({ method, part, senders }: MessageChanges): string {
  return `${method} ${part} (sent by the ${senders.join(' or the ')})`;
}

function sign({ kind, was, now }: FieldChange): string {
  if (kind === 'union') return was === undefined ? '+' : '-';
  if (kind === 'constant') return was === undefined ? '+' : now === undefined ? '-' : '~';
  return SIGNS[kind] ?? '~';
}

function wasAndIs(was: string | undefined, now: string | undefined): string {
  if (was !== undefined && now !== undefined) return `${was} → ${now}`;
  return now ?? was ?? '';
}

function effectLines(edge: readonly Effect[] = [], indent: string): string[] {
  return edge.map(({ peer, outcome, conversion, reason }) => {
    const how = conversion === undefined ? outcome : `${outcome} by ${conversion}`;
    return `${indent}peers of ${peer}: ${how}. ${reason}`;
  });
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
