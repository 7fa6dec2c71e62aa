import { describe, expect, it } from 'vitest';
import { FACTS } from '../../../generated/facts.js';
import { NEWEST_LEGACY, OLDEST } from '../../../generated/revisions.js';
import { HEADERLESS, LEGACY_REVISIONS } from '../../../src/server/era.js';
import { askClient } from '../../support/ask.js';
import type { Message } from '../../support/stdio-client.js';
import { LEGACY } from '../../support/peers.js';
import { serveHttp } from '../../support/http-server.js';
import '../../support/strict.js';

const ECHO = { name: 'echo', arguments: { text: 'hi' } };
const clientInfo = { name: 'test', version: '1' };
const PLAIN = LEGACY.filter((revision) => !FACTS[revision].primedStreams);
/** Legacy revisions whose tools have titles: what shows which one an answer is spelled for. */
const TITLED: readonly string[] = ['2025-06-18', '2025-11-25'];
const BATCHING = LEGACY.filter((revision) => FACTS[revision].batching);

describe.each(LEGACY)('a session of %s', (revision) => {
  it('starts with initialize, which mints its id and keeps it to itself afterwards', async () => {
    const { client } = await serveHttp();
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    const opened = await client.post(client.request('initialize', params));
    expect(opened.status).toBe(200);
    const session = opened.headers['mcp-session-id'];
    expect(session).toMatch(/^[\x21-\x7e]{32,}$/);
    expect((await opened.message()).result).toMatchObject({ protocolVersion: revision });

    const called = await client.post(client.request('tools/call', ECHO), {
      'mcp-session-id': session as string,
    });
    expect(called.headers['mcp-session-id']).toBeUndefined();
    expect((await called.message()).result).toMatchObject({ content: [{ text: 'hi' }] });
  });

  it('takes notifications with 202 and no body', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const body = { jsonrpc: '2.0', method: 'notifications/nonsense' };
    const answer = await client.post(body, session);
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
  });

  it('is governed by what was negotiated, whatever served revision the header names', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    for (const version of LEGACY_REVISIONS) {
      const headers = { ...session, 'mcp-protocol-version': version };
      const answer = await client.post(client.request('tools/list'), headers);
      expect(answer.status).toBe(200);
      const [echo] = (await answer.message()).result?.['tools'] as object[];
      expect('title' in (echo ?? {})).toBe(TITLED.includes(revision));
    }
  });

  it('refuses a version that is no legacy one, with 400 and the list', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const headers = { ...session, 'mcp-protocol-version': 'banana' };
    const error = { code: -32022, data: { supported: LEGACY_REVISIONS, requested: 'banana' } };
    const request = await client.post(client.request('tools/list'), headers);
    expect(request.status).toBe(400);
    expect(await request.message()).toMatchObject({ id: 2, error });
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const answer of [
      await client.post(notification, headers),
      await client.send('GET', headers),
      await client.send('DELETE', headers),
    ]) {
      expect(answer.status).toBe(400);
      expect((await answer.message()).error).toMatchObject(error);
    }
  });

  it('answers errors with 200: 404 would say that the session is lost', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    for (const [method, code] of [
      ['no/such', -32601],
      ['prompts/get', -32602],
    ] as const) {
      const answer = await client.post(client.request(method, { name: 'nobody' }), session);
      expect(answer.status).toBe(200);
      expect((await answer.message()).error?.code).toBe(code);
    }
  });

  it('means nothing to a modern request, and is not harmed by it', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const modern = await client.modern('tools/call', ECHO, session);
    expect((await modern.message()).result).toMatchObject({ resultType: 'complete' });
    const legacy = await client.post(client.request('tools/call', ECHO), session);
    expect((await legacy.message()).result).not.toHaveProperty('resultType');
  });

  it('ends with DELETE: 204, and 404 from then on', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    expect((await client.send('DELETE', session)).status).toBe(204);
    const late = await client.post(client.request('tools/list'), session);
    expect(late.status).toBe(404);
    expect(await late.message()).toMatchObject({ error: { code: -32600 } });
    expect((await client.send('GET', session)).status).toBe(404);
    expect((await client.send('DELETE', session)).status).toBe(404);
  });

  it('opens one stream by GET; a second one is refused with 409', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const first = await client.send('GET', session);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    expect((await client.send('GET', session)).status).toBe(409);
    first.events().drop();
  });

  it('is told on its stream of lists that changed and resources it subscribed to', async () => {
    const { client, server } = await serveHttp();
    const session = await client.session(revision);
    const stream = (await client.send('GET', session)).events();
    const subscribe = client.request('resources/subscribe', { uri: 'test://text' });
    await (await client.post(subscribe, session)).text();
    server.resourceUpdated('test://text');
    expect(await stream.first(1)).toMatchObject([
      { method: 'notifications/resources/updated', params: { uri: 'test://text' } },
    ]);
    server.tool({ name: 'new' }, () => 'new');
    expect((await stream.first(2))[1]).toMatchObject({
      method: 'notifications/tools/list_changed',
    });
    expect(stream.messages).toHaveLength(2);
    stream.drop();
  });

  it('is told on its stream what happened before the stream was opened', async () => {
    const { client, server } = await serveHttp();
    const session = await client.session(revision);
    const subscribe = client.request('resources/subscribe', { uri: 'test://text' });
    await (await client.post(subscribe, session)).text();
    server.resourceUpdated('test://text');
    const stream = (await client.send('GET', session)).events();
    await stream.first(1);
    stream.drop();
  });

  it('keeps its stream alive by comments, and ends it when it ends', async () => {
    const { client } = await serveHttp({ sseKeepAlive: 10 });
    const session = await client.session(revision);
    const stream = (await client.send('GET', session)).events();
    await stream.until(() => stream.comments.length >= 2);
    await client.send('DELETE', session);
    await stream.ended;
  });

  it('gets progress on the POST and nowhere else', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const stream = (await client.send('GET', session)).events();
    const params = { name: 'busy', _meta: { progressToken: 'p' } };
    const post = (await client.post(client.request('tools/call', params), session)).events();
    await post.ended;
    expect(post.messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'notifications/message',
      2,
    ]);
    expect(stream.messages).toEqual([]);
    stream.drop();
  });

  it('is asked on the open POST, and answers with a POST of its own', async () => {
    const { client, gate } = await serveHttp();
    const session = await client.session(revision);
    const entered = gate.entered;
    const call = client.post(client.request('tools/call', { name: 'gate' }), session);
    const asked = askClient(await entered, 'ping');
    const events = (await call).events();
    const [question] = await events.first(1);
    expect(question).toMatchObject({ method: 'ping' });
    const answer = { jsonrpc: '2.0', id: question?.id, result: {} };
    const posted = await client.post(answer, session);
    expect(posted.status).toBe(202);
    expect(await posted.text()).toBe('');
    expect(await asked).toEqual({});
    gate.release('asked');
    await events.ended;
    expect(events.messages[1]).toMatchObject({ result: { content: [{ text: 'asked' }] } });
    expect((await client.post(answer, session)).status).toBe(400);
  });

  it('cannot answer what another session was asked', async () => {
    const { client, gate, another } = await serveHttp();
    const session = await client.session(revision);
    const entered = gate.entered;
    const call = client.post(client.request('tools/call', { name: 'gate' }), session);
    const asked = askClient(await entered, 'ping');
    const events = (await call).events();
    const [question] = await events.first(1);
    const answer = { jsonrpc: '2.0', id: question?.id, result: {} };
    const stranger = another();
    const theirs = await stranger.session(revision);
    expect((await stranger.post(answer, theirs)).status).toBe(400);
    expect((await stranger.post(answer)).status).toBe(400);
    await client.post(answer, session);
    await asked;
    events.drop();
  });

  it('is not cancelled by a dropped connection, but by a notification', async () => {
    const { client, gate } = await serveHttp();
    const session = await client.session(revision);
    const gone = new AbortController();
    const entered = gate.entered;
    const request = { ...client.request('tools/call', { name: 'gate' }), id: 'gone' };
    const call = client.post(request, session, gone.signal);
    const { signal } = await entered;
    gone.abort();
    await expect(call).rejects.toThrow();
    // Two round trips later the server has long seen the connection go.
    for (const method of ['ping', 'tools/list']) {
      await (await client.post(client.request(method), session)).text();
    }
    expect(signal.aborted).toBe(false);
    const params = { requestId: 'gone', reason: 'enough' };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    expect((await client.post(cancel, session)).status).toBe(202);
    await gate.aborted;
  });

  it('gets no reply to what it cancelled', async () => {
    const { client, gate, another } = await serveHttp();
    const session = await client.session(revision);
    const entered = gate.entered;
    const request = { ...client.request('tools/call', { name: 'gate' }), id: 'c' };
    const call = client.post(request, session);
    await entered;
    const cancel = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'c' },
    };
    await another().post(cancel, session);
    const answer = await call;
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
  });
});

