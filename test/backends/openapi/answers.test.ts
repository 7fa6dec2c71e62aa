/** From what the service answers to what the client gets. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { documentOf, operationAt, serveApi } from '../../support/openapi.js';
import { recordingServer, type Answer } from '../../support/recording-server.js';
import '../../support/strict.js';

const GET = operationAt('/x', {});

async function answered(answer: Answer, document: object = GET) {
  const api = await serveApi(document, { answer });
  return api.call('op');
}

const typed =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_request, reply) =>
    reply.type(type).headers(headers).send(body);

describe('a success', () => {
  it('of JSON is text and structured content', async () => {
    expect(await answered(typed('application/problem+json; charset=utf-8', '{"a": 1}'))).toEqual({
      content: [{ type: 'text', text: '{"a": 1}' }],
      structuredContent: { a: 1 },
    });
  });

  it('B23: keeps numbers that a double cannot hold', async () => {
    const api = await serveApi(GET, {
      answer: typed('application/json', '{"id":9007199254740993,"big":1e400,"__proto__":1}'),
    });
    let bytes = '';
    api.client.output.on('data', (text: string) => (bytes += text));
    await api.call('op');
    expect(bytes).toContain(
      '"structuredContent":{"id":9007199254740993,"big":1e400,"__proto__":1}',
    );
  });

  it('of text is text, in the charset it says', async () => {
    const latin = Buffer.from('caf\u00e9', 'latin1');
    expect(await answered(typed('text/csv; charset=iso-8859-1', latin))).toEqual({
      content: [{ type: 'text', text: 'café' }],
    });
  });

  it.each([
    ['image/png', { type: 'image', data: 'AAH/', mimeType: 'image/png' }],
    ['audio/wav', { type: 'audio', data: 'AAH/', mimeType: 'audio/wav' }],
  ])('of %s is a block of its kind', async (type, block) => {
    const { content } = await answered(typed(type, Buffer.from([0, 1, 255])));
    expect(content).toEqual([block]);
  });

  it('of other bytes is an embedded resource that names no secret', async () => {
    const document = operationAt('/x', { security: [{ key: [] }] }, 'get', {
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
    });
    const api = await serveApi(document, {
      answer: typed('application/zip', Buffer.from([0, 1, 255])),
      target: { auth: { key: 's3cret' } },
    });
    const { content } = await api.call('op');
    expect(api.service.last().url).toBe('/x?key=s3cret');
    expect(content).toEqual([
      {
        type: 'resource',
        resource: { uri: `${api.service.url}/x`, mimeType: 'application/zip', blob: 'AAH/' },
      },
    ]);
  });

  it('without content says its status', async () => {
    expect(await answered((_request, reply) => reply.code(204).send())).toEqual({
      content: [{ type: 'text', text: 'HTTP 204' }],
    });
  });

  it('says where to go on', async () => {
    const link = '</x?page=2>; rel="next"';
    const { content } = await answered(typed('application/json', '[]', { link }));
    expect(content).toEqual([
      { type: 'text', text: '[]' },
      { type: 'text', text: `link: ${link}` },
    ]);
  });

  it('that says it is JSON and is not, is text', async () => {
    expect(await answered(typed('application/json', '{"a":'))).toEqual({
      content: [{ type: 'text', text: '{"a":' }],
    });
  });

  it.each([
    ['gzip', gzipSync('{"a":1}')],
    ['br', brotliCompressSync('{"a":1}')],
  ])('in %s is unpacked', async (coding, body) => {
    const answer = typed('application/json', body, { 'content-encoding': coding });
    expect((await answered(answer)).structuredContent).toEqual({ a: 1 });
  });

  it('is asked for as JSON before all else', async () => {
    const content = { 'text/csv': {}, 'application/vnd.x+json': {} };
    const api = await serveApi(operationAt('/x', { responses: { 200: { content } } }));
    await api.call('op');
    expect(api.service.last().headers['accept']).toBe(
      'application/vnd.x+json, text/csv;q=0.8, */*;q=0.1',
    );
  });
});

