/** Every case from the field has a test whose title begins with its id, and no title an id of none. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** What went wrong for people who run such servers and gateways. */
const CASES: Readonly<Record<string, string>> = {
  B01: 'a handshake refused, or answered without regard to what was asked for',
  B02: 'one era in the messages of the other',
  B03: 'a probe that only one answer leads back from',
  B04: 'a probe that ends the process it was meant for',
  B06: 'numbers of errors from a draft',
  B07: 'upstreams that clients of another era never see',
  B09: 'the envelope of a result missing, or where it has no place',
  B10: 'a question that reads as an empty answer',
  B11: 'a link for clients that only fill in forms, and ids of links',
  B12: 'headers that say something else than the body',
  B15: 'structured results for clients from before there were any',
  B16: 'a schema without its result, a result without its text',
  B17: 'structured results that are no object',
  B18: 'blocks that a client has never heard of',
  B20: 'input schemas that take the whole list down',
  B21: 'schemas in an older dialect',
  B22: 'references in schemas: in circles, to nowhere, into the network',
  B23: 'numbers rounded on the way',
  B26: 'GET, DELETE and OPTIONS on the endpoint',
  B28: 'pages that rebind a name, and proxies that are kept out',
  B29: 'the version header on the way to an upstream',
  B31: 'batches',
  B33: 'progress for the wrong client, or after the end',
  B35: 'lists of several pages',
  B37: 'names that collide, or are too long, or odd',
  B38: 'capabilities that nobody has',
  B40: 'questions of a server that never arrive',
  B41: 'event streams in every spelling, cut anywhere',
  B44: 'what is too large',
  B45: 'lines cut anywhere, and noise between them',
  B47: 'upstreams that crash',
  B48: 'commands on Windows, and commands that are not there',
  B51: 'parameters of one name, and bodies that are no object',
  B54: 'documents of many hundred operations',
};

const TESTS = fileURLToPath(new URL('../', import.meta.url));
const TITLE = /\(\s*(['"`])(B\d+): \S/g;

/** Ids in titles, with the files they stand in. */
function namedIds(): Map<string, string[]> {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' });
  const found = new Map<string, string[]>();
  for (const file of files.filter((name) => name.endsWith('.test.ts'))) {
    for (const [, , id = ''] of readFileSync(join(TESTS, file), 'utf8').matchAll(TITLE)) {
      found.set(id, [...(found.get(id) ?? []), file]);
    }
  }
  return found;
}

const named = namedIds();

it.each(Object.entries(CASES))('the case %s (%s) has a test that names it', (id) => {
  expect([...named.keys()]).toContain(id);
});

it('no test names a case that there is not', () => {
  const unknown = [...named].filter(([id]) => !(id in CASES));
  expect(unknown).toEqual([]);
});
