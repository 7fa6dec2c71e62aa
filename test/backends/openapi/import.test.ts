/** Which operations of a document become tools, under which names, and what is told of the rest. */
import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OpenApiBackend } from '../../../src/backends/openapi/backend.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { clientOf } from '../../support/backend-client.js';
import {
  documentFile,
  documentOf,
  imported,
  operationAt,
  serveApi,
} from '../../support/openapi.js';
import { recordingServer } from '../../support/recording-server.js';
import '../../support/strict.js';

const OK = { responses: { 200: { description: 'ok' } } };

async function namesOf(document: unknown, target: object = {}): Promise<string[]> {
  const { backend } = await imported(document, target);
  return (await backend.tools()).map(({ name }) => name);
}

describe('the name of a tool', () => {
  it('is the operationId, in characters that all clients take', async () => {
    const ids = ['listPets', 'pets/list', 'Pets.list-all', 'Katze schön', '//', ''];
    const paths = Object.fromEntries(
      ids.map((operationId, at) => [`/p${at}`, { get: { operationId, ...OK } }]),
    );
    expect(await namesOf(documentOf(paths))).toEqual([
      'listPets',
      'pets_list',
      'Pets.list-all',
      'Katze_sch_n',
      expect.stringMatching(/^operation_[0-9a-f]{8}$/),
      'get_p5',
    ]);
  });

  it('B51: is made of method and path where there is no operationId', async () => {
    const paths = { '/bulk': { post: OK }, '/u/{id}/files/{name}.json': { get: OK, delete: OK } };
    expect(await namesOf(documentOf(paths))).toEqual([
      'post_bulk',
      'get_u_id_files_name_.json',
      'delete_u_id_files_name_.json',
    ]);
  });

  it('is cut to 64 characters, and stays unique, the same on every start', async () => {
    const paths = {
      [`/${'a'.repeat(80)}/x`]: { get: OK },
      [`/${'a'.repeat(80)}/y`]: { get: OK },
      '/b': { get: { operationId: 'same', ...OK } },
      '/c': { get: { operationId: 'same', ...OK } },
      '/d/{e}': { get: OK },
      '/d/e': { get: OK },
    };
    const { backend, report, diagnostics } = await imported(documentOf(paths));
    const names = (await backend.tools()).map(({ name }) => name);
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    expect(names[2]).toBe('same');
    expect(names[3]).toMatch(/^same_[0-9a-f]{8}$/);
    expect(names[5]).toMatch(/^get_d_e_[0-9a-f]{8}$/);
    expect(await namesOf(documentOf(paths))).toEqual(names);
    expect(report.renamed.map(({ operation }) => operation)).toEqual([
      `GET /${'a'.repeat(80)}/x`,
      `GET /${'a'.repeat(80)}/y`,
      'GET /c',
      'GET /d/e',
    ]);
    expect(diagnostics.count('openapi-renamed')).toBe(4);
  });
});

