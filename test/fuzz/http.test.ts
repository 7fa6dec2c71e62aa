/** Anything over HTTP: it is answered, validly, and an honest request alongside never notices. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import type { McpServer } from '../../src/index.js';
import { isObject } from '../../src/protocol/jsonrpc.js';
import { speaksModern } from '../../src/server/classify.js';
import { HEADERLESS, LEGACY_REVISIONS } from '../../src/server/era.js';
import { HttpClient, type Headers, type Sent } from '../support/http-client.js';
import { LEGACY } from '../support/peers.js';
import { sampleServer } from '../support/server.js';
import type { Message } from '../support/stdio-client.js';
import '../support/strict.js';
import { bytesOf, frames, headers } from './hostile.js';
import { faultsIn } from './judge.js';
import { fuzzRuns } from './runs.js';

/** Far beyond what an answer takes: who waits longer waits for good. */
const HANG_MS = 10_000;

let server: McpServer;
let hostile: HttpClient;
let honest: HttpClient;
let asked = 0;
const failures: unknown[] = [];

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

beforeAll(async () => {
  const ignore = (): void => undefined;
  const error = (details: object): void => void failures.push(details);
  server = sampleServer({ logger: { debug: ignore, info: ignore, warn: ignore, error } });
  server.tool(
    {
      name: 'mirror',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      },
    },
    ({ region }) => String(region),
  );
  const { url } = await server.http({ port: 0, sseKeepAlive: 20 });
  hostile = new HttpClient(url);
  honest = new HttpClient(url);
});

afterAll(async () => {
  await hostile.close();
  await honest.close();
  await server.close(0);
});

const client = fc.constantFrom<Revision | 'stateless'>(...LEGACY, NEWEST, 'stateless');

type Verb = Parameters<HttpClient['send']>[0];
const verb = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Verb>('POST') },
  fc.constantFrom<Verb>('GET', 'DELETE', 'PUT'),
);

const post = client.chain((who) =>
  fc.record({
    who: fc.constant(who),
    verb,
    body: bytesOf(frames(fc.oneof(fc.nat(9), fc.string()), who === NEWEST)),
    change: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, headers),
  }),
);

it('whatever comes is answered validly, and an honest request alongside', async () => {
  await fc.assert(
    fc.asyncProperty(post, async ({ who, verb: method, body, change }) => {
      const session = isLegacy(who) ? await hostile.session(who) : {};
      const sent: Headers = {
        'content-type': 'application/json',
        ...session,
        ...(who === NEWEST ? mirroring(parsed(body)) : {}),
        ...change,
      };
      const payload = method === 'POST' || method === 'PUT' ? body : undefined;
      const [answer] = await Promise.all([ask(method, sent, payload), expectHonestAnswer()]);
      const faults = faultsOf(answer, requestsIn(parsed(body), sent, who));
      expect(faults, body.toString()).toEqual([]);
    }),
    fuzzRuns(400),
  );
  expect(failures).toEqual([]);
});

it('a request is read the same wherever the network cuts it', async () => {
  const whole = await converse([REQUEST]);
  expect(whole).toMatch(/^HTTP\/1\.1 200 /);
  const cuts = Array.from({ length: REQUEST.length - 1 }, (_, at) => at + 1);
  for (const some of inGroupsOf(50, cuts)) {
    const answers = some.map((at) => converse([REQUEST.subarray(0, at), REQUEST.subarray(at)]));
    for (const answer of await Promise.all(answers)) expect(body(answer)).toBe(body(whole));
  }
});

it('a connection that breaks at any byte, or has garbage on it, costs nobody else an answer', async () => {
  const broken = fc.record({
    end: fc.nat(REQUEST.length),
    garbage: fc.uint8Array({ maxLength: 20 }),
    at: fc.nat(REQUEST.length),
  });
  await fc.assert(
    fc.asyncProperty(broken, async ({ end, garbage, at }) => {
      const bytes = Buffer.concat([REQUEST.subarray(0, at), garbage, REQUEST.subarray(at)]);
      const socket = connect(Number(new URL(honest.url).port), '127.0.0.1');
      // The server may have closed it by now.
      socket.on('error', () => undefined);
      socket.write(bytes.subarray(0, end), () => socket.destroy());
      await Promise.all([once(socket, 'close'), expectHonestAnswer()]);
    }),
    fuzzRuns(300),
  );
  expect(failures).toEqual([]);
});

const BODY = '{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{"name":"sum"}}';
const REQUEST = Buffer.from(
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `Connection: close\r\nContent-Length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`,
);

/** Writes the parts one after the other, and resolves to all that comes back. */
async function converse(parts: readonly Buffer[]): Promise<string> {
  const socket = connect({
    ...{ port: Number(new URL(honest.url).port), host: '127.0.0.1', noDelay: true },
  });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  for (const part of parts) {
    await new Promise((written) => socket.write(part, written));
    await new Promise(setImmediate);
  }
  await once(socket, 'close');
  return text;
}

