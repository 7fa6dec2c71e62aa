import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { startChild, type Child } from '../conformance/child.js';
import { HttpClient, type EventReader, type Headers } from '../support/http-client.js';
import { LEGACY } from '../support/peers.js';
import type { Message } from '../support/stdio-client.js';

const STREAMS = 1000;
const SESSIONS = 200;
const UPDATES = 5;
/** Callers that ask one thing after the other all the while. */
const CALLERS = 10;
/** Enough for what is not let go to add up beyond what V8 itself varies by. */
const ROUNDS = 4;

const ROOT = 'load://root';
const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url));

let child: Child;
/** The clients of a round; new ones for each, so that nothing of theirs is left. */
let client: HttpClient;
let observer: HttpClient;

beforeAll(async () => {
  const args = ['--expose-gc', '--import', 'tsx', SERVER];
  child = startChild(process.execPath, args, { env: { MCPX_CHECK_OUTGOING: 'error' } });
  observer = new HttpClient(await child.printed(/(http:\S+)/));
});

afterAll(async () => {
  await observer.close();
  await child.stop();
});

it(`${STREAMS} streams and ${SESSIONS} sessions are told everything once, and leave nothing`, async () => {
  // The first round fills what is filled once: caches, and compiled code.
  await round();
  const before = await quiet();
  let during = before;
  for (let at = 0; at < ROUNDS; at++) during = await round();
  const after = await quiet();
  expect(after - before).toBeLessThan((during - before) / 4);
}, 120_000);

/** Everything opened, told and closed; resolves to the heap in bytes while all of it is open. */
async function round(): Promise<number> {
  client = new HttpClient(observer.url);
  const calls = new Calls();
  const streams = await concurrently(STREAMS, listen);
  const sessions = await concurrently(SESSIONS, openSession);
  const readers = [...streams, ...sessions.map(({ events }) => events)];

  await tool('change');
  await Promise.all(readers.map((events) => events.until(() => news(events).length > 0)));
  for (let at = 0; at < UPDATES; at++) await tool('update', { uri: `${ROOT}/${at}` });
  await Promise.all(readers.map((events) => events.until(() => news(events).length > UPDATES)));
  // What comes twice comes before the last that comes.
  await tool('update', { uri: `${ROOT}/last` });
  await Promise.all(
    readers.map((events) => events.until(() => news(events).at(-1) === `${ROOT}/last`)),
  );
  const expected = ['tools', ...Array.from({ length: UPDATES }, (_, at) => `${ROOT}/${at}`)];
  for (const events of readers) expect(news(events)).toEqual([...expected, `${ROOT}/last`]);

  const { heap } = await state();
  await calls.end();
  for (const events of streams) events.drop();
  await Promise.all(sessions.map(({ headers }) => client.send('DELETE', headers)));
  await Promise.all(readers.map(({ ended }) => ended));
  await client.close();
  return heap;
}

class Calls {
  #going = true;
  readonly #callers = Array.from({ length: CALLERS }, (_, at) => this.#callOn(at));

  async #callOn(caller: number): Promise<void> {
    for (let at = 0; this.#going; at++) {
      const text = `${caller}-${at}`;
      expect(await tool('echo', { text })).toMatchObject({ content: [{ text }] });
    }
  }

  async end(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#callers);
  }
}

async function listen(): Promise<EventReader> {
  const notifications = { toolsListChanged: true, resourceSubscriptions: [ROOT] };
  const events = (await client.modern('subscriptions/listen', { notifications })).events();
  const [first] = await events.first(1);
  expect(first?.params?.['notifications']).toEqual(notifications);
  return events;
}

async function openSession(at: number): Promise<{ headers: Headers; events: EventReader }> {
  const headers = await client.session(LEGACY[at % LEGACY.length] ?? NEWEST);
  const events = (await client.send('GET', headers)).events();
  const subscribed = await client.post(
    client.request('resources/subscribe', { uri: ROOT }),
    headers,
  );
  expect((await subscribed.message()).result).toEqual({});
  return { headers, events };
}

/** What a stream told so far: the list, or the resource. */
function news(events: EventReader): unknown[] {
  return events.messages.flatMap(({ method, params }: Message) => {
    if (method === 'notifications/tools/list_changed') return ['tools'];
    return method === 'notifications/resources/updated' ? [params?.['uri']] : [];
  });
}

async function tool(name: string, args: object = {}, caller = client): Promise<Message['result']> {
  const answer = await caller.modern('tools/call', { name, arguments: args });
  return (await answer.message()).result;
}

async function state(): Promise<{ heap: number; sockets: number }> {
  const result = await tool('state', {}, observer);
  return result?.['structuredContent'] as { heap: number; sockets: number };
}

/** The heap in bytes, once the server has closed all but the few connections that a client keeps. */
async function quiet(): Promise<number> {
  let now = await state();
  while (now.sockets > CALLERS) now = await state();
  return now.heap;
}

/** So many at a time as a server's backlog takes. */
async function concurrently<T>(count: number, task: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < count; at += 100) {
    const some = Array.from({ length: Math.min(100, count - at) }, (_, more) => task(at + more));
    results.push(...(await Promise.all(some)));
  }
  return results;
}
