/**
 * `npm run parity -- --official <dir>`: makes `schemas/parity.json` anew from the official files,
 * `<dir>/<source>/schema.ts` and `schema.json`. For a maintainer who takes in a revision; the test
 * only reads the lock.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { revisionDocument } from '../emit/messages.js';
import { OVERRIDES } from '../overrides.js';
import { readSources, type RevisionEntry } from '../sources.js';
import {
  nominalHash,
  schemaHash,
  type ParityEntry,
  type ParityException,
  type ParityLock,
} from './parity.js';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({ options: { official: { type: 'string' } } });
if (values.official === undefined) {
  console.error(
    'usage: npm run parity -- --official <dir with <revision>/schema.ts and schema.json>',
  );
  process.exit(1);
}
const official = values.official;
const theirs = readSources(ROOT, official);
const ours = readSources(ROOT);

const lock: ParityLock = {
  $comment:
    'Hashes of the official definitions. Made by `npm run parity`; see codegen/parity/parity.ts.',
  definitions: {},
  exceptions: [],
};

for (const { revision } of ours.revisions) {
  const model = theirs.models[revision];
  if (model) lockSource(revision, revision, model);
}
for (const { source, standsOn } of ours.extensions) {
  const model = theirs.extensionModels[source];
  if (model) lockSource(source, standsOn, model);
}
writeFileSync(join(ROOT, 'schemas/parity.json'), `${JSON.stringify(lock, null, 2)}\n`);
nameWhatItWasProvenAgainst();

function lockSource(source: string, revision: string, model: (typeof theirs.models)[string]): void {
  const document = readDefinitions(join(official, source, 'schema.json'));
  const mine = revisionDocument(ours, revision).$defs;
  const entries: Record<string, ParityEntry> = {};
  for (const name of Object.keys(model.definitions).sort()) {
    const override = OVERRIDES.find((o) => o.definition === name);
    const hash = schemaHash(document, name);
    entries[name] = { schema: hash, nominal: nominalHash(model, name) };
    if (override) {
      const exception: ParityException = {
        source,
        definition: name,
        official: hash,
        ours: schemaHash(mine, name),
        reason: override.reason,
      };
      lock.exceptions.push(exception);
    }
  }
  lock.definitions[source] = entries;
  console.log(`${source}: ${Object.keys(entries).length} definitions`);
}

/** In the list of revisions stands the digest of the official file that ours was found equal to. */
function nameWhatItWasProvenAgainst(): void {
  const file = join(ROOT, 'schemas/revisions.json');
  const listed = JSON.parse(readFileSync(file, 'utf8')) as Pick<
    typeof ours,
    'revisions' | 'extensions'
  >;
  const digest = (source: string): RevisionEntry['digest'] => {
    const bytes = readFileSync(join(official, source, 'schema.json'));
    const value = createHash('sha256').update(bytes).digest('hex');
    return { algorithm: 'sha256', of: 'schema.json', value };
  };
  for (const entry of listed.revisions) entry.digest = digest(entry.revision);
  for (const entry of listed.extensions) entry.digest = digest(entry.source);
  writeFileSync(file, `${JSON.stringify(listed, null, 2)}\n`);
}

function readDefinitions(file: string): Record<string, unknown> {
  const schema = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return (schema['$defs'] ?? schema['definitions']) as Record<string, unknown>;
}