const body = (response: string): string | undefined => response.split('\r\n\r\n')[1];

interface Answer {
  readonly status: number;
  readonly batch: boolean;
  readonly frames: Message[];
}

async function ask(method: Verb, sent: Headers, payload: Buffer | undefined): Promise<Answer> {
  const deadline = AbortSignal.timeout(HANG_MS);
  const answer = await hostile.send(method, sent, payload, deadline);
  const listens = payload?.includes('subscriptions/listen') === true;
  const frames = await framesOf(method, answer, listens);
  deadline.throwIfAborted();
  const owed = method === 'POST' && answer.status === 200 && !listens;
  if (owed) expect(frames).not.toEqual([]);
  return { status: answer.status, batch: Array.isArray(parsed(payload)), frames };
}

/**
 * Everything that comes. Streams that last are left: GET at once, a listen stream when it has begun,
 * which a legacy client sees by a comment.
 */
async function framesOf(method: Verb, answer: Sent, listens: boolean): Promise<Message[]> {
  if (answer.headers['content-type'] === 'text/event-stream') {
    const events = answer.events();
    const begun = (): boolean =>
      events.messages.some((message) => message.method === ACKNOWLEDGED) ||
      (listens && events.comments.length > 0);
    if (method !== 'GET') await events.until(begun).catch(() => undefined);
    events.drop();
    // The answers of a batch may come as one (2025-03-26, basic/transports).
    return events.messages.flat();
  }
  const text = await answer.text();
  if (text === '') return [];
  const value = JSON.parse(text) as Message | Message[];
  return Array.isArray(value) ? value : [value];
}

async function expectHonestAnswer(): Promise<void> {
  const text = `honest ${++asked}`;
  const answer = await honest.modern('tools/call', { name: 'echo', arguments: { text } });
  expect(answer.status).toBe(200);
  expect((await answer.message()).result).toMatchObject({ content: [{ text }] });
}

/** Undefined where it is no JSON. */
function parsed(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

interface Asked {
  readonly id: unknown;
  readonly method: string;
  readonly revision: Revision;
}

/** Every element of a batch is of the era that it says itself. */
function requestsIn(value: unknown, sent: Headers, who: Revision | 'stateless'): Asked[] {
  const elements: unknown[] = Array.isArray(value) ? value : [value];
  return elements.map((frame) => ({
    id: isObject(frame) ? frame['id'] : undefined,
    method: isObject(frame) && typeof frame['method'] === 'string' ? frame['method'] : '',
    revision: revisionOf(frame, sent, who),
  }));
}

function mirroring(value: unknown): Headers {
  const frame = isObject(value) ? value : {};
  const params = isObject(frame['params']) ? frame['params'] : {};
  return {
    'mcp-protocol-version': NEWEST,
    'mcp-method': printable(frame['method']),
    'mcp-name': printable(params['name'] ?? params['uri']),
  };
}

function printable(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined;
}

function revisionOf(value: unknown, sent: Headers, who: Revision | 'stateless'): Revision {
  const header = sent['mcp-protocol-version'];
  const params = isObject(value) && isObject(value['params']) ? value['params'] : undefined;
  if (speaksModern({ params }, header)) return NEWEST;
  if (isLegacy(who)) return who;
  return LEGACY_REVISIONS.find((revision) => revision === header) ?? HEADERLESS;
}

function isLegacy(who: Revision | 'stateless'): who is Revision {
  return (LEGACY as readonly string[]).includes(who);
}

function faultsOf({ status, batch, frames: received }: Answer, asked: readonly Asked[]): string[] {
  if (status >= 500) return [`HTTP status ${status}`];
  return received.flatMap((frame) => {
    // Ids may come twice, and a notification belongs to any of them.
    const candidates = asked.filter(({ id }) => frame.method !== undefined || id === frame.id);
    const verdicts = (candidates.length > 0 ? candidates : asked).map(({ method, revision }) => [
      ...faultsIn(frame, revision, method),
      ...(revision === NEWEST && !batch ? wrongStatus(status, frame) : []),
    ]);
    return verdicts.find((faults) => faults.length === 0) ?? verdicts.flat();
  });
}

/** What is about a request is told by the status as well; 406 alone depends on more than the answer. */
function wrongStatus(status: number, { id, error }: Message): string[] {
  if (error === undefined || id === undefined || status === 406) return [];
  const due = error.code === -32601 ? 404 : error.code === -32603 ? 200 : 400;
  return status === due ? [] : [`HTTP status ${status} for ${error.code}`];
}

function* inGroupsOf<T>(size: number, items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