describe('an error', () => {
  it('is told with its status and its body', async () => {
    const answer: Answer = (_request, reply) => reply.code(404).send({ error: 'no such pet' });
    expect(await answered(answer)).toEqual({
      content: [{ type: 'text', text: 'HTTP 404\n{"error":"no such pet"}' }],
      isError: true,
    });
  });

  it('says when to try again', async () => {
    const answer: Answer = (_request, reply) => reply.code(429).header('retry-after', '7').send();
    expect((await answered(answer)).content[0]?.text).toBe('HTTP 429\nretry-after: 7');
  });

  it('of bytes says how many there are', async () => {
    const answer: Answer = (_request, reply) =>
      reply.code(500).type('image/png').send(Buffer.alloc(3));
    expect((await answered(answer)).content[0]?.text).toBe('HTTP 500\n3 bytes of image/png');
  });

  it('that is long is cut', async () => {
    const answer: Answer = (_request, reply) => reply.code(500).send('x'.repeat(100_000));
    const text = (await answered(answer)).content[0]?.text ?? '';
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain('(100000 characters)');
  });
});

describe('an answer that does not come whole', () => {
  const failing = async (answer: Answer, target: object = {}) => {
    const api = await serveApi(GET, { answer, target });
    const { isError, content } = await api.call('op');
    expect(isError).toBe(true);
    return content[0]?.text;
  };

  it('in the time allowed is an error that says so', async () => {
    const silence = new Promise(() => undefined);
    expect(await failing(() => silence, { timeout: 50 })).toContain('no whole answer within 50 ms');
  });

  it('for want of a service names what happened', async () => {
    expect(await failing(() => '', { baseUrl: 'http://127.0.0.1:1' })).toMatch(
      /GET http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it.each([
    ['plain', Buffer.alloc(2000, 0x20), {}],
    ['packed', gzipSync(Buffer.alloc(200_000)), { 'content-encoding': 'gzip' }],
  ])('because it is larger than allowed is an error (%s)', async (_name, body, headers) => {
    const text = await failing(typed('text/plain', body, headers), { maxResponse: 1000 });
    expect(text).toBe('HTTP 200: the answer is larger than 1000 bytes');
  });

  it('because the connection breaks is an error', async () => {
    const answer: Answer = (_request, reply) => {
      reply.raw.writeHead(200, { 'content-length': '100' });
      reply.raw.write('{"a"');
      setImmediate(() => reply.raw.destroy());
      return reply.hijack();
    };
    expect(await failing(answer)).toContain('GET http://127.0.0.1');
  });

  it('is waited for no longer once the client has cancelled', async () => {
    let gone: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (gone = resolve));
    let came: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (came = resolve));
    const api = await serveApi(GET, {
      answer: (_request, reply) => {
        reply.raw.once('close', gone);
        came();
        return new Promise(() => undefined);
      },
    });
    api.client.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'op' } });
    await started;
    api.client.notify('notifications/cancelled', { requestId: 'c' });
    await ended;
  });
});

