/** Who may use `/v1`. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { request } from 'undici';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { operated } from '../support/operations.js';

const PATHS = ['/v1/health', '/v1/metrics', '/v1/events', '/v1/openapi.json', '/v1/nothing'];

/** An address of this machine that is not loopback, where it has one. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** A request as a browser or a proxy would word it: `Host` is theirs to say. */
async function raw(origin: string, lines: string[], address = '127.0.0.1'): Promise<string> {
  const socket = connect(Number(new URL(origin).port), address);
  socket.write(`GET /v1/health HTTP/1.1\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split('\r\n')[0] ?? '';
}

describe('/v1 without a token', () => {
  it('serves this machine', async () => {
    const { get } = await operated([]);
    expect((await get('/v1/health')).status).toBe(200);
  });

  it.each(['https://evil.example', 'null'])(
    'refuses pages of %s, whatever they ask for',
    async (origin) => {
      const { get, post, diagnostics } = await operated([new LocalBackend('a')]);
      for (const path of PATHS) expect((await get(path, { origin })).status).toBe(403);
      const headers = { origin, 'content-type': 'application/json' };
      expect((await post('/v1/tools/x/call', {}, headers)).status).toBe(403);
      expect(diagnostics.count('operation-refused')).toBe(PATHS.length + 1);
    },
  );

  it('serves pages of allowed origins', async () => {
    const { get } = await operated([], { allowedOrigins: ['https://ops.example'] });
    expect((await get('/v1/health', { origin: 'https://ops.example' })).status).toBe(200);
  });

  it.each(['127.0.0.1', '0.0.0.0'])(
    'refuses a page that has rebound a name of its own to this machine, listening on %s',
    async (host) => {
      const { origin } = await operated([], { host });
      expect(await raw(origin, ['Host: evil.example'])).toBe('HTTP/1.1 403 Forbidden');
      const { port } = new URL(origin);
      expect(await raw(origin, [`Host: localhost:${port}`])).toBe('HTTP/1.1 200 OK');
    },
  );

  it.each(['Forwarded: for=192.0.2.1', 'X-Forwarded-For: 192.0.2.1', 'X-Real-IP: 192.0.2.1'])(
    'refuses what a proxy hands on (%s)',
    async (header) => {
      const { origin } = await operated([]);
      expect(await raw(origin, ['Host: localhost', header])).toBe('HTTP/1.1 403 Forbidden');
    },
  );

  it.skipIf(outside === undefined)('refuses other addresses, whatever they name', async () => {
    const { origin } = await operated([], { host: '0.0.0.0' });
    expect(await raw(origin, ['Host: localhost'], outside)).toBe('HTTP/1.1 403 Forbidden');
  });
});

describe('/v1 with a token', () => {
  const authorized = { authorization: 'Bearer s3cret' };

  it('serves whoever has it, and nobody else, on loopback either', async () => {
    const { get, post } = await operated([], { token: 's3cret' });
    expect((await get('/v1/health', authorized)).status).toBe(200);
    expect((await get('/v1/health', { authorization: 'bearer s3cret' })).status).toBe(200);
    for (const path of PATHS) {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect((await post('/v1/tools/x/call', {})).status).toBe(401);
  });

  it.each(['Bearer s3cre', 'Bearer s3cret1', 'Bearer ', 'Basic s3cret', 's3cret'])(
    'refuses %j',
    async (authorization) => {
      const { get } = await operated([], { token: 's3cret' });
      const { status, text } = await get('/v1/health', { authorization });
      expect(status).toBe(401);
      expect(text).not.toContain('s3cret');
    },
  );

  it('still refuses pages of strangers', async () => {
    const { get } = await operated([], { token: 's3cret' });
    const headers = { ...authorized, origin: 'https://evil.example' };
    expect((await get('/v1/health', headers)).status).toBe(403);
  });

  it.skipIf(outside === undefined)('serves other addresses', async () => {
    const { origin } = await operated([], { token: 's3cret', host: '0.0.0.0' });
    const url = `http://${outside ?? ''}:${new URL(origin).port}/v1/health`;
    const { statusCode, body } = await request(url, { headers: authorized });
    await body.dump();
    expect(statusCode).toBe(200);
    const proxied = { ...authorized, 'x-forwarded-for': '192.0.2.1' };
    const behind = await request(url, { headers: proxied });
    await behind.body.dump();
    expect(behind.statusCode).toBe(200);
  });
});
