import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpServer } from '../../../src/index.js';
import type { HttpSettings } from '../../../src/transport/http/settings.js';
import { HttpClient } from '../../support/http-client.js';
import { sampleServer } from '../../support/server.js';
import '../../support/strict.js';

let server: McpServer;
let client: HttpClient;

async function start(settings: Partial<HttpSettings> = {}): Promise<void> {
  const { url } = await server.http({ port: 0, ...settings });
  client = new HttpClient(url);
}

beforeEach(() => {
  server = sampleServer();
});

afterEach(async () => {
  await client.close();
  await server.close(0);
});

describe('a modern request', () => {
  beforeEach(() => start());

  it('is answered in JSON with 200 and makes no session', async () => {
    const answer = await client.modern('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect((await answer.message()).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'hi' }],
    });
  });

  it('is answered by a stream if something has to go before the reply', async () => {
    const answer = await client.modern('tools/call', {
      name: 'busy',
      _meta: { progressToken: 7, 'io.modelcontextprotocol/logLevel': 'info' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    const events = answer.events();
    await events.ended;
    expect(events.messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'notifications/message',
      1,
    ]);
    expect(events.received.map(({ id }) => id)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
