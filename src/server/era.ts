/** Which era and revision a request belongs to, as far as its words say (behaviour: era, revision). */
import { FACTS } from '../../generated/facts.js';
import { REVISIONS, eraOf, type Era, type Revision } from '../../generated/revisions.js';

const ALL: readonly Revision[] = REVISIONS.map(({ revision }) => revision);

function newestFirst(era: Era): readonly Revision[] {
  return ALL.filter((revision) => eraOf(revision) === era).reverse();
}

/** Newest first, as `server/discover` lists them. */
export const MODERN_REVISIONS = newestFirst('modern');
export const LEGACY_REVISIONS = newestFirst('legacy');

/**
 * What a Streamable HTTP request that names no revision counts as, and a stdio batch before
 * `initialize`: the first revision that has either (2025-06-18, basic/transports).
 */
export const HEADERLESS: Revision = first(({ streamableHttp }) => streamableHttp);

const FIRST_MODERN = MODERN_REVISIONS.at(-1) ?? '';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function isRevision(version: unknown): version is Revision {
  return (ALL as readonly unknown[]).includes(version);
}

/** Whether a version belongs to the modern era, known or not: revisions are dates, and dates sort. */
export function namesModernEra(version: string): boolean {
  return DATE.test(version) && version >= FIRST_MODERN;
}

function first(holds: (facts: (typeof FACTS)[Revision]) => boolean): Revision {
  const revision = ALL.find((candidate) => holds(FACTS[candidate]));
  if (revision === undefined) throw new Error('No revision has Streamable HTTP');
  return revision;
}
