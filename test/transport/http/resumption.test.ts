import { describe, expect, it } from 'vitest';
import { FACTS } from '../../../generated/facts.js';
import { LEGACY } from '../../support/peers.js';
import { serveHttp } from '../../support/http-server.js';
import type { HttpClient, EventReader, Headers } from '../../support/http-client.js';
import '../../support/strict.js';

const RESUMABLE = LEGACY.filter((revision) => FACTS[revision].primedStreams);
const PROGRESS = { _meta: { progressToken: 'p' } };

async function call(client: HttpClient, session: Headers, name: string): Promise<EventReader> {
  const body = client.request('tools/call', { name, ...PROGRESS });
  return (await client.post(body, session)).events();
}

const progressOf = (events: EventReader): unknown[] =>
  events.messages.flatMap(({ params }) => params?.['progress'] ?? []);

/** What it takes to go on after the last event that came. */
function lastOf(events: EventReader): Headers {
  return { 'last-event-id': events.received.at(-1)?.id };
}

describe.each(RESUMABLE)('a stream of %s', (revision) => {
  it('starts with an id, no data, and the time to wait before a reconnect', async () => {
    const { client } = await serveHttp({ retry: 1234 });
    const session = await client.session(revision);
    const stream = (await client.send('GET', session)).events();
    await stream.until(() => stream.received.length === 1);
    expect(stream.received[0]?.data).toBe('');
    expect(stream.received[0]?.id).toMatch(/./);
    expect(stream.retry).toBe(1234);
    stream.drop();

    const post = await call(client, session, 'busy');
    await post.ended;
    expect(post.received[0]?.data).toBe('');
    expect(post.messages).toHaveLength(4);
  });

  it('never gives two events of a session the same id', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const streams = await Promise.all([1, 2, 3].map(() => call(client, session, 'busy')));
    await Promise.all(streams.map(({ ended }) => ended));
    const ids = streams.flatMap(({ received }) => received.map(({ id }) => id));
    expect(ids).toHaveLength(15);
    expect(new Set(ids).size).toBe(15);
  });

  it('goes on by GET where it broke, and ends with the reply', async () => {
    const { client, gate } = await serveHttp();
    const session = await client.session(revision);
    const entered = gate.entered;
    const posted = call(client, session, 'gate');
    const ctx = await entered;
    ctx.progress({ progress: 1 });
    const broken = await posted;
    await broken.first(1);
    broken.drop();
    ctx.progress({ progress: 2 });

    const resumed = await client.send('GET', { ...session, ...lastOf(broken) });
    expect(resumed.headers['content-type']).toBe('text/event-stream');
    const events = resumed.events();
    await events.first(1);
    ctx.progress({ progress: 3 });
    gate.release('after all');
    await events.ended;
    expect(progressOf(events)).toEqual([2, 3]);
    expect(events.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'after all' }] } });
    expect(ctx.signal.aborted).toBe(false);
  });

  it('can be resumed after it ended, as often as it takes, from any event', async () => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const whole = await call(client, session, 'busy');
    await whole.ended;
    for (const [at, { id }] of whole.received.entries()) {
      const answer = await client.send('GET', { ...session, 'last-event-id': id });
      const rest = whole.received.slice(at + 1);
      if (rest.length === 0) {
        // Nothing is left: the status that ends a client's attempts.
        expect(answer.status).toBe(204);
      } else {
        const events = answer.events();
        await events.ended;
        expect(events.received.map((event) => [event.id, event.data])).toEqual(
          rest.map((event) => [event.id, event.data]),
        );
      }
    }
  });

  it('gets nothing of other streams when it is resumed', async () => {
    const { client, server } = await serveHttp();
    const session = await client.session(revision);
    const stream = (await client.send('GET', session)).events();
    await stream.until(() => stream.received.length === 1);
    stream.drop();
    const post = await call(client, session, 'busy');
    await post.ended;
    server.tool({ name: 'new' }, () => 'new');
    const resumed = (await client.send('GET', { ...session, ...lastOf(stream) })).events();
    expect(await resumed.first(1)).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    resumed.drop();
  });

  it('can be resumed while the server still holds the broken connection for whole', async () => {
    const { client, server, another } = await serveHttp();
    const session = await client.session(revision);
    const old = (await client.send('GET', session)).events();
    await old.until(() => old.received.length === 1);
    const again = await another().send('GET', { ...session, ...lastOf(old) });
    await old.ended;
    server.tool({ name: 'new' }, () => 'new');
    const events = again.events();
    await events.first(1);
    expect(old.messages).toEqual([]);
    events.drop();
  });

  it('can be resumed alongside the stream of the session', async () => {
    const { client, gate } = await serveHttp();
    const session = await client.session(revision);
    const stream = (await client.send('GET', session)).events();
    const entered = gate.entered;
    const posted = call(client, session, 'gate');
    (await entered).progress({ progress: 1 });
    const broken = await posted;
    await broken.first(1);
    broken.drop();
    const resumed = (await client.send('GET', { ...session, ...lastOf(broken) })).events();
    gate.release('both');
    await resumed.ended;
    expect(resumed.messages).toHaveLength(1);
    expect(stream.messages).toEqual([]);
    stream.drop();
  });

  it.each(['nonsense', '1-999', '77-1', ''])('refuses the event id %j with 400', async (id) => {
    const { client } = await serveHttp();
    const session = await client.session(revision);
    const answer = await client.send('GET', { ...session, 'last-event-id': id });
    expect(answer.status).toBe(400);
    expect((await answer.message()).error?.code).toBe(-32600);
  });

  it('cannot be resumed by another session', async () => {
    const { client } = await serveHttp();
    const mine = await client.session(revision);
    const post = await call(client, mine, 'busy');
    await post.ended;
    const theirs = await client.session(revision);
    const last = { 'last-event-id': post.received[0]?.id };
    expect((await client.send('GET', { ...theirs, ...last })).status).toBe(400);
  });

  it('is forgotten beyond the bound, and the loss is counted', async () => {
    const { client, server } = await serveHttp({ maxKeptEvents: 2 });
    const session = await client.session(revision);
    const post = await call(client, session, 'busy');
    await post.ended;
    const early = { 'last-event-id': post.received[0]?.id };
    expect((await client.send('GET', { ...session, ...early })).status).toBe(400);
    const late = { 'last-event-id': post.received[3]?.id };
    const events = (await client.send('GET', { ...session, ...late })).events();
    await events.ended;
    expect(events.messages).toMatchObject([{ id: 2 }]);
    expect(server.core.diagnostics.count('events-forgotten')).toBe(1);
  });
});

it.each(LEGACY.filter((revision) => !RESUMABLE.includes(revision)))(
  'Last-Event-ID means nothing in a session of %s',
  async (revision) => {
    const { client, server } = await serveHttp();
    const session = await client.session(revision);
    const stream = (await client.send('GET', { ...session, 'last-event-id': '1-1' })).events();
    server.tool({ name: 'new' }, () => 'new');
    await stream.first(1);
    expect(stream.received[0]?.id).toBeUndefined();
    stream.drop();
  },
);
