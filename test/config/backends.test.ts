/** `openapi` and `adapters` in the configuration file. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/file.js';

const ENV = { TOKEN: 's3cret', BRACES: 'a{b}c' };
const parsed = (config: object) => parseConfig(JSON.stringify(config), '/etc/mcpx/c.json', ENV);
const api = (entry: object) => parsed({ openapi: { pets: entry } }).apis[0];
const adapter = (entry: object) =>
  parsed({ adapters: { local: { run: entry } } }).adapters[0]?.adapters['run'];

describe('openapi', () => {
  it('says where documents are, and how their services are called', () => {
    expect(
      api({
        document: './pets.yaml',
        baseUrl: 'https://pets.example.test/v1',
        serverVariables: { region: 'eu' },
        auth: { key: '${TOKEN}', login: { username: 'jo', password: '${TOKEN}' } },
        headers: { 'X-Team': '${TOKEN}' },
        include: [{ tag: 'pets' }, { path: '/owners/*', method: 'get' }],
        exclude: [{ operationId: 'dropAll' }],
        timeout: '5s',
        maxResponse: '1MiB',
      }),
    ).toEqual({
      namespace: 'pets',
      target: {
        document: '/etc/mcpx/pets.yaml',
        baseUrl: 'https://pets.example.test/v1',
        serverVariables: { region: 'eu' },
        auth: { key: 's3cret', login: { username: 'jo', password: 's3cret' } },
        headers: { 'X-Team': 's3cret' },
        include: [{ tag: 'pets' }, { path: '/owners/*', method: 'get' }],
        exclude: [{ operationId: 'dropAll' }],
        timeout: 5000,
        maxResponse: 1024 ** 2,
      },
    });
    expect(api({ document: 'https://example.test/${TOKEN}.json' })?.target).toEqual({
      document: 'https://example.test/s3cret.json',
    });
  });

  it.each([
    [{}, '/openapi/pets: needs a document'],
    ['pets.yaml', '/openapi/pets: "pets.yaml" is not an object'],
    [{ document: 3 }, '/openapi/pets/document: 3 is not a text'],
    [{ document: 'x', baseurl: 'y' }, '/openapi/pets/baseurl: unknown key; accepted are document'],
    [{ document: 'x', baseUrl: '/v1' }, '/openapi/pets/baseUrl: "/v1" is not an http or https URL'],
    [{ document: 'http://[' }, '/openapi/pets/document: "http://[" is not an http'],
    [{ document: 'x', auth: { a: { username: 'x' } } }, '/openapi/pets/auth/a: a secret is a text'],
    [{ document: 'x', auth: { a: '${GONE}' } }, '/openapi/pets/auth/a: the environment variable'],
    [{ document: 'x', include: {} }, '/openapi/pets/include: {} is not an array'],
    [{ document: 'x', include: [{}] }, '/openapi/pets/include/0: needs one of operationId, tag'],
    [{ document: 'x', exclude: [{ tags: 'x' }] }, '/openapi/pets/exclude/0/tags: unknown key'],
    [{ document: 'x', timeout: 'soon' }, '/openapi/pets/timeout: "soon" is not a duration'],
    [{ document: 'x', maxResponse: 0 }, '/openapi/pets/maxResponse: 0 is not a size'],
  ])('is refused where it is wrong: %j', (entry, message) => {
    expect(() => api(entry as object)).toThrow(message);
  });

  it.each(['document', 'baseUrl'])(
    'with half a URL as its %s is told of the variable alone',
    (key) => {
      const entry = { document: 'x', [key]: 'http://${GONE}' };
      expect(() => api(entry)).toThrow(
        new RegExp(`: /openapi/pets/${key}: the environment variable GONE is not set$`),
      );
    },
  );
});

describe('adapters', () => {
  const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };

  it('are command lines', () => {
    const entry = {
      description: 'Runs it',
      inputSchema,
      command: 'run',
      args: ['--a={a}', ['-b', '{a}'], '${BRACES}'],
      stdin: '{a}',
      env: { T: '${TOKEN}' },
      timeout: '1s',
    };
    expect(adapter(entry)).toEqual({
      ...entry,
      kind: 'command',
      args: ['--a={a}', ['-b', '{a}'], 'a{{b}}c'],
      env: { T: 's3cret' },
      timeout: 1000,
    });
  });

  it('are HTTP calls', () => {
    const entry = {
      inputSchema,
      url: 'https://example.test/{a}?t=${TOKEN}',
      headers: { Authorization: 'Bearer ${TOKEN}' },
      body: { a: ['{a}', '${TOKEN}', 1, null] },
    };
    expect(adapter(entry)).toEqual({
      kind: 'http',
      inputSchema,
      url: 'https://example.test/{a}?t=s3cret',
      headers: { Authorization: 'Bearer s3cret' },
      body: { a: ['{a}', 's3cret', 1, null] },
    });
  });

  it.each([
    [{}, '/adapters/local/run: needs a command (a process) or a url (HTTP)'],
    [{ command: 'x', url: 'http://x.test' }, '/adapters/local/run/command: unknown key'],
    [{ command: 'x', args: 'y' }, '/adapters/local/run/args: "y" is not an array'],
    [{ command: 'x', args: [1] }, '/adapters/local/run/args/0: 1 is not a text, nor a group'],
    [{ command: 'x', args: [['a', 1]] }, '/adapters/local/run/args/0/1: 1 is not a text'],
    [{ command: 'x', args: ['{b}'], inputSchema }, 'run: {b} is no property of its inputSchema'],
    [{ url: 'http://{a}/', inputSchema }, '/adapters/local/run: "http://{a}/" is no http or https'],
    [{ url: 'http://x.test', body: ['${GONE}'] }, '/adapters/local/run/body/0: the environment'],
    [
      { command: 'x', outputSchema: true },
      '/adapters/local/run/outputSchema: true is not an object',
    ],
  ])('are refused where they are wrong: %j', (entry, message) => {
    expect(() => adapter(entry)).toThrow(message);
  });
});

describe('namespaces', () => {
  const server = { command: 'x' };
  const document = { document: 'x' };

  it.each([
    [{ mcpServers: { a: server }, openapi: { a: document } }, '/openapi/a: mcpServers has'],
    [{ openapi: { a: document }, adapters: { a: {} } }, '/adapters/a: openapi has the same name'],
    [{ openapi: { 'a b': document } }, '/openapi/a b: a name is made of letters'],
  ])('are unique, and names: %j', (config, message) => {
    expect(() => parsed(config)).toThrow(message);
  });
});
