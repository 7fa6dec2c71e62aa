import { describe, expect, it } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { validateText } from '../../src/audit/validate.js';
import { ALL_REVISIONS, isModern } from '../support/peers.js';
import { recordingServer } from '../support/recording-server.js';
import { gateway, scripted, toolsPage } from '../support/gateway.js';
import '../support/strict.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const NEWEST_DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const OK = { content: [{ type: 'text', text: 'ok' }] };

async function listed(...schemas: unknown[]) {
  const tools = schemas.map((inputSchema, at) => ({ name: `t${at}`, inputSchema }));
  const results = Object.fromEntries(tools.map(({ name }) => [`tools/call ${name}`, OK]));
  const opened = await gateway({ up: scripted({ pages: toolsPage(...tools), results }) });
  return { ...opened, newest: await opened.client(NEWEST) };
}

describe('degenerate input schemas', () => {
  const schemas = [
    { type: 'object', properties: [] },
    { $schema: DRAFT_07 },
    { type: 'object', properties: { any: true, none: false } },
    {},
    null,
    { type: ['object', 'null'], properties: { a: { type: 'any' } }, required: null },
    { type: 'object', properties: { a: null, b: { type: 'string', pattern: '\\_' } } },
  ];

  it.each(ALL_REVISIONS)(
    'B20: are mended, so that no list fails, for a client of %s',
    async (rev) => {
      const { client } = await listed(...schemas);
      const tools = await (await client(rev)).tools();
      expect(tools).toHaveLength(schemas.length);
      for (const { inputSchema } of tools) {
        expect(inputSchema['type']).toBe('object');
        expect(Array.isArray(inputSchema['properties'])).toBe(false);
      }
    },
  );

  it('B20: have boolean subschemas spelled out for revisions that take objects only', async () => {
    const { client } = await listed(schemas[2]);
    const older = await (await client('2025-11-25')).tools();
    expect(older[0]?.inputSchema['properties']).toEqual({ any: {}, none: { not: {} } });
    const newer = await (await client(NEWEST)).tools();
    expect(newer[0]?.inputSchema['properties']).toEqual({ any: true, none: false });
  });

  it('B20: that are mended can be called, and each repair is counted and told', async () => {
    const { newest, diagnostics, backends } = await listed(...schemas);
    for (const name of await newest.names()) expect(await newest.text(name)).toBe('ok');
    const findings = backends['up']?.findings ?? [];
    const repaired = findings.filter(({ kind }) => kind === 'repaired');
    expect(diagnostics.count('upstream-schema-repaired')).toBe(repaired.length);
    expect(diagnostics.count('upstream-schema-translated')).toBe(1);
    expect(findings).toHaveLength(repaired.length + 1);
    expect(findings).toContainEqual({
      tool: 't0',
      kind: 'repaired',
      pointer: '/inputSchema/properties',
      what: '[] became {}',
    });
  });

  it('B20: that nothing can be made of take their own tool away, and no other', async () => {
    const hopeless = [{ type: 'string' }, [], 'object', { type: 'object', properties: [{}] }];
    const { newest, backends, diagnostics } = await listed(...hopeless, { type: 'object' });
    expect(await newest.names()).toEqual(['up_t4']);
    expect(diagnostics.count('upstream-tool-isolated')).toBe(hopeless.length);
    expect(backends['up']?.findings.map(({ tool, kind }) => [tool, kind])).toEqual(
      hopeless.map((_, at) => [`t${at}`, 'isolated']),
    );
  });
});

describe('validate', () => {
  const tools = [
    { name: 'p', inputSchema: { type: 'object', properties: [] } },
    { name: 'q', inputSchema: { $schema: DRAFT_07 } },
    { name: 'r', inputSchema: { type: 'object', properties: { any: true } } },
  ];

  it.each(ALL_REVISIONS)('B20: says which of them %s accepts', async (revision) => {
    const envelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const result = isModern(revision) ? { ...envelope, tools } : { tools };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
    const judged = await validateText(text, { revision, method: 'tools/list', strict: true });
    const faulty = judged.flatMap(({ findings }) => findings.map(({ pointer }) => pointer));
    expect(new Set(faulty)).toEqual(
      new Set([
        '/result/tools/0/inputSchema/properties',
        '/result/tools/1/inputSchema',
        ...(isModern(revision) ? [] : ['/result/tools/2/inputSchema/properties/any']),
      ]),
    );
  });

  it.each(ALL_REVISIONS)('B22: asks nobody for what a schema of %s refers to', async (revision) => {
    const canary = await recordingServer();
    const inputSchema = { type: 'object', properties: { x: { $ref: `${canary.url}/x.json` } } };
    const result = { tools: [{ name: 'x', inputSchema }] };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
    await validateText(text, { revision, method: 'tools/list', strict: true });
    expect(canary.requests).toEqual([]);
  });
});

