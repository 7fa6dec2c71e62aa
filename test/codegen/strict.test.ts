import { describe, expect, test } from 'vitest';
import { loadStrict } from '../../generated/validators.js';
import { NEWEST, REVISIONS, type Revision } from '../../generated/revisions.js';

async function faults(revision: Revision, method: string, result: object): Promise<string[]> {
  const validate = (await loadStrict(revision)).results[method];
  if (validate === undefined) throw new Error(`${revision} has no ${method}`);
  return validate(result) ? [] : (validate.errors ?? []).map((error) => error.instancePath);
}

const tool = { name: 'echo', inputSchema: { type: 'object' } };
const envelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' };
const listing = (revision: Revision, extra: object): object => ({
  ...(revision === NEWEST ? envelope : {}),
  tools: [{ ...tool, ...extra }],
});

describe.each(REVISIONS)('what leaves for $revision', ({ revision }) => {
  test('may hold what no revision defines', async () => {
    expect(await faults(revision, 'tools/list', listing(revision, { 'x-mine': 1 }))).toEqual([]);
  });

  test('may not hold what only others define', async () => {
    const field = revision === '2025-11-25' ? 'ttlMs' : 'execution';
    const extra = revision === '2025-11-25' ? {} : { execution: { taskSupport: 'optional' } };
    const list = { ...listing(revision, extra), ...(revision === '2025-11-25' && { ttlMs: 1 }) };
    const at = await faults(revision, 'tools/list', list);
    expect(at).toContain(field === 'ttlMs' ? '/ttlMs' : '/tools/0/execution');
  });

  test('may hold any keyword in a schema an author wrote', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      title: 'T',
      $defs: { A: true },
      icons: [],
      oneOf: [{}],
    };
    expect(await faults(revision, 'tools/list', listing(revision, { inputSchema }))).toEqual([]);
  });
});

test('every fault is told, not the first alone', async () => {
  const at = await faults(
    '2024-11-05',
    'tools/list',
    listing('2024-11-05', { title: 'E', icons: [] }),
  );
  expect(at.sort()).toEqual(['/tools/0/icons', '/tools/0/title']);
});

test('a format is asserted in what leaves', async () => {
  const result = { contents: [{ uri: 'no uri', text: '' }] };
  expect(await faults('2025-06-18', 'resources/read', result)).toContain('/contents/0/uri');
});
