import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { revisionDocument } from '../../codegen/emit/messages.js';
import { schemaDocument } from '../../codegen/emit/json-schema.js';
import { nominalHash, schemaHash, type ParityLock } from '../../codegen/parity/parity.js';
import { readModel } from '../../codegen/read/reader.js';
import { readSources } from '../../codegen/sources.js';

const root = new URL('../../', import.meta.url).pathname;
const lock = JSON.parse(readFileSync(`${root}schemas/parity.json`, 'utf8')) as ParityLock;
const sources = readSources(root);

const all = [
  ...sources.revisions.map((r) => ({ source: r.revision, standsOn: r.revision })),
  ...sources.extensions,
];

describe.each(all)('parity of $source with the official files', ({ source, standsOn }) => {
  const model = sources.models[source] ?? sources.extensionModels[source];
  if (!model) throw new Error(`no model of ${source}`);
  const locked = lock.definitions[source] ?? {};
  const definitions = revisionDocument(sources, standsOn).$defs;
  const excepted = lock.exceptions.filter((exception) => exception.source === source);

  test('has the same definitions', () => {
    expect(Object.keys(model.definitions).sort()).toEqual(Object.keys(locked).sort());
  });

  test.each(Object.keys(locked))('%s says the same', (name) => {
    const exception = excepted.find((e) => e.definition === name);
    const hash = schemaHash(definitions, name);
    if (exception) {
      expect(hash).toBe(exception.ours);
      expect(locked[name]?.schema).toBe(exception.official);
    } else {
      expect(hash).toBe(locked[name]?.schema);
    }
    expect(nominalHash(model, name)).toBe(locked[name]?.nominal);
  });
});

test('the reviewed exceptions are ElicitResult and JSONValue, and no other', () => {
  const names = new Set(lock.exceptions.map((exception) => exception.definition));
  expect([...names].sort()).toEqual(['ElicitResult', 'JSONValue']);
});

test('ElicitResult is an exception for its numbers alone: without the override it is equal', () => {
  for (const exception of lock.exceptions.filter((e) => e.definition === 'ElicitResult')) {
    const model = readModel(exception.source, `${root}schemas/${exception.source}/schema.ts`);
    const { $defs } = schemaDocument([model], []);
    expect(schemaHash($defs, 'ElicitResult')).toBe(exception.official);
  }
});

test('every revision names the official schema.json it was proven against', () => {
  for (const { digest } of [...sources.revisions, ...sources.extensions]) {
    expect(digest).toMatchObject({ algorithm: 'sha256', of: 'schema.json' });
    expect(digest.value).toMatch(/^[0-9a-f]{64}$/);
  }
});