describe('the id of a session', () => {
  it('that nobody minted is 404 and starts nothing, also for initialize', async () => {
    const { client } = await serveHttp();
    const forged = { 'mcp-session-id': 'forged' };
    const params = { protocolVersion: OLDEST, capabilities: {}, clientInfo };
    for (const body of [client.request('initialize', params), client.request('tools/list')]) {
      const answer = await client.post(body, forged);
      expect(answer.status).toBe(404);
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      expect((await answer.message()).id).toBe((body as Message).id);
    }
    expect((await client.send('GET', forged)).status).toBe(404);
    expect((await client.send('DELETE', forged)).status).toBe(404);
  });

  it('is needed by DELETE (400) and by GET (405)', async () => {
    const { client } = await serveHttp();
    expect((await client.send('DELETE')).status).toBe(400);
    const get = await client.send('GET');
    expect(get.status).toBe(405);
    expect(get.headers['allow']).toBe('POST');
  });

  it('is not minted where initialize fails', async () => {
    const { client } = await serveHttp();
    const answer = await client.post(client.request('initialize', { protocolVersion: 5 }));
    expect((await answer.message()).error?.code).toBe(-32602);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it('is another one each time', async () => {
    const { client } = await serveHttp();
    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => client.session(NEWEST_LEGACY)),
    );
    expect(new Set(sessions.map((session) => session['mcp-session-id'])).size).toBe(20);
  });
});

