/** Secrets come from the configuration, go where the document wants them, and nowhere else. */
import { describe, expect, it } from 'vitest';
import type { Secret } from '../../../src/backends/openapi/options.js';
import { documentOf, imported, operationAt, serveApi } from '../../support/openapi.js';
import '../../support/strict.js';

const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  basic: { type: 'http', scheme: 'Basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.test' },
  digest: { type: 'http', scheme: 'digest' },
};

function secured(security: unknown, operation: object = {}): object {
  return operationAt('/x', { security, ...operation }, 'get', { components: { securitySchemes } });
}

async function sent(security: unknown, auth: Record<string, Secret>) {
  const api = await serveApi(secured(security), { target: { auth } });
  await api.call('op');
  return api.service.last();
}

describe('a security scheme', () => {
  it('of an API key puts it where it belongs', async () => {
    const all = [{ header: [], query: [], cookie: [] }];
    const { url, headers } = await sent(all, { header: 'h1', query: 'q/1', cookie: 'c;1' });
    expect(url).toBe('/x?api%20key=q%2F1');
    expect(headers).toMatchObject({ 'x-key': 'h1', cookie: 'session=c%3B1' });
  });

  it.each([
    ['basic', { username: 'jo', password: 'p:w' }, 'Basic am86cDp3'],
    ['bearer', 't0ken', 'Bearer t0ken'],
    ['oauth', 't0ken', 'Bearer t0ken'],
    ['oidc', 't0ken', 'Bearer t0ken'],
  ])('of %s is an Authorization header', async (scheme, secret, header) => {
    const { headers } = await sent([{ [scheme]: [] }], { [scheme]: secret });
    expect(headers['authorization']).toBe(header);
  });

  it('is used where the operation, or else the document, asks for it', async () => {
    const document = documentOf(
      {
        '/inherits': { get: { operationId: 'inherits' } },
        '/open': { get: { operationId: 'open', security: [] } },
        '/other': { get: { operationId: 'other', security: [{ header: [] }] } },
      },
      { security: [{ bearer: [] }], components: { securitySchemes } },
    );
    const api = await serveApi(document, { target: { auth: { bearer: 'b', header: 'h' } } });
    const shown = async (name: string) => {
      await api.call(name);
      const { authorization, 'x-key': key } = api.service.last().headers;
      return { authorization, key };
    };
    expect(await shown('inherits')).toEqual({ authorization: 'Bearer b', key: undefined });
    expect(await shown('open')).toEqual({ authorization: undefined, key: undefined });
    expect(await shown('other')).toEqual({ authorization: undefined, key: 'h' });
  });

  it('is chosen among alternatives by the secrets there are', async () => {
    const alternatives = [{ oauth: [], header: [] }, {}, { header: [] }];
    expect((await sent(alternatives, { header: 'h' })).headers['x-key']).toBe('h');
    expect((await sent(alternatives, {})).headers['x-key']).toBeUndefined();
  });

  it('without a secret is told, and the operation offered all the same', async () => {
    const { report, diagnostics } = await imported(secured([{ bearer: [] }]));
    expect(report).toMatchObject({ imported: 1, withoutCredentials: ['GET /x'] });
    expect(diagnostics.count('openapi-without-credentials')).toBe(1);
    const headers = { Authorization: 'Bearer x' };
    expect((await imported(secured([{ bearer: [] }]), { headers })).report).toMatchObject({
      withoutCredentials: [],
    });
  });

  it.each([
    [{ none: 'x' }, 'has no security scheme none; it has: header, query, cookie, basic'],
    [{ basic: 'x' }, 'for the security scheme basic has to be a username and a password'],
    [{ bearer: { username: 'x', password: 'y' } }, 'bearer has to be a text'],
    [{ digest: 'x' }, 'digest is http digest, which cannot be served'],
  ])('that does not fit its secret %j stops the import', async (auth, message) => {
    await expect(imported(secured([]), { auth })).rejects.toThrow(message);
  });
});

describe('what the configuration sends', () => {
  it('is no argument of the tool, and no client can change it', async () => {
    const parameters = [
      { name: 'x-key', in: 'header', schema: {} },
      { name: 'api key', in: 'query', schema: {} },
      { name: 'session', in: 'cookie', schema: {} },
      { name: 'X-Team', in: 'header', schema: {} },
      { name: 'free', in: 'query', schema: {} },
    ];
    const security = [{ header: [], query: [], cookie: [] }];
    const api = await serveApi(secured(security, { parameters }), {
      target: {
        auth: { header: 'h', query: 'q', cookie: 'c' },
        headers: { 'X-Team': 'blue' },
      },
    });
    expect(Object.keys((await api.tool('op')).inputSchema.properties)).toEqual(['free']);
    await api.call('op', { 'x-key': 'evil', 'X-Team': 'evil', session: 'evil', free: 1 });
    const { url, headers } = api.service.last();
    expect(url).toBe('/x?free=1&api%20key=q');
    expect(headers).toMatchObject({ 'x-key': 'h', 'x-team': 'blue', cookie: 'session=c' });
  });

  it('stands beside cookies of the client', async () => {
    const parameters = [{ name: 'theme', in: 'cookie', schema: {} }];
    const api = await serveApi(secured([{ cookie: [] }], { parameters }), {
      target: { auth: { cookie: 'c' } },
    });
    await api.call('op', { theme: 'dark' });
    expect(api.service.last().headers['cookie']).toBe('theme=dark; session=c');
  });
});
