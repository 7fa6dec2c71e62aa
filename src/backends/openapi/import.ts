/** A whole document as operations, and the report on what came of it. */
import { isObject } from '../../protocol/jsonrpc.js';
import { stringifyJson } from '../../protocol/json.js';
import type { JsonObject, OpenApiDocument } from './document.js';
import { operationName, plainName, uniqueNames } from './names.js';
import {
  importOperation,
  operationIdOf,
  tagsOf,
  type Listed,
  type Operation,
  type Surroundings,
} from './operation.js';
import type { OpenApiTarget } from './options.js';
import { BrokenReference, References } from './references.js';
import type { ImportReport, Remark, Renaming } from './report.js';
import { SchemaBook } from './schema.js';
import { Security } from './security.js';
import { isSelected } from './selectors.js';

export interface Imported {
  /** By the name of the tool, in the document's order. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly report: ImportReport;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Throws an `Error` for secrets that do not fit the document. */
export function importDocument(document: OpenApiDocument, target: OpenApiTarget): Imported {
  const { root, version } = document;
  const references = new References(root);
  const skipped: Remark[] = [];
  const repairs: Remark[] = [];
  const note = (where: string, what: string): void => void repairs.push({ where, what });
  const all: Surroundings = {
    document,
    target,
    references,
    security: new Security(root, references, target.auth ?? {}),
    input: new SchemaBook(references, version, 'in', note),
    output: new SchemaBook(references, version, 'out', note),
    note,
  };
  const listed = listedOperations(root, references, skipped);
  const selected = listed.filter(({ operation, path, method }) =>
    isSelected(
      { operationId: operationIdOf(operation), tags: tagsOf(operation), path, method },
      target,
    ),
  );
  const { names, renamed } = named(selected);
  const operations = new Map<string, Operation>();
  for (const [at, one] of selected.entries()) {
    const name = names[at] ?? '';
    try {
      operations.set(name, importOperation(one, name, all));
    } catch (error) {
      skipped.push({ where: one.label, what: (error as Error).message });
    }
  }
  return {
    operations,
    report: {
      ...about(root),
      bytes: document.bytes,
      operations: listed.length,
      imported: operations.size,
      filtered: listed.length - selected.length,
      skipped,
      repairs,
      renamed,
      outputSchemasLeftOut: count(operations, ({ outputLeftOut }) => outputLeftOut),
      withoutCredentials: [...operations.values()]
        .filter(({ lacksCredentials }) => lacksCredentials)
        .map(({ method, path }) => `${method} ${path}`),
      toolBytes: [...operations.values()].reduce(
        (sum, { tool }) => sum + Buffer.byteLength(stringifyJson(tool)),
        0,
      ),
    },
  };
}

function listedOperations(root: JsonObject, references: References, skipped: Remark[]): Listed[] {
  const { paths } = root;
  if (!isObject(paths)) return [];
  const listed: Listed[] = [];
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith('/')) continue; // An extension, `x-…`.
    let pathItem: JsonObject;
    try {
      pathItem = references.resolve(item);
    } catch (error) {
      if (!(error instanceof BrokenReference)) throw error;
      skipped.push({ where: path, what: error.message });
      continue;
    }
    for (const key of METHODS) {
      const operation = pathItem[key];
      if (operation === undefined) continue;
      const method = key.toUpperCase();
      const label = `${method} ${path}`;
      if (!isObject(operation)) skipped.push({ where: label, what: 'is no object' });
      else if (key === 'trace') skipped.push({ where: label, what: 'TRACE shows what is sent' });
      else listed.push({ method, path, pathItem, operation, label });
    }
  }
  return listed;
}

function named(operations: readonly Listed[]): { names: string[]; renamed: Renaming[] } {
  const wanted = operations.map(({ operation, label }) => ({
    name: operationName(operationIdOf(operation), label),
    operation: label,
  }));
  const names = uniqueNames(wanted);
  const renamed: Renaming[] = [];
  for (const [at, { operation, label }] of operations.entries()) {
    const from = plainName(operationIdOf(operation), label);
    const to = names[at] ?? '';
    if (from !== to) renamed.push({ operation: label, from, to });
  }
  return { names, renamed };
}

function about(root: JsonObject): { title: string; version: string } {
  const { title, version } = isObject(root['info']) ? root['info'] : {};
  return {
    title: typeof title === 'string' ? title : 'untitled',
    version: typeof version === 'string' ? version : 'unknown',
  };
}

function count<T>(items: ReadonlyMap<string, T>, holds: (item: T) => boolean): number {
  return [...items.values()].filter(holds).length;
}
