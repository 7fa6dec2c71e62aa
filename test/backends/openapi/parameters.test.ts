/** Each `style` and `explode` of each place, as the service sees it. Cases after the Parameter Object's table. */
import { describe, expect, it } from 'vitest';
import { documentOf, imported, operationAt, serveApi } from '../../support/openapi.js';
import '../../support/strict.js';

const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

function parameter(place: string, style: string | undefined, explode: boolean | undefined): object {
  return { name: 'color', in: place, required: place === 'path', style, explode, schema: {} };
}

async function sent(place: string, style: string, explode: boolean, value: unknown) {
  const path = place === 'path' ? '/x/{color}' : '/x';
  const api = await serveApi(operationAt(path, { parameters: [parameter(place, style, explode)] }));
  const { isError } = await api.call('op', { color: value });
  expect(isError).toBeUndefined();
  return api.service.last();
}

describe('a path parameter', () => {
  it.each([
    ['simple', false, 'a b/c', 'a%20b%2Fc'],
    ['simple', false, ARRAY, 'blue,black,brown'],
    ['simple', true, ARRAY, 'blue,black,brown'],
    ['simple', false, OBJECT, 'R,100,G,200,B,150'],
    ['simple', true, OBJECT, 'R=100,G=200,B=150'],
    ['label', false, 'blue', '.blue'],
    ['label', false, ARRAY, '.blue,black,brown'],
    ['label', true, ARRAY, '.blue.black.brown'],
    ['label', false, OBJECT, '.R,100,G,200,B,150'],
    ['label', true, OBJECT, '.R=100.G=200.B=150'],
    ['matrix', false, 'blue', ';color=blue'],
    ['matrix', false, '', ';color'],
    ['matrix', false, ARRAY, ';color=blue,black,brown'],
    ['matrix', true, ARRAY, ';color=blue;color=black;color=brown'],
    ['matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
    ['matrix', true, OBJECT, ';R=100;G=200;B=150'],
  ])('of style %s, explode %s: %j is written %s', async (style, explode, value, written) => {
    expect((await sent('path', style, explode, value)).url).toBe(`/x/${written}`);
  });

  it.each(['.', '..', ''])(
    'that would lead elsewhere (%j) is refused before anything is sent',
    async (value) => {
      const api = await serveApi(operationAt('/x/{id}/y', {}));
      expect(await api.call('op', { id: value })).toMatchObject({ isError: true });
      expect(api.service.requests).toEqual([]);
    },
  );

  it('cannot be taken for a part of the path by what it holds', async () => {
    const api = await serveApi(operationAt('/x/{id}', {}));
    await api.call('op', { id: '../y?z#é%2f' });
    expect(api.service.last().url).toBe('/x/..%2Fy%3Fz%23%C3%A9%252f');
  });
});

describe('a query parameter', () => {
  it.each([
    ['form', true, 'a b&c=d', 'color=a%20b%26c%3Dd'],
    ['form', true, '', 'color='],
    ['form', true, ARRAY, 'color=blue&color=black&color=brown'],
    ['form', false, ARRAY, 'color=blue,black,brown'],
    ['form', true, OBJECT, 'R=100&G=200&B=150'],
    ['form', false, OBJECT, 'color=R,100,G,200,B,150'],
    ['spaceDelimited', false, ARRAY, 'color=blue%20black%20brown'],
    ['spaceDelimited', true, ARRAY, 'color=blue&color=black&color=brown'],
    ['spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, ARRAY, 'color=blue%7Cblack%7Cbrown'],
    ['pipeDelimited', false, OBJECT, 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', true, { a: { b: [1, 2] } }, 'color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2'],
    ['form', false, [1, { a: 2 }], 'color=1,%7B%22a%22%3A2%7D'],
    ['form', true, true, 'color=true'],
    ['form', true, null, 'color='],
  ])('of style %s, explode %s: %j is written %s', async (style, explode, value, written) => {
    expect((await sent('query', style, explode, value)).url).toBe(`/x?${written}`);
  });

  it('is left out where it has no items', async () => {
    expect((await sent('query', 'form', false, [])).url).toBe('/x');
  });

  it('is written as JSON where it has content in place of a schema', async () => {
    const filter = { name: 'filter', in: 'query', content: { 'application/json': { schema: {} } } };
    const api = await serveApi(operationAt('/x', { parameters: [filter] }));
    await api.call('op', { filter: { a: [1] } });
    expect(new URL(api.service.last().url, api.service.url).searchParams.get('filter')).toBe(
      '{"a":[1]}',
    );
  });

  it('keeps reserved characters where it may, but none that would end it', async () => {
    const path = { name: 'path', in: 'query', allowReserved: true, schema: { type: 'string' } };
    const api = await serveApi(operationAt('/x', { parameters: [path] }));
    await api.call('op', { path: '/a:b?c&d#e+f' });
    expect(api.service.last().url).toBe('/x?path=/a:b?c%26d%23e%2Bf');
  });

  it('keeps a number that a double cannot hold', async () => {
    const id = { name: 'id', in: 'query', schema: { type: 'integer' } };
    const api = await serveApi(operationAt('/x', { parameters: [id] }));
    const params = '{"name":"op","arguments":{"id":9007199254740993}}';
    api.client.raw(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":${params}}\n`);
    await api.client.frame(({ id: of }) => of === 'big');
    expect(api.service.last().url).toBe('/x?id=9007199254740993');
  });

  it('that cannot be written as UTF-8 is refused', async () => {
    const api = await serveApi(
      operationAt('/x', { parameters: [parameter('query', 'form', true)] }),
    );
    const { isError, content } = await api.call('op', { color: '\ud800' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('surrogate');
  });
});

describe('a header parameter', () => {
  it.each([
    [false, 'blue', 'blue'],
    [false, ARRAY, 'blue,black,brown'],
    [false, OBJECT, 'R,100,G,200,B,150'],
    [true, OBJECT, 'R=100,G=200,B=150'],
  ])('with explode %s: %j is written %s', async (explode, value, written) => {
    expect((await sent('header', 'simple', explode, value)).headers['color']).toBe(written);
  });

  it.each(['a\r\nx-evil: 1', 'snow ☃'])(
    'that no header can hold (%j) is refused',
    async (value) => {
      const api = await serveApi(
        operationAt('/x', { parameters: [parameter('header', 'simple', false)] }),
      );
      expect(await api.call('op', { color: value })).toMatchObject({ isError: true });
      expect(api.service.requests).toEqual([]);
    },
  );

  it('that HTTP has other means for is not offered', async () => {
    const names = ['Accept', 'content-type', 'AUTHORIZATION', 'Host', 'X-Own'];
    const parameters = names.map((name) => ({ name, in: 'header', schema: {} }));
    const { backend, report } = await imported(operationAt('/x', { parameters }));
    const [tool] = await backend.tools();
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['X-Own']);
    expect(report.repairs.map(({ what }) => what)).toEqual([
      'its header Host is left out: HTTP needs it for itself',
    ]);
  });
});

describe('a cookie parameter', () => {
  it.each([
    [true, 'a b;c', 'color=a%20b%3Bc'],
    [false, ARRAY, 'color=blue,black,brown'],
    [true, ARRAY, 'color=blue; color=black; color=brown'],
    [true, OBJECT, 'R=100; G=200; B=150'],
  ])('with explode %s: %j is written %s', async (explode, value, written) => {
    expect((await sent('cookie', 'form', explode, value)).headers['cookie']).toBe(written);
  });
});

describe('the parameters of an operation', () => {
  it('B51: of one name in several places, and in the body, are told apart and all arrive', async () => {
    const api = await serveApi(
      documentOf({
        '/u/{id}': {
          put: {
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              { name: 'id', in: 'query', schema: { type: 'integer' } },
              { name: 'body', in: 'query', schema: { type: 'string' } },
            ],
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { id: { type: 'integer' } } },
                },
              },
            },
            responses: { 200: { description: 'ok' } },
          },
        },
      }),
    );
    const { inputSchema } = await api.tool('put_u_id');
    expect(inputSchema.required).toEqual(['id', 'request_body']);
    await api.call('put_u_id', { id: 'a', query_id: 1, body: 'b', request_body: { id: 2 } });
    const { url, body } = api.service.last();
    expect(url).toBe('/u/a?id=1&body=b');
    expect(body.toString()).toBe('{"id":2}');
  });

  it('have names that model providers take, and arrive under their own', async () => {
    const names = ['filter[name]', 'filter(name)', '$top', 'é'];
    const parameters = names.map((name) => ({ name, in: 'query', schema: {} }));
    const api = await serveApi(operationAt('/x', { parameters }));
    const { properties } = (await api.tool('op')).inputSchema;
    expect(Object.keys(properties)).toEqual(['filter_name', 'query_filter_name', 'top', '_']);
    await api.call('op', { filter_name: 1, query_filter_name: 2, top: 3, _: 4 });
    const { searchParams } = new URL(api.service.last().url, api.service.url);
    expect([...searchParams]).toEqual(names.map((name, at) => [name, String(at + 1)]));
  });

  it('are those of the path too, unless the operation says otherwise', async () => {
    const shared = { name: 'a', in: 'query', description: 'shared', schema: { type: 'string' } };
    const own = { ...shared, description: 'own' };
    const { backend } = await imported(
      documentOf({
        '/x': {
          parameters: [shared, { ...shared, name: 'b' }],
          get: { operationId: 'op', parameters: [own], responses: {} },
        },
      }),
    );
    const [tool] = await backend.tools();
    expect(tool?.inputSchema.properties).toMatchObject({
      a: { description: 'own' },
      b: { description: 'shared' },
    });
  });

  it('are what the path has places for, each fault told', async () => {
    const stray = { name: 'stray', in: 'path', required: true, schema: {} };
    const strange = { name: 'strange', in: 'query', style: 'matrix', schema: {} };
    const nowhere = { name: 'nowhere', in: 'body', schema: {} };
    const { backend, report } = await imported(
      operationAt('/x/{id}', { parameters: [stray, strange, nowhere, { $ref: '#/none' }] }),
    );
    const [tool] = await backend.tools();
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['strange', 'id']);
    expect(report.repairs.map(({ what }) => what)).toEqual([
      expect.stringContaining('style "matrix"'),
      expect.stringContaining('a place (in)'),
      expect.stringContaining('#/none points at nothing'),
      expect.stringContaining('stray'),
      expect.stringContaining('{id}'),
    ]);
  });
});
