/** What stands in `schemas/`: the list of revisions and extensions, and each one's model. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from './model.js';
import { applyOverrides } from './overrides.js';
import { readModel } from './read/reader.js';

export interface RevisionEntry {
  revision: string;
  era: 'legacy' | 'modern';
  title: string;
  digest: { algorithm: 'sha256'; of: string; value: string };
  /** Where the file came from, if `npm run vendor` brought it: a URL, or the name of a file. */
  source?: string;
}

export interface ExtensionEntry {
  /** Folder below `schemas/`. */
  source: string;
  /** The name under which peers declare it. */
  id: string;
  /** The first revision it extends; the later ones have it too. */
  standsOn: string;
  title: string;
  digest: { algorithm: 'sha256'; of: string; value: string };
}

export interface Sources {
  /** Oldest first. */
  revisions: RevisionEntry[];
  extensions: ExtensionEntry[];
  /** By revision: with the overrides applied, as everything at run time wants it. */
  models: Record<string, Model>;
  /** By extension source: only its own definitions; references may lead to the revision it stands on. */
  extensionModels: Record<string, Model>;
}

/** Extensions that peers of the revision may declare. */
export function extensionsOf(
  { revisions, extensions }: Pick<Sources, 'revisions' | 'extensions'>,
  revision: string,
): ExtensionEntry[] {
  const position = (name: string): number => revisions.findIndex((one) => one.revision === name);
  return extensions.filter(({ standsOn }) => position(standsOn) <= position(revision));
}

/** Reads `schemas/revisions.json` of this repository, and the `schema.ts` files below `from`. */
export function readSources(root: string, from = join(root, 'schemas')): Sources {
  const listed = JSON.parse(readFileSync(join(root, 'schemas/revisions.json'), 'utf8')) as {
    revisions: RevisionEntry[];
    extensions: ExtensionEntry[];
  };
  const read = (source: string): Model =>
    applyOverrides(readModel(source, join(from, source, 'schema.ts')));
  return {
    ...listed,
    models: Object.fromEntries(listed.revisions.map((r) => [r.revision, read(r.revision)])),
    extensionModels: Object.fromEntries(listed.extensions.map((e) => [e.source, read(e.source)])),
  };
}