it('a session that is idle ends, one with a stream open does not', async () => {
  const { client, server } = await serveHttp({ sessionIdle: 30 });
  const idle = await client.session(NEWEST_LEGACY);
  const streaming = await client.session(NEWEST_LEGACY);
  const stream = (await client.send('GET', streaming)).events();
  while (server.core.load.connections > 1) await new Promise((resolve) => setImmediate(resolve));
  expect((await client.post(client.request('ping'), idle)).status).toBe(404);
  expect((await client.post(client.request('ping'), streaming)).status).toBe(200);
  stream.drop();
});

it('a session whose client left in the middle of a call ends when it is idle, and the call with it', async () => {
  const { client, gate } = await serveHttp({ sessionIdle: 30 });
  const session = await client.session(NEWEST_LEGACY);
  const gone = new AbortController();
  const entered = gate.entered;
  const request = client.request('tools/call', { name: 'gate' });
  const call = client.post(request, session, gone.signal);
  await entered;
  gone.abort();
  await expect(call).rejects.toThrow();
  await gate.aborted;
  expect((await client.post(client.request('ping'), session)).status).toBe(404);
});

it('a call that takes longer than a session may be idle keeps it', async () => {
  const { client, gate } = await serveHttp({ sessionIdle: 20, sseKeepAlive: 10 });
  const session = await client.session(NEWEST_LEGACY);
  const events = (
    await client.post(client.request('tools/call', { name: 'gate' }), session)
  ).events();
  await events.until(() => events.comments.length >= 5);
  gate.release('in time');
  await events.ended;
  expect(events.messages).toMatchObject([{ result: { content: [{ text: 'in time' }] } }]);
});

describe('a legacy listen stream', () => {
  const wish = { notifications: { toolsListChanged: true } };

  it.each(PLAIN)('of %s ends with its connection, for it cannot be resumed', async (revision) => {
    // Legacy revisions have no acknowledgement, so silence is what opens the stream.
    const settings = { maxStreams: 1, listChangedDelay: 1 };
    const { client, server } = await serveHttp({ sseKeepAlive: 10 }, { settings });
    const session = await client.session(revision);
    const listen = () => client.post(client.request('subscriptions/listen', wish), session);
    const first = (await listen()).events();
    await first.until(() => first.comments.length > 0);
    first.drop();
    // There is room for the next one as soon as the first has ended.
    let answer = await listen();
    while (answer.status === 503) {
      await answer.text();
      answer = await listen();
    }
    const second = answer.events();
    await second.until(() => second.comments.length > 0);
    server.tool({ name: 'new' }, () => 'new');
    await second.first(1);
    second.drop();
  });
});

describe('a request without a session', () => {
  it('is served on its own, as the revision its header names', async () => {
    const { client } = await serveHttp();
    for (const version of LEGACY_REVISIONS) {
      const headers = { 'mcp-protocol-version': version };
      const answer = await client.post(client.request('tools/list'), headers);
      expect(answer.status).toBe(200);
      const [echo] = (await answer.message()).result?.['tools'] as object[];
      expect('title' in (echo ?? {})).toBe(TITLED.includes(version));
    }
  });

  it('is one of the first revision of this transport without a header', async () => {
    const { client } = await serveHttp();
    const answer = await client.post(client.request('tools/list'));
    const [echo] = (await answer.message()).result?.['tools'] as object[];
    expect(echo).toHaveProperty('annotations');
    expect(echo).not.toHaveProperty('title');
  });

  it('is cancelled by a dropped connection: there is no other signal', async () => {
    const { client, gate } = await serveHttp();
    const gone = new AbortController();
    const entered = gate.entered;
    const call = client.post(client.request('tools/call', { name: 'gate' }), {}, gone.signal);
    await entered;
    gone.abort();
    await expect(call).rejects.toThrow();
    await gate.aborted;
  });

  it('may mirror anything in headers: they mean nothing yet', async () => {
    const { client } = await serveHttp();
    const headers = { 'mcp-method': 'wrong', 'mcp-name': 'wrong' };
    expect((await client.post(client.request('tools/call', ECHO), headers)).status).toBe(200);
  });
});

