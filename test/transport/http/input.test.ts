import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { NEWEST, NEWEST_LEGACY, OLDEST } from '../../../generated/revisions.js';
import { serveHttp } from '../../support/http-server.js';
import '../../support/strict.js';

const ECHO = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":';

describe('the method', () => {
  it.each(['OPTIONS', 'PUT', 'HEAD'] as const)(
    '%s gets 405 and what is allowed',
    async (method) => {
      const { client } = await serveHttp();
      const answer = await client.send(method, { 'content-type': 'text/plain' });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('GET, POST, DELETE');
    },
  );
});

describe('Accept', () => {
  it.each([
    ['admits neither JSON nor SSE', 'text/html, image/*', 406],
    ['rules both out by its weights', 'application/json;q=0, text/event-stream; q=0.0', 406],
    ['is missing', undefined, 200],
    ['admits everything', '*/*', 200],
    ['admits a part', 'application/*;q=0.3', 200],
    ['has weights and spaces and capitals', 'Text/Event-Stream;q=0.1 , Application/JSON', 200],
  ])('that %s: %s → %i', async (_what, accept, status) => {
    const { client } = await serveHttp();
    for (const headers of [{ accept }, { accept, 'mcp-protocol-version': OLDEST }]) {
      expect((await client.post(client.request('ping'), headers)).status).toBe(status);
    }
    expect((await client.modern('tools/list', {}, { accept })).status).toBe(status);
  });

  it('has to admit a stream on GET', async () => {
    const { client } = await serveHttp();
    const session = await client.session(NEWEST_LEGACY);
    const accept = 'application/json';
    expect((await client.send('GET', { ...session, accept })).status).toBe(406);
  });
});

describe('Content-Type', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense', undefined])(
    '%s gets 415',
    async (type) => {
      const { client } = await serveHttp();
      const answer = await client.post(client.request('ping'), { 'content-type': type });
      expect(answer.status).toBe(415);
      expect((await answer.message()).error?.message).toContain('application/json');
    },
  );

  it('may have parameters', async () => {
    const { client } = await serveHttp();
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await client.post(client.request('ping'), headers)).status).toBe(200);
  });
});

describe('Content-Encoding', () => {
  it('of a compressed body gets 415, and is told apart from what is not JSON', async () => {
    const { client } = await serveHttp();
    const body = gzipSync(JSON.stringify(client.request('ping')));
    const answer = await client.post(body, { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
    expect(answer.headers['accept-encoding']).toBe('identity');
    expect((await answer.message()).error?.data).toEqual({ header: 'Content-Encoding' });
    const plain = { 'content-encoding': 'identity' };
    expect((await client.post(client.request('ping'), plain)).status).toBe(200);
  });
});

describe('a body', () => {
  it.each([
    ['is not JSON', '{"jsonrpc":'],
    ['is empty', ''],
    ['is not UTF-8', Buffer.concat([Buffer.from(`${ECHO}{"text":"`), Buffer.from([0xc3, 0x28])])],
    ['has a lone byte of a character', Buffer.from([0x22, 0xff, 0x22])],
    ['has something behind it', '{} {}'],
  ])('that %s gets 400 and -32700 without an id', async (_what, body) => {
    const { client, server } = await serveHttp();
    const session = await client.session(OLDEST);
    for (const headers of [{}, session, { 'mcp-protocol-version': NEWEST }]) {
      const answer = await client.post(body, headers);
      expect(answer.status).toBe(400);
      const message = await answer.message();
      expect(message.error?.code).toBe(-32700);
      expect(message).not.toHaveProperty('id');
    }
    expect(server.core.diagnostics.count('invalid-message')).toBe(3);
  });

  it.each([
    ['no object', '5', undefined],
    ['null', 'null', undefined],
    ['of JSON-RPC 1', '{"jsonrpc":"1.0","id":9,"method":"ping"}', 9],
    ['without a method', '{"jsonrpc":"2.0","id":"x"}', 'x'],
    ['with an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined],
  ])(
    'that is JSON but no message (%s) gets 400 and -32600, with its id',
    async (_what, body, id) => {
      const { client } = await serveHttp();
      for (const headers of [{}, { 'mcp-protocol-version': NEWEST }]) {
        const answer = await client.post(body, headers);
        expect(answer.status).toBe(400);
        const message = await answer.message();
        expect(message.error?.code).toBe(-32600);
        expect(message.id).toBe(id);
      }
    },
  );

  it('over the limit gets 413, which is named, whether it says its length or not', async () => {
    const { client, url } = await serveHttp({ maxBody: 1000 });
    const body = `${ECHO}{"text":"${'x'.repeat(1000)}"}}}`;
    const answer = await client.post(body);
    expect(answer.status).toBe(413);
    expect((await answer.message()).error?.message).toContain('1000');

    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
    expect((await client.post(client.request('ping'))).status).toBe(200);
  });

  it('is taken whole up to the limit', async () => {
    const { client } = await serveHttp();
    const text = 'é'.repeat(2_000_000);
    const answer = await client.modern('tools/call', { name: 'echo', arguments: { text } });
    expect((await answer.message()).result).toMatchObject({ content: [{ text }] });
  });

  it('is read without loss, and without harm to any prototype', async () => {
    const { client, server } = await serveHttp();
    let seen: unknown;
    server.tool({ name: 'keep' }, (args) => {
      seen = args;
      return { structuredContent: args };
    });
    const kept = '"__proto__":{"polluted":true},"half":"\\ud800"';
    const params = `{"name":"keep","arguments":{${kept},"huge":1e400}}`;
    const id = '98765432109876543210';
    const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
    const answer = await client.post(body, { 'mcp-protocol-version': NEWEST_LEGACY });
    const text = await answer.text();
    expect(text).toContain(`"id":${id},`);
    expect(text).toContain(`"structuredContent":{${kept},`);
    // A handler of ours gets numbers, and this is the number nearest to it.
    expect(seen).toMatchObject({ huge: Infinity });
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('nested without end is an error and no crash', async () => {
    const { client } = await serveHttp();
    const deep = `${ECHO}${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const answer = await client.post(deep);
    expect((await answer.message()).error?.code).toBe(-32600);
    expect((await client.post(client.request('ping'))).status).toBe(200);
  });
});