describe('a tool', () => {
  it('says what the document says of the operation', async () => {
    const operation = { summary: 'Find pets', description: 'By name.', deprecated: true };
    const { backend } = await imported(operationAt('/pets', operation));
    expect((await backend.tools())[0]).toMatchObject({
      title: 'Find pets',
      description: 'Deprecated.\n\nFind pets\n\nBy name.\n\nGET /pets',
    });
  });

  it.each([
    ['get', { readOnlyHint: true }],
    ['head', { readOnlyHint: true }],
    ['post', { readOnlyHint: false }],
    ['put', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['patch', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['delete', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ])('hints at what %s means', async (method, annotations) => {
    const api = await serveApi(operationAt('/x', {}, method));
    expect((await api.tool('op')).annotations).toEqual(annotations);
    await api.call('op');
    expect(api.service.last().method).toBe(method.toUpperCase());
  });
});

describe('a large document', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 700 }, (_, at) => [
      `/${at % 2 === 0 ? 'even' : 'odd'}/${at}`,
      {
        get: { operationId: `get${at}`, tags: [`t${at % 10}`], ...OK },
        ...(at < 10 ? { delete: { operationId: `delete${at}`, ...OK } } : {}),
      },
    ]),
  );
  const document = documentOf(paths);

  it('B54: is listed page by page, counted, and told to be large', async () => {
    const { backend, report, diagnostics } = await imported(document);
    expect(diagnostics.count('openapi-many-tools')).toBe(1);
    const { client } = await clientOf(backend);
    const page = await client.result('tools/list');
    expect(page['tools']).toHaveLength(100);
    expect(page['nextCursor']).toBeTypeOf('string');
    expect(report).toMatchObject({ operations: 710, imported: 710, filtered: 0 });
    expect(report.bytes).toBe(JSON.stringify(document).length);
    const tools = await backend.tools();
    expect(report.toolBytes).toBe(
      tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0),
    );
  });

  it.each([
    [{ include: [{ tag: 't3' }] }, 70],
    [{ include: [{ path: '/even/*' }], exclude: [{ method: 'delete' }] }, 350],
    [{ include: [{ operationId: 'get1*', path: '/odd/*' }] }, 56],
    [{ include: [{ tag: 't1' }, { tag: 't2' }], exclude: [{ operationId: 'get1' }] }, 139],
    [{ include: [{ path: '/even' }] }, 0],
    [{ exclude: [{ path: '/*/?' }] }, 710],
  ])('B54: is cut down by %j to %i', async (target, expected) => {
    const { report, diagnostics } = await imported(document, target);
    expect(report).toMatchObject({ imported: expected, filtered: 710 - expected });
    expect(diagnostics.count('openapi-many-tools')).toBe(expected > 200 ? 1 : 0);
  });
});

describe('what cannot be imported', () => {
  it('is skipped by itself, and told', async () => {
    const paths = {
      '/ok': { get: { operationId: 'ok' }, trace: OK, put: 'nonsense' },
      '/broken': { $ref: '#/components/pathItems/Gone' },
      '/shared': { $ref: '#/components/pathItems/Shared' },
      'x-extension': { get: {} },
    };
    const components = { pathItems: { Shared: { get: { operationId: 'shared' } } } };
    const { backend, report, diagnostics } = await imported(documentOf(paths, { components }));
    expect((await backend.tools()).map(({ name }) => name)).toEqual(['ok', 'shared']);
    expect(report.skipped).toEqual([
      { where: 'PUT /ok', what: 'is no object' },
      { where: 'TRACE /ok', what: 'TRACE shows what is sent' },
      { where: '/broken', what: '#/components/pathItems/Gone points at nothing' },
    ]);
    expect(diagnostics.count('openapi-skipped')).toBe(3);
  });

  it.each([{}, { paths: null }, { paths: { '/x': null } }, { paths: [] }])(
    'leaves a backend without tools: %j',
    async (more) => {
      expect(await namesOf({ openapi: '3.0.0', ...more })).toEqual([]);
    },
  );
});

describe('a document', () => {
  const yaml = `\uFEFFopenapi: "3.0.0"
info: { title: Y, version: "1" }
x-shared: &shared
  responses:
    200: { description: ok }
paths:
  /y:
    get:
      <<: *shared
      operationId: y
`;

  it('may be YAML, with a byte order mark, anchors and merges', async () => {
    const document = await documentFile(yaml, 'api.yaml');
    expect(await namesOf({}, { document })).toEqual(['y']);
  });

  it('may be JSON with a byte order mark', async () => {
    const document = await documentFile(`\uFEFF${JSON.stringify(operationAt('/x', {}))}`);
    expect(await namesOf({}, { document })).toEqual(['op']);
  });

  it('may be fetched, and its servers may be relative to it', async () => {
    const servers = [{ url: '../v2/' }];
    const text = JSON.stringify(operationAt('/x', {}, 'get', { servers }));
    const service = await recordingServer(({ url }, reply) =>
      url === '/docs/api.json' ? reply.type('text/plain').send(text) : { at: url },
    );
    const document = `${service.url}/docs/api.json`;
    const backend = new OpenApiBackend({
      namespace: 'api',
      target: { document },
      diagnostics: new Diagnostics(),
    });
    const api = await clientOf(backend);
    expect((await api.call('op')).structuredContent).toEqual({ at: '/v2/x' });
  });

  it('that was not to be had at first is asked for again', async () => {
    const document = await documentFile(operationAt('/x', {}));
    await rm(document);
    const backend = new OpenApiBackend({
      namespace: 'api',
      target: { document, baseUrl: 'http://127.0.0.1:9' },
      diagnostics: new Diagnostics(),
    });
    await expect(backend.start()).rejects.toThrow('ENOENT');
    await writeFile(document, JSON.stringify(operationAt('/x', {})));
    expect(await backend.tools()).toHaveLength(1);
    await backend.close();
  });

  it.each([
    ['{"openapi": "3.0.0"', 'is neither JSON nor YAML'],
    ['a: b: c', 'is neither JSON nor YAML'],
    ['[1]', 'is not an object'],
    ['{"swagger": "2.0"}', 'has the version Swagger "2.0"; 3.0 and 3.1 can be read'],
    ['{"openapi": "4.0.0"}', 'has the version "4.0.0"; 3.0 and 3.1 can be read'],
    [`{"openapi": "3.1.0", "x": ${'['.repeat(300)}${']'.repeat(300)}}`, 'nests deeper than 256'],
    ['openapi: &a\n  b: *a', 'nests deeper than 256'],
    [bomb(), 'is neither JSON nor YAML: Excessive alias count'],
  ])('that is none is refused with what is wrong: %.40s', async (text, message) => {
    const document = await documentFile(text, 'broken.yaml');
    await expect(imported({}, { document })).rejects.toThrow(message);
  });
});

