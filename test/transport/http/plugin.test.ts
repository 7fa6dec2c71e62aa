import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST_LEGACY } from '../../../generated/revisions.js';
import type { HttpSettings } from '../../../src/index.js';
import { HttpClient } from '../../support/http-client.js';
import { sampleServer } from '../../support/server.js';
import '../../support/strict.js';

async function mount(settings: Partial<HttpSettings> = {}) {
  const app = fastify();
  const server = sampleServer();
  app.addHook('onRequest', (_request, reply, next) => {
    void reply.header('x-host', 'app');
    next();
  });
  app.post('/own', (request) => ({ got: request.body }));
  await app.register(server.plugin(settings));
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = new HttpClient(`${origin}${settings.path ?? '/mcp'}`);
  onTestFinished(async () => {
    await client.close();
    await app.close();
    await server.close(0);
  });
  return { app, server, client, origin };
}

describe('the plugin in an application', () => {
  it('serves both eras at the path it is given', async () => {
    const { client } = await mount({ path: '/deep/mcp' });
    expect((await client.modern('tools/list')).status).toBe(200);
    const session = await client.session(NEWEST_LEGACY);
    expect((await client.post(client.request('tools/list'), session)).status).toBe(200);
  });

  it('leaves the routes of the application as they are', async () => {
    const { client, origin } = await mount();
    const own = await new HttpClient(`${origin}/own`).post({ a: 1 });
    expect(await own.text()).toBe('{"got":{"a":1}}');
    const broken = await new HttpClient(`${origin}/own`).post('{');
    expect(JSON.parse(await broken.text())).toMatchObject({ statusCode: 400 });
    const foreign = await new HttpClient(`${origin}/own`).post({}, { origin: 'http://a.example' });
    expect(foreign.status).toBe(200);
    expect((await client.modern('tools/list', {}, { origin: 'http://a.example' })).status).toBe(
      403,
    );
  });

  it('sends the headers of the application along, on streams too', async () => {
    const { client } = await mount();
    const json = await client.modern('tools/list');
    expect(json.headers['x-host']).toBe('app');
    const _meta = { progressToken: 1 };
    const stream = await client.modern('tools/call', { name: 'busy', _meta });
    expect(stream.headers).toMatchObject({ 'x-host': 'app', 'content-type': 'text/event-stream' });
    await stream.events().ended;
  });

  it('ends its streams in good order when the application closes', async () => {
    const { client, app } = await mount();
    const stream = (await client.modern('subscriptions/listen', { notifications: {} })).events();
    await stream.first(1);
    await app.close();
    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('refuses settings that cannot be used before it is mounted', () => {
    const server = sampleServer();
    expect(() => server.plugin({ path: 'mcp' })).toThrow(/path is "mcp"/);
  });
});
