import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../src/audit/checks.js';
import { asSarif } from '../../src/audit/sarif.js';
import { validateText, type Validated } from '../../src/audit/validate.js';
import { BASES, MUTATIONS, mutated, type Base } from './mutations.js';

const found = (results: readonly Validated[]) => results.flatMap(({ findings }) => findings);
const ids = (results: readonly Validated[]) => found(results).map(({ check }) => check);
const lines = (...messages: unknown[]): string => messages.map((m) => JSON.stringify(m)).join('\n');

async function checked(message: unknown, { revision, method }: Omit<Base, 'message'>) {
  return found(
    await validateText(JSON.stringify(message), {
      revision,
      ...(method !== undefined && { method }),
      strict: false,
    }),
  );
}

describe('a message', () => {
  test.each(Object.entries<Base>(BASES))('%s is valid as it is', async (_name, base) => {
    expect(await checked(base.message, base)).toEqual([]);
  });

  test.each(
    MUTATIONS.map((one) => [`${one.of}${one.set} = ${JSON.stringify(one.to)}`, one] as const),
  )('%s is reported where it is wrong, as what it is', async (_name, mutation) => {
    const { of, set, check, at, hint } = mutation;
    const findings = await checked(mutated(mutation), BASES[of]);
    const pointers = findings.filter((one) => one.check === check).map((one) => one.pointer);
    expect(pointers).toContain(at ?? set);
    if (hint !== undefined) {
      expect(findings.map((one) => one.hint ?? '').join('\n')).toContain(hint);
    }
  });

  test('enough of them are tried, and most checks', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(60);
    const tried = new Set(MUTATIONS.map(({ check }) => check));
    expect(Object.keys(CHECKS).filter((id) => !tried.has(id as keyof typeof CHECKS))).toEqual([
      'json-syntax',
      'frame-batch',
      'method-sender',
      'schema-other',
      'answer-unasked',
      'id-reused',
      'header-version',
      'header-method',
      'unjudged',
    ]);
  });

  test('that nests deeper than a server takes is reported', async () => {
    const text = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const results = await validateText(text, { revision: '2025-06-18', strict: false });
    expect(found(results)).toMatchObject([
      { check: 'json-syntax', message: 'nests deeper than 256 levels' },
    ]);
  });

  const revision = '2025-06-18';
  const manyOf = (item: object) => Array.from({ length: 30_000 }, () => item);

  /** In seconds. Time that grows with the square would be half a minute and more for a union. */
  const BOUND = 15;

  test.each([
    ['as a message', { method: 'tools/list' }, { tools: manyOf({ name: 'a' }) }],
    ['as a type', { as: 'ListToolsResult' }, { tools: manyOf({ name: 'a' }) }],
    ['in a union', { as: 'CallToolResult' }, { content: manyOf({ type: 'text' }) }],
    [
      'in a schema that it holds',
      { as: 'Tool' },
      { name: 'a', inputSchema: { properties: Object.assign({}, manyOf({ type: 'none' })) } },
    ],
  ])(
    'that is wrong in thousands of places, %s, is judged in time that grows with them',
    async (_how, options, result) => {
      const value = 'as' in options ? result : { jsonrpc: '2.0', id: 1, result };
      const started = performance.now();
      const all = found(
        await validateText(JSON.stringify(value), { revision, strict: false, ...options }),
      );
      expect((performance.now() - started) / 1000).toBeLessThan(BOUND);
      expect(new Set(all.map(({ pointer }) => pointer)).size).toBeGreaterThanOrEqual(30_000);
    },
    60_000,
  );

  test('with a field of another revision is told since when there is one', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'a', inputSchema: { type: 'object' }, icons: [] }] },
    };
    const [finding] = await checked(message, { revision: '2025-06-18', method: 'tools/list' });
    expect(finding).toMatchObject({
      check: 'foreign-field',
      exists: 'Tool.icons since 2025-11-25',
      allowed: expect.stringContaining('Tool has { _meta, annotations') as unknown,
    });
  });

  test('is an error in all it breaks where it is judged strictly', async () => {
    const mutation = MUTATIONS.find(({ check }) => check === 'foreign-field');
    if (mutation === undefined) throw new Error('no such mutation');
    const { revision, method } = BASES[mutation.of];
    const text = JSON.stringify(mutated(mutation));
    const severities = async (strict: boolean) =>
      found(await validateText(text, { revision, ...(method && { method }), strict })).map(
        ({ severity }) => severity,
      );
    expect(await severities(false)).toEqual(['warning']);
    expect(await severities(true)).toEqual(['error']);
  });

  test('that is no JSON is reported, and so is a result that nothing is known of', async () => {
    expect(ids(await validateText('{"jsonrpc"', { strict: false }))).toEqual(['json-syntax']);
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(ids(await validateText(answer, { strict: false }))).toEqual(['unjudged']);
    expect(ids(await validateText(answer, { revision: '2025-06-18', strict: false }))).toEqual([
      'unjudged',
    ]);
  });
});