/** A YAML document that is a few lines long and unfolds to a billion. */
function bomb(): string {
  const lines = Array.from({ length: 10 }, (_, at) => {
    const inner = at === 0 ? 'x' : `*a${at - 1}`;
    return `a${at}: &a${at} [${Array.from({ length: 10 }, () => inner).join(', ')}]`;
  });
  return lines.join('\n');
}

describe('where an operation is called', () => {
  const servers = [
    {
      url: 'https://{region}.example.test/{version}',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, version: { default: 'v1' } },
    },
  ];
  const urlOf = async (document: object, target: object) => {
    const { report } = await imported(document, { baseUrl: undefined, ...target });
    return report.skipped;
  };

  it('is the server of the operation, then of the path, then of the document', async () => {
    const first = await recordingServer(() => ({ server: 'operation' }));
    const second = await recordingServer(() => ({ server: 'path' }));
    const third = await recordingServer(() => ({ server: 'document' }));
    const of = (url: string): object => ({ servers: [{ url: `${url}/base/` }] });
    const document = documentOf(
      {
        '/a': { get: { operationId: 'a', ...of(first.url) }, ...of(second.url) },
        '/b': { get: { operationId: 'b' }, ...of(second.url) },
        '/c': { get: { operationId: 'c' } },
      },
      of(third.url),
    );
    const api = await serveApi(document, { target: { baseUrl: undefined } });
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => api.call(name)));
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual([
      { server: 'operation' },
      { server: 'path' },
      { server: 'document' },
    ]);
    expect(first.last().url).toBe('/base/a');
  });

  it('follows the variables of the configuration', async () => {
    const service = await recordingServer();
    const { port } = new URL(service.url);
    const variables = { port: { default: '1' }, base: { default: 'v1' } };
    const document = operationAt('/x', {}, 'get', {
      servers: [{ url: 'http://127.0.0.1:{port}/{base}', variables }],
    });
    const target = { baseUrl: undefined, serverVariables: { port } };
    const api = await serveApi(document, { target });
    await api.call('op');
    expect(service.last().url).toBe('/v1/x');
  });

  it.each([
    [{}, { serverVariables: { region: 'mars' } }, 'region cannot be mars; accepted: eu, us'],
    [{ servers: [{ url: 'https://{x}/' }] }, {}, 'variable x has no value'],
    [{ servers: [{ url: '/v1' }] }, {}, 'is no absolute URL: give a baseUrl'],
    [{ servers: [] }, {}, 'names no server: give a baseUrl'],
    [{ servers: [{ url: 'ftp://x.test' }] }, {}, 'not reached over http or https'],
  ])('has to be known: %j with %j', async (more, target, message) => {
    const document = operationAt('/x', {}, 'get', { servers, ...more });
    expect(await urlOf(document, target)).toEqual([
      { where: 'GET /x', what: expect.stringContaining(message) as string },
    ]);
  });
});
