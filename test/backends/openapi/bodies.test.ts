import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { imported, operationAt, serveApi } from '../../support/openapi.js';
import '../../support/strict.js';

function withBody(content: object, more: object = {}): object {
  return operationAt('/x', { requestBody: { required: true, content, ...more } }, 'post');
}

async function sent(content: object, body: unknown) {
  const api = await serveApi(withBody(content));
  const result = await api.call('op', { body });
  expect(result.isError, JSON.stringify(result)).toBeUndefined();
  return api.service.last();
}

const object = (properties: object): object => ({ type: 'object', properties });

describe('a body', () => {
  it('of JSON arrives as it was given', async () => {
    const { headers, body } = await sent({ 'application/json': { schema: {} } }, { a: [1, null] });
    expect(headers['content-type']).toBe('application/json');
    expect(body.toString()).toBe('{"a":[1,null]}');
  });

  it('of JSON keeps numbers that a double cannot hold', async () => {
    const api = await serveApi(withBody({ 'application/json': { schema: {} } }));
    const params = '{"name":"op","arguments":{"body":{"id":9007199254740993,"big":1e400}}}';
    api.client.raw(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":${params}}\n`);
    await api.client.frame(({ id }) => id === 'big');
    expect(api.service.last().body.toString()).toBe('{"id":9007199254740993,"big":1e400}');
  });

  it('B51: that is a list is one argument', async () => {
    const schema = { type: 'array', items: { type: 'integer' } };
    const api = await serveApi(withBody({ 'application/vnd.x+json': { schema } }));
    expect((await api.tool('op')).inputSchema.properties['body']).toEqual(schema);
    await api.call('op', { body: [1, 2] });
    const { headers, body } = api.service.last();
    expect(headers['content-type']).toBe('application/vnd.x+json');
    expect(body.toString()).toBe('[1,2]');
  });

  it('of a form is encoded as the Encoding Object says', async () => {
    const { headers, body } = await sent(
      {
        'application/x-www-form-urlencoded': {
          schema: object({ a: {}, list: {}, deep: {}, comma: {}, plain: {} }),
          encoding: {
            deep: { style: 'deepObject', explode: true },
            comma: { style: 'form', explode: false },
          },
        },
      },
      { a: 'b c&d', list: [1, 2], deep: { x: { y: 1 } }, comma: ['p', 'q'], plain: { z: true } },
    );
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body.toString()).toBe(
      'a=b%20c%26d&list=1&list=2&deep%5Bx%5D%5By%5D=1&comma=p,q&plain=%7B%22z%22%3Atrue%7D',
    );
  });

  it('of several parts holds files, JSON and text, as a server reads them', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45]);
    const schema = object({
      file: { type: 'string', format: 'binary', description: 'The picture' },
      more: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
      meta: { type: 'object' },
      title: { type: 'string' },
    });
    const encoding = { file: { contentType: 'image/png, image/jpeg' } };
    const api = await serveApi(withBody({ 'multipart/form-data': { schema, encoding } }));
    const base64 = bytes.toString('base64');
    const { properties } = (await api.tool('op')).inputSchema;
    expect(properties['body']).toMatchObject({
      properties: {
        file: { contentEncoding: 'base64', description: 'The picture (in base64)' },
        more: { type: 'array', items: { contentEncoding: 'base64' } },
      },
    });
    await api.call('op', {
      body: { file: base64, more: [base64, base64], meta: { a: 1 }, title: 'é"' },
    });
    const { headers, body } = api.service.last();
    const response = new Response(new Uint8Array(body), {
      headers: { 'content-type': String(headers['content-type']) },
    });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- too simple for servers, but strict
    const form = await response.formData();
    const file = form.get('file');
    if (file === null || typeof file === 'string') throw new Error('file is no file');
    expect([file.name, file.type]).toEqual(['file', 'image/png']);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
    expect(form.getAll('more')).toHaveLength(2);
    expect(form.get('title')).toBe('é"');
    expect(body.toString('latin1')).toContain('name="meta"\r\nContent-Type: application/json');
    expect(form.get('meta')).toBe('{"a":1}');
  });

  it('of several parts knows a file behind a reference', async () => {
    const { backend } = await imported(
      operationAt(
        '/x',
        {
          requestBody: {
            content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Upload' } } },
          },
        },
        'post',
        {
          components: {
            schemas: {
              Upload: object({ file: { $ref: '#/components/schemas/File' } }),
              File: { type: 'string', format: 'binary' },
            },
          },
        },
      ),
    );
    const [tool] = await backend.tools();
    expect(tool?.inputSchema.properties).toMatchObject({
      body: { properties: { file: { type: 'string', contentEncoding: 'base64' } } },
    });
  });

  it.each(['application/octet-stream', 'image/png', 'application/cbor'])(
    'of bytes (%s) is given in base64',
    async (type) => {
      const bytes = Buffer.from([0, 1, 254, 255]);
      const { headers, body } = await sent({ [type]: {} }, bytes.toString('base64'));
      expect(headers['content-type']).toBe(type);
      expect(body).toEqual(bytes);
    },
  );

  it.each(['not base64!', 'A', 'AAAA=', 'AA-_'])('of bytes cannot be %j', async (body) => {
    const api = await serveApi(withBody({ 'application/octet-stream': {} }));
    const { isError, content } = await api.call('op', { body });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('base64');
    expect(api.service.requests).toEqual([]);
  });

  it('of text is sent as it is', async () => {
    const { headers, body } = await sent({ 'text/plain': {} }, 'a\n"b"');
    expect(headers['content-type']).toBe('text/plain');
    expect(body.toString()).toBe('a\n"b"');
  });

  it('of many types is sent as the one that keeps the structure', async () => {
    const types = ['application/xml', 'multipart/form-data', 'application/json', 'text/plain'];
    const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
    expect((await sent(content, { a: 1 })).headers['content-type']).toBe('application/json');
  });

  it.each([
    ['*/*', {}, 'application/json'],
    ['*/*', { type: 'string', format: 'binary' }, 'application/octet-stream'],
    ['application/*', { type: ['object', 'string'] }, 'application/json'],
  ])('of the range %s with the schema %j is sent as %s', async (range, schema, type) => {
    expect((await sent({ [range]: { schema } }, 'AAAA')).headers['content-type']).toBe(type);
  });

  it('that need not be is not sent unless given', async () => {
    const api = await serveApi(withBody({ 'application/json': {} }, { required: false }));
    expect((await api.tool('op')).inputSchema.required).toBeUndefined();
    await api.call('op');
    expect(api.service.last().headers['content-type']).toBeUndefined();
    expect(api.service.last().body).toHaveLength(0);
  });

  it('that has to be is asked for', async () => {
    const api = await serveApi(withBody({ 'application/json': {} }));
    expect(await api.call('op')).toMatchObject({ isError: true });
    expect(api.service.requests).toEqual([]);
  });

  it('is not asked for with GET, and that is told', async () => {
    const requestBody = { content: { 'application/json': {} } };
    const { backend, report } = await imported(operationAt('/x', { requestBody }));
    const [tool] = await backend.tools();
    expect(tool?.inputSchema.properties).toEqual({});
    expect(report.repairs).toEqual([
      { where: 'GET /x', what: 'has a body, which GET cannot; left out' },
    ]);
  });

  it('is read by a server that parses forms', async () => {
    const app = Fastify();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.post('/x', ({ body }) => body);
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
    const document = withBody({ 'application/x-www-form-urlencoded': { schema: object({}) } });
    const api = await serveApi(document, { target: { baseUrl } });
    const body = { a: 'ü +%', b: '' };
    expect((await api.call('op', { body })).structuredContent).toEqual(body);
    await app.close();
  });
});
