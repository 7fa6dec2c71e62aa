/**
 * `npm run vendor -- <revision> --from <path|URL>`: takes a `schema.ts` in, the official one as it is
 * or a transcription. Then `npm run codegen` says what has to be decided. See docs/new-revision.md.
 *
 *   --era legacy|modern   where it is not that of the newest revision
 *   --title <text>        what it brought, in a few words
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { readModelText } from '../read/reader.js';
import type { RevisionEntry } from '../sources.js';
import { withRevision } from './listing.js';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const USAGE =
  'usage: npm run vendor -- <revision> --from <path|URL> [--era legacy|modern] [--title <text>]';

try {
  await vendor();
} catch (error) {
  // What is wrong with the file is for the maintainer to read; a stack trace is not.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function vendor(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, era: { type: 'string' }, title: { type: 'string' } },
  });
  const [revision, ...rest] = positionals;
  const { from, era, title } = values;
  if (revision === undefined || rest.length > 0 || from === undefined) throw new Error(USAGE);
  if (era !== undefined && era !== 'legacy' && era !== 'modern') throw new Error(USAGE);
  const { text, source } = await fetched(from);
  const model = readModelText(revision, text, from);
  const list = join(ROOT, 'schemas/revisions.json');
  const listed = JSON.parse(readFileSync(list, 'utf8')) as { revisions: RevisionEntry[] };
  const revisions = withRevision(listed.revisions, {
    revision,
    text,
    model,
    source,
    ...(era !== undefined && { era }),
    ...(title !== undefined && { title }),
  });
  const file = join(ROOT, 'schemas', revision, 'schema.ts');
  mkdirSync(dirname(file), { recursive: true });
  // Formatted as everything here is; what it says is the same, and the digest is of what came.
  writeFileSync(file, await format(text, { filepath: file, singleQuote: true, printWidth: 100 }));
  writeFileSync(list, `${JSON.stringify({ ...listed, revisions }, null, 2)}\n`);
  console.log(
    `schemas/${revision}/schema.ts: ${Object.keys(model.definitions).length} definitions`,
  );
  console.log('Next: npm run codegen, which says what has to be decided (docs/new-revision.md)');
}

async function fetched(from: string): Promise<{ text: string; source: string }> {
  if (!/^https?:\/\//.test(from))
    return { text: readFileSync(from, 'utf8'), source: basename(from) };
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from}: HTTP ${response.status}`);
  return { text: await response.text(), source: from };
}
