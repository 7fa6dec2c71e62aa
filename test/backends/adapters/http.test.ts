/** An HTTP call as a tool, with a real service. */
import { describe, expect, it } from 'vitest';
import { AdaptersBackend } from '../../../src/backends/adapters/backend.js';
import type { HttpAdapter } from '../../../src/backends/adapters/options.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { clientOf } from '../../support/backend-client.js';
import { recordingServer, type Answer } from '../../support/recording-server.js';
import '../../support/strict.js';

function backendOf(adapter: Partial<HttpAdapter> & { url: string }): AdaptersBackend {
  const inputSchema = { type: 'object', properties: { a: {}, b: {}, c: {} } };
  return new AdaptersBackend({
    namespace: 'web',
    adapters: { call: { kind: 'http', headers: {}, inputSchema, ...adapter } },
    diagnostics: new Diagnostics(),
  });
}

/** `url` is what follows the address of the service. */
async function sent(adapter: Partial<HttpAdapter>, args: object, answer?: Answer) {
  const service = await recordingServer(answer);
  const url = service.url + (adapter.url ?? '/x');
  const client = await clientOf(backendOf({ ...adapter, url }));
  return { service, result: await client.call('call', args) };
}

describe('an HTTP call', () => {
  it('is a GET without a body, and answers like any other service', async () => {
    const { service, result } = await sent({}, {});
    expect(service.last()).toMatchObject({ method: 'GET', url: '/x' });
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"ok":true}' }],
      structuredContent: { ok: true },
    });
  });

  it('has its arguments in path and query, encoded, and leaves out pairs without one', async () => {
    const url = '/v/{a}?fixed=1&b={b}&c={c}';
    const { service } = await sent({ url }, { a: 'x/../?&#', b: '1&2=3' });
    expect(service.last().url).toBe('/v/x%2F..%2F%3F%26%23?fixed=1&b=1%262%3D3');
  });

  it.each([{}, { a: '' }, { a: '.' }, { a: '..' }])(
    'is not made where the path would lead elsewhere: %j',
    async (args) => {
      const { service, result } = await sent({ url: '/v/{a}/w' }, args);
      expect(result).toMatchObject({ isError: true });
      expect(service.requests).toEqual([]);
    },
  );

  it('has its arguments in headers, and leaves out those without one', async () => {
    const headers = { Authorization: 'Bearer s3cret', 'X-A': 'a {a}', 'X-B': '{b}' };
    const { service } = await sent({ headers }, { a: 'é' });
    expect(service.last().headers).toMatchObject({ authorization: 'Bearer s3cret' });
    expect(service.last().headers['x-a']).toBe('a é');
    expect(service.last().headers['x-b']).toBeUndefined();
    const refused = await sent({ headers }, { a: '\r\nx-evil: 1' });
    expect(refused.result).toMatchObject({ isError: true });
    expect(refused.service.requests).toEqual([]);
  });

  it('has its arguments in JSON, as what they are', async () => {
    const body = { whole: '{a}', text: 'a={a}', list: ['{b}', 1], none: '{c}', some: 'x {c}' };
    const { service } = await sent({ body }, { a: { n: [1] }, b: null });
    const { method, headers, body: bytes } = service.last();
    expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(JSON.parse(bytes.toString())).toEqual({
      whole: { n: [1] },
      text: 'a={"n":[1]}',
      list: [null, 1],
    });
  });

  it('has its arguments in a text, of the type it says', async () => {
    const headers = { 'Content-Type': 'application/sql' };
    const { service } = await sent({ body: 'select {a}', method: 'put', headers }, { a: 1 });
    const { method, headers: got, body } = service.last();
    expect([method, got['content-type'], body.toString()]).toEqual([
      ...['PUT', 'application/sql', 'select 1'],
    ]);
  });

  it('takes no secret to where a redirect leads', async () => {
    const other = await recordingServer();
    const { result } = await sent(
      { headers: { Authorization: 'Bearer s3cret' } },
      {},
      (_request, reply) => reply.code(302).header('location', other.url).send(),
    );
    expect(result.structuredContent).toEqual({ ok: true });
    expect(other.last().headers['authorization']).toBeUndefined();
  });

  it('that fails is told', async () => {
    const { result } = await sent({}, {}, (_request, reply) => reply.code(503).send('later'));
    expect(result).toEqual({ content: [{ type: 'text', text: 'HTTP 503\nlater' }], isError: true });
    const silence = new Promise(() => undefined);
    const late = await sent({ timeout: 50 }, {}, () => silence);
    expect(late.result.content[0]?.text).toContain('no whole answer within 50 ms');
    const large = await sent({ maxOutput: 5 }, {});
    expect(large.result.content[0]?.text).toContain('larger than 5 bytes');
  });

  it('that breaks its own promise is told', async () => {
    const outputSchema = { type: 'object', required: ['n'] };
    const { result } = await sent({ outputSchema }, {});
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]?.text).toContain("must have required property 'n'");
  });
});

describe('a URL', () => {
  it.each([
    'https://{a}.example.test/',
    'https://example.test:{a}/',
    '{a}',
    'ftp://example.test/',
    'https://example.test/#{a}',
  ])('in which an argument could say which host is meant is refused: %s', (url) => {
    expect(() => backendOf({ url })).toThrow('no http or https URL whose placeholders are in');
  });

  it('is not called by a method that is none', () => {
    expect(() => backendOf({ url: 'https://example.test/', method: 'TRACE' })).toThrow(
      'TRACE is not among GET',
    );
  });
});