describe('a redirect', () => {
  const KEY = {
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    security: [{ key: [] }],
  };
  const target = { auth: { key: 's3cret' }, headers: { 'x-team': 'blue' } };
  const to =
    (location: string, code = 302): Answer =>
    ({ url }, reply) =>
      url === '/x' ? reply.code(code).header('location', location).send() : { at: url };

  it('within the service is followed with the credentials', async () => {
    const api = await serveApi(operationAt('/x', {}, 'get', KEY), { answer: to('/y?z=1'), target });
    expect((await api.call('op')).structuredContent).toEqual({ at: '/y?z=1' });
    expect(api.service.last().headers).toMatchObject({
      authorization: 'Bearer s3cret',
      'x-team': 'blue',
    });
  });

  it('to another host is followed without anything that was meant for the first', async () => {
    const other = await recordingServer(() => ({ at: 'other' }));
    const cookie = { name: 'c', in: 'cookie', schema: {} };
    const header = { name: 'x-own', in: 'header', schema: {} };
    const document = operationAt('/x', { parameters: [cookie, header] }, 'get', KEY);
    const api = await serveApi(document, { answer: to(`${other.url}/y`), target });
    const result = await api.call('op', { c: 1, 'x-own': 2 });
    expect(result.structuredContent).toEqual({ at: 'other' });
    expect(Object.keys(other.last().headers).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ]);
  });

  it('to another host is not followed with what changes something', async () => {
    const other = await recordingServer();
    const document = operationAt(
      '/x',
      { requestBody: { content: { 'application/json': {} } } },
      'post',
    );
    const api = await serveApi(document, { answer: to(`${other.url}/y`, 307) });
    const { isError, content } = await api.call('op', { body: { secret: 1 } });
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(`HTTP 307\nlocation: ${other.url}/y`);
    expect(other.requests).toEqual([]);
  });

  it('keeps method and body where it says so, and otherwise becomes a GET', async () => {
    const document = operationAt(
      '/x',
      { requestBody: { content: { 'application/json': {} } } },
      'post',
    );
    for (const [code, method, body] of [
      [308, 'POST', '{}'],
      [303, 'GET', ''],
    ] as const) {
      const api = await serveApi(document, { answer: to('/y', code) });
      await api.call('op', { body: {} });
      expect([api.service.last().method, api.service.last().body.toString()]).toEqual([
        method,
        body,
      ]);
    }
  });

  it('without an end is given up', async () => {
    const answer: Answer = (_request, reply) => reply.code(302).header('location', '/x').send();
    const api = await serveApi(GET, { answer });
    expect((await api.call('op')).content[0]?.text).toBe('HTTP 302\nlocation: /x');
    expect(api.service.requests).toHaveLength(6);
  });

  it.each(['file:///etc/passwd', 'http://[', 'data:text/plain,x'])(
    'to %s is not followed',
    async (location) => {
      expect(await answered(to(location))).toMatchObject({ isError: true });
    },
  );
});

describe('what the document promises', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const json = (promised: object): object => ({
    content: { 'application/json': { schema: promised } },
  });
  const promising = (responses: object): object =>
    documentOf({ '/x': { get: { operationId: 'op', responses } } });
  const outputOf = async (responses: object) =>
    (await (await serveApi(promising(responses))).tool('op')).outputSchema;

  it('is promised on where every success is JSON', async () => {
    expect(await outputOf({ 200: json(schema), 404: json({}) })).toEqual(schema);
  });

  it('is promised as one or the other where successes differ', async () => {
    const api = await serveApi(promising({ 200: json(schema), '2XX': json({ type: 'object' }) }), {
      revision: '2025-11-25',
    });
    const [tool] = await api.backend.tools();
    expect(tool?.outputSchema).toEqual({ anyOf: [schema, { type: 'object' }] });
  });

  it.each([
    ['a success has no content', { 200: json(schema), 204: {} }],
    ['a success is no JSON', { 200: { content: { 'text/plain': { schema } } } }],
    ['a success has no schema', { 200: json({}) }],
    ['no success is described', { default: json(schema) }],
    ['it is too large', { 200: json({ type: 'object', description: 'x'.repeat(20_000) }) }],
  ])('is not promised on where %s', async (_why, responses) => {
    expect(await outputOf(responses)).toBeUndefined();
  });

  it('is taken back once the service breaks it, and nobody is told to repeat the call', async () => {
    const api = await serveApi(promising({ 200: json(schema) }), { answer: () => ({ n: 'one' }) });
    expect((await api.tool('op')).outputSchema).toEqual(schema);
    const first = await api.call('op');
    expect(first).toMatchObject({ isError: true });
    expect(first.structuredContent).toBeUndefined();
    expect(first.content[0]?.text).toContain('need not be repeated');
    expect(first.content[1]?.text).toBe('{"n":"one"}');
    await api.client.frame(({ method }) => method === 'notifications/tools/list_changed');
    expect((await api.tool('op')).outputSchema).toBeUndefined();
    expect(await api.call('op')).toEqual({
      content: [{ type: 'text', text: '{"n":"one"}' }],
      structuredContent: { n: 'one' },
    });
    expect(api.diagnostics.count('openapi-promise-broken')).toBe(1);
  });
});
