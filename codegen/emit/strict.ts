/**
 * The strict validators: what leaves is valid for the peer's revision, and holds nothing that some
 * revision defines at that place but this one does not. Fields that no revision has are an author's.
 */
import type { TypeNode } from '../model.js';
import type { Places } from '../places/places.js';
import type { Sources } from '../sources.js';
import { emitValidators, sourceNames } from './messages.js';
import { schemaDocument, type JsonSchema, type SchemaDocument } from './json-schema.js';

export function emitStrict(sources: Sources, places: Places): Map<string, string> {
  const files = new Map<string, string>();
  for (const { revision } of sources.revisions) {
    const document = strictDocument(sources, places, revision);
    // As data too, for whoever asks about a definition that is no message.
    files.set(`generated/${revision}/strict-schema.json`, `${JSON.stringify(document, null, 2)}\n`);
    emitValidators(files, sources, revision, {
      document,
      module: 'strict',
      tables: 'strict-messages',
      thorough: true,
    });
  }
  return files;
}

export function strictDocument(sources: Sources, places: Places, revision: string): SchemaDocument {
  const model = places.models[revision];
  if (model === undefined) throw new Error(`no model of revision ${revision}`);
  return schemaDocument([model], sourceNames(sources, revision), (node, schema) =>
    node.kind === 'object' ? withoutForeign(node, schema, revision, places) : schema,
  );
}

function withoutForeign(
  node: TypeNode & { kind: 'object' },
  schema: JsonSchema,
  revision: string,
  places: Places,
): JsonSchema {
  const foreign = places.foreign(revision, node);
  if (foreign.length === 0) return schema;
  const refused = Object.fromEntries(foreign.map((property) => [property, false]));
  return { ...schema, properties: { ...(schema['properties'] as object | undefined), ...refused } };
}