describe('a batch', () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} };

  it.each(BATCHING)('of %s is answered with one array', async (revision) => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const batch = [
      client.request('tools/call', ECHO),
      notification,
      client.request('no/such'),
      { jsonrpc: '2.0', id: 'odd' },
      client.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo }),
    ];
    const answer = await client.post(batch, session);
    expect(answer.status).toBe(200);
    const replies = JSON.parse(await answer.text()) as Message[];
    expect(replies).toMatchObject([
      { id: 2, result: {} },
      { id: 3, error: { code: -32601 } },
      { id: 'odd', error: { code: -32600 } },
      { id: 4, error: { code: -32600 } },
    ]);
  });

  it('without session and header counts as one of the revision that has them', async () => {
    const { client } = await serveHttp();
    expect(BATCHING).toContain(HEADERLESS);
    const answer = await client.post([client.request('tools/list')]);
    expect(JSON.parse(await answer.text())).toMatchObject([{ id: 1, result: {} }]);
  });

  it('of notifications alone is taken with 202', async () => {
    const { client } = await serveHttp();
    const answer = await client.post([notification, notification]);
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
  });

  it('is answered by a stream if something has to go before the replies', async () => {
    const { client } = await serveHttp();
    const params = { name: 'busy', _meta: { progressToken: 'p' } };
    const answer = await client.post([client.request('tools/call', params)]);
    const events = answer.events();
    await events.ended;
    const last: unknown = events.messages.at(-1);
    expect(last).toMatchObject([{ id: 1, result: { content: [{ text: 'done' }] } }]);
  });

  it('without a session is cancelled by a dropped connection', async () => {
    const { client, gate } = await serveHttp();
    const gone = new AbortController();
    const entered = gate.entered;
    const batch = [client.request('tools/call', { name: 'gate' })];
    const call = client.post(batch, {}, gone.signal);
    await entered;
    gone.abort();
    await expect(call).rejects.toThrow();
    await gate.aborted;
  });

  it.each(LEGACY.filter((revision) => !BATCHING.includes(revision)))(
    'of %s is refused with 400, and nothing of it runs',
    async (revision) => {
      const { client, gate } = await serveHttp();
      let entered = false;
      void gate.entered.then(() => (entered = true));
      const batch = [client.request('tools/call', { name: 'gate' })];
      for (const headers of [
        await client.session(revision),
        { 'mcp-protocol-version': revision },
      ]) {
        const answer = await client.post(batch, headers);
        expect(answer.status).toBe(400);
        expect((await answer.message()).error?.code).toBe(-32600);
      }
      expect(entered).toBe(false);
    },
  );

  it('without any message in it is refused with 400', async () => {
    const { client } = await serveHttp();
    for (const batch of ['[5, null]', '['.repeat(50_000) + ']'.repeat(50_000)]) {
      const answer = await client.post(batch);
      expect(answer.status).toBe(400);
      expect((await answer.message()).error).toMatchObject({
        code: -32600,
        message: expect.stringContaining('/0: a message has to be a JSON object') as unknown,
      });
    }
  });

  it('that is empty or too long is refused with 400', async () => {
    const { client } = await serveHttp({ maxBatch: 2 });
    for (const length of [0, 3]) {
      const answer = await client.post(Array.from({ length }, () => notification));
      expect(answer.status).toBe(400);
      expect((await answer.message()).error?.code).toBe(-32600);
    }
    expect((await client.post([notification, notification])).status).toBe(202);
  });
});

it.each(PLAIN)('streams of %s have no event ids and start with a message', async (revision) => {
  const { client } = await serveHttp();
  const session = await client.session(revision);
  const params = { name: 'busy', _meta: { progressToken: 'p' } };
  const events = (await client.post(client.request('tools/call', params), session)).events();
  await events.ended;
  expect(events.received.every(({ id, data }) => id === undefined && data !== '')).toBe(true);
  expect(events.retry).toBeUndefined();
});

it('a session and a modern client on one endpoint are told of the same change, each its way', async () => {
  const { client, server, another } = await serveHttp();
  const session = await client.session(OLDEST);
  const legacy = (await client.send('GET', session)).events();
  const wish = { notifications: { toolsListChanged: true } };
  const modern = (await another().modern('subscriptions/listen', wish)).events();
  await modern.first(1);
  server.tool({ name: 'new' }, () => 'new');
  const [plain] = await legacy.first(1);
  expect(plain?.params).toBeUndefined();
  const [, tagged] = await modern.first(2);
  expect(tagged?.params).toHaveProperty('_meta');
  legacy.drop();
  modern.drop();
});
