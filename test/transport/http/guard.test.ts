import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { NEWEST_LEGACY } from '../../../generated/revisions.js';
import { Guard } from '../../../src/transport/http/guard.js';
import { serveHttp } from '../../support/http-server.js';
import '../../support/strict.js';

describe('Origin', () => {
  it.each(['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT'] as const)(
    'that is not allowed is refused on %s with 403 and an error without id, before anything else',
    async (method) => {
      const { client, server } = await serveHttp();
      const session = await client.session(NEWEST_LEGACY);
      const headers = { ...session, origin: 'http://evil.example', accept: 'image/png' };
      const answer = await client.send(method, headers, method === 'POST' ? '{' : undefined);
      expect(answer.status).toBe(403);
      const message = await answer.message();
      expect(message.error).toMatchObject({ code: -32600, data: { header: 'Origin' } });
      expect(message).not.toHaveProperty('id');
      expect(server.core.diagnostics.count('origin-refused')).toBe(1);
    },
  );

  it.each([
    'null',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example:7332',
    'file://localhost',
    'localhost',
    'https://app.example:8443',
    'http://app.example',
  ])('%s is refused', async (origin) => {
    const { client } = await serveHttp({ allowedOrigins: ['https://app.example'] });
    expect((await client.modern('tools/list', {}, { origin })).status).toBe(403);
  });

  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://127.0.0.1:9',
    'http://[::1]:80',
    'https://app.example',
  ])('%s is allowed', async (origin) => {
    const { client } = await serveHttp({ allowedOrigins: ['https://app.example'] });
    expect((await client.modern('tools/list', {}, { origin })).status).toBe(200);
  });

  it('of the address mcpx listens on is allowed, at its own port', () => {
    const guard = new Guard({ host: 'mcp.example', allowedOrigins: [] });
    const address = { address: '192.0.2.1', family: 'IPv4', port: 7332 };
    const check = (origin: string) => guard.check({ origin }, address);
    expect(check('http://mcp.example:7332')).toBeUndefined();
    expect(check('http://MCP.example:7332')).toBeUndefined();
    expect(check('http://mcp.example:7333')?.data).toEqual({ header: 'Origin' });
    expect(check('http://mcp.example')?.data).toEqual({ header: 'Origin' });
  });

  it('that is configured wrongly is refused at the start, by its name', async () => {
    await expect(serveHttp({ allowedOrigins: ['https://app.example/'] })).rejects.toThrow(
      /allowedOrigins holds "https:\/\/app.example\/"/,
    );
  });
});

describe('Host', () => {
  async function statusFor(url: string, host: string): Promise<number> {
    const { statusCode, body } = await request(url, { method: 'OPTIONS', headers: { host } });
    await body.dump();
    return statusCode;
  }

  it('that is no loopback name is refused with 403 where mcpx listens on loopback', async () => {
    const { url } = await serveHttp({ allowedOrigins: ['https://app.example'] });
    expect(await statusFor(url, 'rebind.evil.example')).toBe(403);
    expect(await statusFor(url, 'localhost.evil.example:7332')).toBe(403);
    for (const host of ['localhost', 'localhost:1234', '127.0.0.1', '[::1]:5', 'app.example']) {
      expect(await statusFor(url, host)).toBe(405);
    }
  });

  it('is not checked on other addresses: there mcpx cannot know its names', () => {
    const guard = new Guard({ host: '0.0.0.0', allowedOrigins: [] });
    const address = { address: '0.0.0.0', family: 'IPv4', port: 7332 };
    expect(guard.check({ host: 'mcp.example' }, address)).toBeUndefined();
  });
});

describe('a browser', () => {
  const origin = 'https://app.example';

  it('is told before it asks what a page of an allowed origin may send', async () => {
    const { client } = await serveHttp({ allowedOrigins: [origin] });
    const { status, headers } = await client.send('OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,mcp-method,mcp-param-region',
    });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type,mcp-method,mcp-param-region',
      vary: 'Origin',
    });
  });

  it('may let such a page read answers, streams, and the id of its session', async () => {
    const { client } = await serveHttp({ allowedOrigins: [origin] });
    const answer = await client.modern('tools/list', {}, { origin });
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin });
    const session = await client.session(NEWEST_LEGACY);
    const stream = await client.send('GET', { ...session, origin });
    expect(stream.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Mcp-Session-Id',
    });
    stream.events().drop();
  });

  it('is told nothing for a page of another origin, and of no origin nothing is said', async () => {
    const { client } = await serveHttp({ allowedOrigins: [origin] });
    const refused = await client.send('OPTIONS', {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
    });
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    const plain = await client.modern('tools/list');
    expect(plain.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
