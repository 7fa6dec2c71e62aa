/** Every field and every definition against every revision: since when, until when, required or not. */
import { methodText } from '../diff/diff.js';
import { typeText } from '../diff/type-text.js';
import { jsonComment } from '../emit/header.js';
import { methodsWithExtensions } from '../emit/facts-of-revisions.js';
import type { Lifetime, Sender, TypeNode } from '../model.js';
import type { ObjectSighting, Places } from '../places/places.js';
import type { Sources } from '../sources.js';
import { carriersOf, type Carriers } from './carriers.js';
import { code, marker, table } from './markdown.js';

export interface Matrix {
  revisions: readonly string[];
  /** Sorted by name. */
  definitions: Record<string, DefinitionRow>;
  methods: Record<string, MethodRow>;
}

export interface DefinitionRow extends Lifetime {
  /** Who sends it, where it is a message. */
  message?: { method: string; senders: Sender[] };
  /** The messages in which it occurs; none where only other definitions refer to it. */
  carriers: Carriers;
  /** By path below the definition. */
  fields: Record<string, FieldRow>;
}

export interface FieldRow extends Lifetime {
  /** By revision; absent where it does not exist. */
  in: Record<string, { required: boolean; type: string }>;
}

export interface MethodRow extends Lifetime {
  /** By revision, in words. */
  in: Record<string, string>;
}

export function matrixOf(sources: Sources, places: Places): Matrix {
  const { revisions } = places;
  const definitions: Record<string, DefinitionRow> = {};
  const carriers = carriersOf(sources, places);
  const rowOf = (name: string): DefinitionRow =>
    (definitions[name] ??= { since: '', carriers: carriers.get(name) ?? {}, fields: {} });
  for (const revision of revisions) {
    for (const { name, type } of Object.values(places.models[revision]?.definitions ?? {})) {
      const logical = places.logicalName(revision, name);
      extend(rowOf(logical), revision);
      collect(places, type, logical, (path, row) => {
        const [owner, ...rest] = path;
        const fields = rowOf(owner ?? '').fields;
        const field = (fields[rest.join('.')] ??= { since: revision, in: {} });
        extend(field, revision);
        field.in[revision] = row;
      });
    }
  }
  addMessages(sources, places, definitions);
  const matrix = { revisions, definitions: sorted(definitions), methods: methodRows(sources) };
  for (const row of Object.values(matrix.definitions)) {
    finish(row, revisions);
    row.fields = sorted(row.fields);
    for (const field of Object.values(row.fields)) finish(field, revisions);
  }
  for (const row of Object.values(matrix.methods)) finish(row, revisions);
  return matrix;
}

export function matrixReports(matrix: Matrix): Map<string, string> {
  const from = 'schemas/*/schema.ts';
  const data = { $comment: jsonComment(from), ...matrix };
  return new Map([
    ['generated/reports/matrix.json', `${JSON.stringify(data, null, 2)}\n`],
    ['generated/reports/matrix.md', [marker(from), '', ...page(matrix)].join('\n')],
  ]);
}

type Found = (path: string[], row: { required: boolean; type: string }) => void;

function collect(places: Places, type: TypeNode, logical: string, found: Found): void {
  const walk = (node: TypeNode, path: string[]): void => {
    switch (node.kind) {
      case 'object': {
        for (const [name, property] of Object.entries(node.properties)) {
          const owner = ownerOf(places, node, path, name);
          found([...owner, name], {
            required: !property.optional,
            type: typeText(property.type),
          });
          walk(property.type, [...owner, name]);
        }
        if (node.index !== undefined) walk(node.index, [...path, '*']);
        return;
      }
      case 'array':
        walk(node.items, [...path.slice(0, -1), `${path.at(-1) ?? ''}[]`]);
        return;
      case 'union':
      case 'intersection':
        for (const member of node.members) walk(member, path);
    }
  };
  walk(type, [logical]);
}

/** An inline object counts with the definition that took its place in a later revision. */
function ownerOf(
  places: Places,
  node: TypeNode & { kind: 'object' },
  path: string[],
  property: string,
): string[] {
  if (path.length === 1) return path;
  const named = places
    .placeOf(node)
    .objects.filter(({ path: other }: ObjectSighting) => !other.includes('.'));
  const heir = named.reverse().find(({ type }) => property in type.properties) ?? named[0];
  return heir === undefined ? path : [heir.path];
}

function addMessages(
  sources: Sources,
  places: Places,
  definitions: Record<string, DefinitionRow>,
): void {
  for (const revision of places.revisions) {
    for (const { method, definition, senders } of methodsWithExtensions(sources, revision)) {
      const row = definitions[places.logicalName(revision, definition)];
      if (row !== undefined) row.message = { method, senders };
    }
  }
}

function methodRows(sources: Sources): Record<string, MethodRow> {
  const rows: Record<string, MethodRow> = {};
  for (const { revision } of sources.revisions) {
    for (const method of methodsWithExtensions(sources, revision)) {
      const row = (rows[method.method] ??= { since: revision, in: {} });
      extend(row, revision);
      row.in[revision] = methodText(method);
    }
  }
  return sorted(rows);
}

/** Revisions come oldest first: the first to have it is since, the last one is remembered in `until`. */
function extend(row: Lifetime, revision: string): void {
  if (row.since === '') row.since = revision;
  row.until = revision;
}

/** From the last revision that has it to the first that no longer does. */
function finish(row: Lifetime, revisions: readonly string[]): void {
  const gone = revisions[revisions.indexOf(row.until ?? '') + 1];
  if (gone === undefined) delete row.until;
  else row.until = gone;
}

function page({ revisions, definitions, methods }: Matrix): string[] {
  const definitionRows = Object.entries(definitions).flatMap(([name, row]) => [
    [`**${name}**`, ...revisions.map((revision) => (lives(row, revision) ? '✓' : '')), ''],
    ...Object.entries(row.fields).map(([path, field]) => [
      `\`${name}.${path}\``,
      ...revisions.map((revision) => cell(field, revision)),
      code(Object.values(field.in).at(-1)?.type ?? ''),
    ]),
  ]);
  return [
    '# Every field, every revision',
    '',
    '`req`: required, `opt`: optional, empty: the revision does not have it. A `*` marks a type that',
    'is not the one in the last column, which is the latest. Names are those of the latest revision',
    'that has the thing; what an extension defines stands under its name (`tasks/…`).',
    '',
    '## Methods',
    '',
    ...table(
      ['method', ...revisions],
      Object.entries(methods).map(([name, row]) => [
        code(name),
        ...revisions.map((revision) => row.in[revision] ?? ''),
      ]),
    ),
    '## Definitions and fields',
    '',
    ...table(['field', ...revisions, 'type'], definitionRows),
  ];
}

function lives({ since, until }: Lifetime, revision: string): boolean {
  return revision >= since && (until === undefined || revision < until);
}

function cell(field: FieldRow, revision: string): string {
  const here = field.in[revision];
  if (here === undefined) return '';
  const latest = Object.values(field.in).at(-1)?.type;
  return `${here.required ? 'req' : 'opt'}${here.type === latest ? '' : '*'}`;
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
