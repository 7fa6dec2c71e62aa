/** `schemas/revisions.json` with a revision taken in, or refreshed. */
import { createHash } from 'node:crypto';
import type { Model } from '../model.js';
import type { RevisionEntry } from '../sources.js';

export interface Vendored {
  readonly revision: string;
  /** The file, as it was fetched. */
  readonly text: string;
  /** Its model, by which it is known to be readable. */
  readonly model: Model;
  /** Where it came from: a URL, or the name of a file. */
  readonly source: string;
  readonly era?: RevisionEntry['era'];
  readonly title?: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const VERSION = 'LATEST_PROTOCOL_VERSION';

/** Oldest first, as before. Throws where the name is no revision's, or the file says it is another one. */
export function withRevision(
  revisions: readonly RevisionEntry[],
  { revision, text, model, source, era, title }: Vendored,
): RevisionEntry[] {
  if (!DATE.test(revision)) {
    throw new Error(`"${revision}" is no revision; expected a date, as in 2026-07-28`);
  }
  const says = model.constants[VERSION];
  if (says !== undefined && says !== revision) {
    throw new Error(`${source} says ${VERSION} = ${JSON.stringify(says)}, expected "${revision}"`);
  }
  const known = revisions.find((entry) => entry.revision === revision);
  const newest = revisions.at(-1);
  const entry: RevisionEntry = {
    revision,
    era: era ?? known?.era ?? newest?.era ?? 'modern',
    title: title ?? known?.title ?? `Revision of ${revision}`,
    digest: { algorithm: 'sha256', of: 'schema.ts', value: digestOf(text) },
    source,
  };
  return [...revisions.filter((one) => one !== known), entry].sort((a, b) =>
    a.revision < b.revision ? -1 : 1,
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
