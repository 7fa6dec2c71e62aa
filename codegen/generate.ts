/** Everything that stands in `generated/`, as path → text. Pure: reads and writes no file. */
import { bindDecisions } from './decisions/bind.js';
import { UndecidedError, decide, type Decided } from './decisions/decision.js';
import { DECISIONS } from './decisions/table.js';
import { readingList } from './diff/reading-list.js';
import { emitAliases } from './emit/aliases.js';
import { emitConstants, emitMethods, emitRevisions } from './emit/facts-of-revisions.js';
import { schemaDocument } from './emit/json-schema.js';
import { emitReceived, emitValidateIndex, revisionDocument, sourceNames } from './emit/messages.js';
import { emitProjections } from './emit/projections.js';
import { emitStrict } from './emit/strict.js';
import { typesOf } from './emit/types.js';
import { emitFacts } from './facts.js';
import { Places } from './places/places.js';
import type { Change } from './projection/changes.js';
import { draftProjection } from './projection/table-of.js';
import { emitReports } from './reports/reports.js';
import type { Sources } from './sources.js';

export async function generate(sources: Sources): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const order = sources.revisions.map((r) => r.revision);
  const add = (more: ReadonlyMap<string, string>): void => {
    for (const [path, text] of more) {
      if (files.has(path)) throw new Error(`two emitters write ${path}`);
      files.set(path, text);
    }
  };
  add(emitRevisions(sources));
  add(emitMethods(sources));
  add(emitConstants(sources));
  add(emitFacts(order));
  add(emitAliases(sources));
  for (const revision of order) add(await emitDefinitions(sources, revision));
  for (const extension of sources.extensions) add(await emitExtension(sources, extension.source));
  add(emitReceived(sources));
  add(emitValidateIndex(sources));
  const places = new Places(sources);
  add(emitStrict(sources, places));
  const drafted = order.map((revision) => draftProjection(sources, places, revision));
  const changes = drafted.flatMap((draft) => draft.changes);
  const decided = decideOr(changes, () => readingList(places));
  add(
    emitProjections(
      drafted.map((draft) =>
        bindDecisions(
          draft,
          decided.filter(({ change }) => change.revision === draft.revision),
        ),
      ),
    ),
  );
  add(emitReports(sources, places, decided));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whoever has to decide is told beside it what else the newest revision brought. */
function decideOr(changes: readonly Change[], alsoRead: () => string[]): Decided[] {
  try {
    return decide(changes, DECISIONS);
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    throw new Error([error.message, ...alsoRead()].join('\n'), { cause: error });
  }
}

async function emitDefinitions(sources: Sources, revision: string): Promise<Map<string, string>> {
  const model = sources.models[revision];
  if (!model) throw new Error(`no model of revision ${revision}`);
  const from = [`schemas/${revision}/schema.ts`];
  const document = schemaDocument([model], from);
  return new Map([
    [`generated/${revision}/schema.json`, json(document)],
    [`generated/${revision}/types.ts`, await typesOf(document, from)],
  ]);
}

/** An extension's definitions stand with those of the revision it builds on. */
async function emitExtension(sources: Sources, source: string): Promise<Map<string, string>> {
  const extension = sources.extensions.find((e) => e.source === source);
  if (!extension) throw new Error(`no extension ${source}`);
  const document = revisionDocument(sources, extension.standsOn);
  const from = sourceNames(sources, extension.standsOn);
  return new Map([
    [`generated/${source}/schema.json`, json(document)],
    [`generated/${source}/types.ts`, await typesOf(document, from)],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
