/** `generated/newest/` and `generated/legacy/`: names for the two revisions `src/` is written against. */
import type { Sources } from '../sources.js';
import { header } from './header.js';

export function emitAliases({ revisions }: Sources): Map<string, string> {
  const newest = revisions.at(-1)?.revision;
  const legacy = revisions.filter((r) => r.era === 'legacy').at(-1)?.revision;
  const files = new Map<string, string>();
  for (const [alias, revision] of [
    ['newest', newest],
    ['legacy', legacy],
  ]) {
    if (revision === undefined) continue;
    files.set(
      `generated/${alias}/types.ts`,
      `${header('schemas/revisions.json')}export type * from '../${revision}/types.js';\n`,
    );
  }
  return files;
}