describe('a transcript', () => {
  const initialize = (id: number, protocolVersion: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  });
  const agreed = (id: number, protocolVersion: string) => ({
    jsonrpc: '2.0',
    id,
    result: { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } },
  });
  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
  const tools = (id: number, extra: object) => ({
    jsonrpc: '2.0',
    id,
    result: { tools: [{ name: 'a', inputSchema: { type: 'object' }, ...extra }] },
  });

  test('is judged by the revision that was agreed upon', async () => {
    const text = lines(
      initialize(1, '2025-06-18'),
      agreed(1, '2024-11-05'),
      list(2),
      tools(2, { title: 'A' }),
    );
    const results = await validateText(text, { strict: false });
    expect(results.map(({ revision }) => revision)).toEqual([
      '2025-06-18',
      '2024-11-05',
      '2024-11-05',
      '2024-11-05',
    ]);
    expect(results.at(-1)).toMatchObject({
      line: 4,
      method: 'tools/list',
      findings: [{ check: 'foreign-field', pointer: '/result/tools/0/title' }],
    });
  });

  test('may be an array, and mix eras', async () => {
    const modern = {
      ...list(3),
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const text = JSON.stringify([
      initialize(1, '2025-11-25'),
      agreed(1, '2025-11-25'),
      modern,
      tools(3, {}),
    ]);
    const results = await validateText(text, { strict: false });
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(results[3]).toMatchObject({ revision: '2026-07-28', method: 'tools/list' });
    expect(new Set(ids(results))).toEqual(new Set(['schema-required']));
  });

  test('may say who sends, and what only the other one sends is reported', async () => {
    const text = lines({ direction: 'server-to-client', message: list(1) });
    expect(ids(await validateText(text, { revision: '2025-06-18', strict: false }))).toEqual([
      'method-sender',
    ]);
  });

  test('with headers is held to them', async () => {
    const params = {
      name: 'a',
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headed = (headers: object) => lines({ direction: 'client-to-server', headers, message });
    const all = {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'a',
    };
    const of = async (headers: object) =>
      ids(await validateText(headed(headers), { strict: false }));
    expect(await of(all)).toEqual([]);
    expect(await of({ ...all, 'Mcp-Name': 'b' })).toEqual(['header-method']);
    expect(await of({})).toEqual(['header-version', 'header-method', 'header-method']);
  });

  test('reports ids that are used twice, and answers to nothing', async () => {
    const text = lines(list(1), tools(1, {}), list(1), tools(7, {}));
    expect(ids(await validateText(text, { revision: '2025-06-18', strict: false }))).toEqual([
      'id-reused',
      'answer-unasked',
    ]);
  });

  test('reports batches where the revision has none, and judges what is in them', async () => {
    const text = `${JSON.stringify(list(9))}\n${JSON.stringify([list(1), { jsonrpc: '2.0' }])}`;
    expect(ids(await validateText(text, { revision: '2025-06-18', strict: false }))).toEqual([
      'frame-batch',
      'frame',
    ]);
    const batched = await validateText(text, { revision: '2025-03-26', strict: false });
    expect(found(batched)).toMatchObject([{ check: 'frame', pointer: '/1' }]);
  });

  test('goes on after a line that is no JSON', async () => {
    const text = `${JSON.stringify(list(1))}\noops\n\n${JSON.stringify(tools(1, {}))}`;
    const results = await validateText(text, { revision: '2025-06-18', strict: false });
    expect(results.map(({ line, findings }) => [line, findings.length])).toEqual([
      [1, 0],
      [2, 1],
      [4, 0],
    ]);
  });
});

describe('a value of a definition', () => {
  const as = async (definition: string, value: unknown) =>
    found(
      await validateText(JSON.stringify(value), {
        revision: '2025-06-18',
        as: definition,
        strict: false,
      }),
    );

  test('is judged as that', async () => {
    expect(await as('Tool', { name: 'a', inputSchema: { type: 'object' } })).toEqual([]);
    expect(
      await as('Tool', {
        name: 'a',
        inputSchema: { type: 'object', properties: { a: { type: 'int' } } },
        icons: [],
      }),
    ).toMatchObject([
      { check: 'foreign-field', pointer: '/icons', exists: 'Tool.icons since 2025-11-25' },
      { check: 'embedded-schema', pointer: '/inputSchema/properties/a/type' },
    ]);
  });

  test('that has a message is not taken for a line of a transcript', async () => {
    expect(
      await as('ProgressNotification', { message: { method: 'notifications/progress' } }),
    ).toMatchObject([{ check: 'schema-required' }, { check: 'schema-required' }]);
  });

  test('is refused where the revision has no such definition, with those that come near', async () => {
    await expect(as('Tol', {})).rejects.toThrow('2025-06-18 has no definition Tol');
    await expect(as('ToolAnn', {})).rejects.toThrow('it has ToolAnnotations');
  });
});

test('SARIF names the rule, the line and the place of each finding', async () => {
  const text = lines(
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 2, method: 'nope' },
  );
  const results = await validateText(text, { revision: '2025-06-18', strict: false });
  expect(asSarif(results, { file: 'a.jsonl', version: '1' })).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        results: [
          {
            ruleId: 'method-unknown',
            level: 'error',
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'a.jsonl' },
                  region: { startLine: 2 },
                },
              },
            ],
          },
        ],
      },
    ],
  });
});
