/** The definitions of a revision as JSON Schema, read when they are first asked for. */
import { readFileSync } from 'node:fs';
import type { Revision } from '../../generated/revisions.js';

export type JsonSchema = { readonly [key: string]: unknown };

interface Document {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

const documents = new Map<string, Document>();

export function definitionsOf(revision: Revision): Readonly<Record<string, JsonSchema>> {
  return documentOf(`${revision}/schema.json`).$defs;
}

/** With `false` for every field that only other revisions define. */
export function strictDefinitionsOf(revision: Revision): Readonly<Record<string, JsonSchema>> {
  return documentOf(`${revision}/strict-schema.json`).$defs;
}

function documentOf(path: string): Document {
  let document = documents.get(path);
  if (document === undefined) {
    const file = new URL(`../../generated/${path}`, import.meta.url);
    document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    documents.set(path, document);
  }
  return document;
}