describe('a schema that declares draft-07', () => {
  const schema = {
    $schema: DRAFT_07,
    type: 'object',
    properties: {
      pair: {
        type: 'array',
        items: [{ type: 'string' }, { type: 'number' }],
        additionalItems: false,
      },
      k: { $ref: '#/definitions/K', minLength: 99 },
      first: { $ref: '#/properties/pair/items/0' },
      items: { type: 'array', items: { type: 'string' } },
    },
    dependencies: { pair: ['k'], k: { required: ['first'] } },
    definitions: { K: { enum: ['a', 'b'] } },
  };

  it('B21: is translated to 2020-12, and not only declared anew', async () => {
    const { newest } = await listed(schema);
    expect((await newest.tools())[0]?.inputSchema).toEqual({
      $schema: NEWEST_DIALECT,
      type: 'object',
      properties: {
        pair: {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'number' }],
          items: false,
        },
        k: { $ref: '#/$defs/K' },
        first: { $ref: '#/properties/pair/prefixItems/0' },
        items: { type: 'array', items: { type: 'string' } },
      },
      dependentRequired: { pair: ['k'] },
      dependentSchemas: { k: { required: ['first'] } },
      $defs: { K: { enum: ['a', 'b'] } },
    });
  });

  it.each([
    [{ pair: ['x', 1], k: 'a', first: 's' }, true],
    [{ pair: ['x', 1, 2], k: 'a', first: 's' }, false],
    [{ pair: ['x', 1], first: 's' }, false],
    [{ k: 'a' }, false],
    [{ k: 'c', first: 's' }, false],
    [{ k: 'b', first: 1 }, false],
  ])('B21: means what it meant: %j', async (args, fits) => {
    const { newest } = await listed(schema);
    expect((await newest.call('up_t0', args)).isError === true).toBe(!fits);
  });

  it.each(['http://json-schema.org/draft-04/schema#', 'http://json-schema.org/draft-06/schema'])(
    'B21: or %s',
    async (dialect) => {
      const older = { $schema: dialect, id: 'urn:x', properties: { n: { minimum: 1 } } };
      const bounds = { minimum: 1, exclusiveMinimum: true };
      const { newest } = await listed({ ...older, properties: { n: bounds } });
      expect((await newest.tools())[0]?.inputSchema).toEqual({
        $schema: NEWEST_DIALECT,
        type: 'object',
        $id: 'urn:x',
        properties: { n: { exclusiveMinimum: 1 } },
      });
    },
  );

  it('B21: or a dialect that nobody knows, which is isolated with its name', async () => {
    const { newest, backends } = await listed({ $schema: 'urn:my-own', type: 'object' }, {});
    expect(await newest.names()).toEqual(['up_t1']);
    expect(backends['up']?.findings[0]?.what).toContain('urn:my-own');
  });
});

describe('references in a schema', () => {
  it('B22: stay where they lead in circles', async () => {
    const schema = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/Node' }, s: { $ref: '#/properties/n' } },
      $defs: { Node: { type: 'object', properties: { child: { $ref: '#/$defs/Node' } } } },
    };
    const { newest } = await listed(schema);
    expect((await newest.tools())[0]?.inputSchema).toEqual(schema);
    expect(await newest.text('up_t0', { n: { child: { child: {} } } })).toBe('ok');
    expect((await newest.call('up_t0', { n: { child: 3 } })).isError).toBe(true);
  });

  it('B22: into the network are never followed, and isolate their tool', async () => {
    const canary = await recordingServer();
    const { newest, backends } = await listed(
      { type: 'object', properties: { x: { $ref: `${canary.url}/x.json` } } },
      { type: 'object' },
    );
    expect(await newest.names()).toEqual(['up_t1']);
    expect(canary.requests).toEqual([]);
    expect(backends['up']?.findings[0]).toMatchObject({ tool: 't0', kind: 'isolated' });
  });

  it('B22: that lead nowhere isolate their tool', async () => {
    const { newest } = await listed(
      { type: 'object', properties: { x: { $ref: '#/$defs/Gone' } } },
      { type: 'object' },
    );
    expect(await newest.names()).toEqual(['up_t1']);
  });

  it.each(ALL_REVISIONS)('B22: reach a client of %s whole, with what they lead to', async (rev) => {
    const schema = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/Node' }, s: { $ref: '#/properties/n' } },
      $defs: { Node: { type: 'object', properties: { child: { $ref: '#/$defs/Node' } } } },
    };
    const { client } = await listed(schema);
    expect((await (await client(rev)).tools())[0]?.inputSchema).toEqual(schema);
  });

  it('B22: and schemas beyond all number isolate their tool', async () => {
    const anyOf = Array.from({ length: 10_000 }, () => ({}));
    const { newest, backends } = await listed({ type: 'object', properties: { a: { anyOf } } }, {});
    expect(await newest.names()).toEqual(['up_t1']);
    expect(backends['up']?.findings[0]?.what).toContain('more than 10000 schemas');
  });

  it('B22: and depth beyond all measure isolate their tool', async () => {
    let deep: object = {};
    for (let level = 0; level < 200; level++) deep = { not: deep };
    const { newest } = await listed({ type: 'object', properties: { deep } }, {});
    expect(await newest.names()).toEqual(['up_t1']);
  });
});
