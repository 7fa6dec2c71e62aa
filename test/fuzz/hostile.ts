/** What a client may send that means no good, or was written in a hurry: frames, bytes and headers. */
import fc from 'fast-check';
import { ALL_REVISIONS, modernMeta } from '../support/peers.js';
import { anyJson } from '../support/arbitrary.js';
import { NOTIFICATIONS, REQUESTS } from '../support/messages.js';

type Json = Record<string, unknown>;

/** Names that lead somewhere in the sample server; all of them answer at once. */
const TOOLS = ['echo', 'sum', 'fail', 'busy', 'mirror', 'no such tool'];
const URIS = ['test://text', 'test://bytes', 'test://item/5', 'test://item/0', 'nowhere', ''];

const aimed: fc.Arbitrary<{ method: string; params: Json }> = fc.oneof(
  message('tools/call', {
    name: fc.constantFrom(...TOOLS),
    arguments: fc.oneof(
      fc.constant({ text: 'hello', region: 'x' }),
      fc.dictionary(fc.string(), anyJson),
    ),
    task: fc.constant({ ttl: 1000 }),
  }),
  message('resources/read', { uri: fc.constantFrom(...URIS) }),
  message('resources/subscribe', { uri: fc.constantFrom(...URIS) }),
  message('resources/unsubscribe', { uri: fc.constantFrom(...URIS) }),
  message('prompts/get', {
    name: fc.constantFrom('greet', 'nobody'),
    arguments: fc.constant({ who: 'you' }),
  }),
  message('completion/complete', {
    ref: fc.constantFrom(
      { type: 'ref/prompt', name: 'greet' },
      { type: 'ref/resource', uri: 'test://item/{id}' },
    ),
    argument: fc.constantFrom({ name: 'who', value: 'x' }, { name: 'id', value: '1' }),
  }),
  message('logging/setLevel', { level: fc.constantFrom('debug', 'emergency', 'loud') }),
  message('tools/list', { cursor: fc.oneof(fc.string(), fc.base64String()) }),
  message('subscriptions/listen', {
    notifications: fc.record(
      { toolsListChanged: fc.boolean(), resourceSubscriptions: fc.array(fc.constantFrom(...URIS)) },
      { requiredKeys: [] },
    ),
  }),
  fc
    .constantFrom('ping', 'tasks/get', 'tasks/list', 'server/discover', 'rpc.discover', '__proto__')
    .map((method) => ({ method, params: {} })),
);

function message(method: string, params: Record<string, fc.Arbitrary<unknown>>) {
  return fc
    .record(params, { requiredKeys: [], noNullPrototype: true })
    .map((made) => ({ method, params: made }));
}

const made = fc.oneof(
  ...REQUESTS.map(({ method, value }) => value.map((params) => ({ method, params }))),
);

export const initialize: fc.Arbitrary<Json> = fc
  .constantFrom(...ALL_REVISIONS, '2099-01-01')
  .map((protocolVersion) => ({
    jsonrpc: '2.0',
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'hostile', version: '0' } },
  }));

const request = fc.oneof({ weight: 3, arbitrary: aimed }, made).map((asked) => ({
  jsonrpc: '2.0',
  ...asked,
}));

const notification = fc
  .oneof(...NOTIFICATIONS.map(({ method, value }) => value.map((params) => ({ method, params }))))
  .map((said) => ({ jsonrpc: '2.0', ...said }));

const response = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(5), result: fc.object() }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.nat(5),
    error: fc.record({ code: fc.integer(), message: fc.string() }),
  }),
);

/** `id` is given to requests; a frame of the modern era says so in its `_meta`. */
export function frames(id: fc.Arbitrary<unknown>, modern: boolean): fc.Arbitrary<unknown> {
  const asked = fc.tuple(request, id).map(([frame, given]) => ({ ...frame, id: given }));
  const single = fc.oneof(
    { weight: 6, arbitrary: modern ? asked.map(inModernEra) : asked },
    { weight: 1, arbitrary: modern ? notification.map(inModernEra) : notification },
    { weight: 1, arbitrary: response },
    { weight: 1, arbitrary: anyJson },
  );
  const whole = fc.oneof({ weight: 9, arbitrary: single }, fc.array(single, { maxLength: 3 }));
  return fc.oneof(whole, mutated(whole));
}

function inModernEra(frame: { params: Json }): object {
  const { _meta } = frame.params;
  return { ...frame, params: { ...frame.params, ...modernMeta(_meta as object | undefined) } };
}

/** Some values in it are taken out, replaced or repeated. */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    where: fc.nat(),
    how: fc.constantFrom<How>('delete', 'replace', 'repeat'),
    by: anyJson,
  });
  return fc
    .tuple(value, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([original, changes]) => changes.reduce(changed, structuredClone(original)));
}

type How = 'delete' | 'replace' | 'repeat';

function changed(value: unknown, { where, how, by }: { where: number; how: How; by: unknown }) {
  const places = placesIn(value);
  const place = places[where % Math.max(places.length, 1)];
  if (place === undefined) return by;
  const [holder, key] = place;
  if (how === 'replace') set(holder, key, by);
  else if (how === 'repeat') set(holder, key, [holder[key], holder[key]]);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return value;
}

function placesIn(value: unknown): [Json, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Json;
  return Object.keys(holder).flatMap((key): [Json, string][] => [
    [holder, key],
    ...placesIn(holder[key]),
  ]);
}

function set(holder: Json, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The text as it is, or with bytes missing, changed or added. */
export function bytesOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const text = value.map((frame) => Buffer.from(JSON.stringify(frame)));
  const damage = fc.record({
    at: fc.nat(),
    remove: fc.nat(4),
    add: fc.uint8Array({ maxLength: 4 }),
    end: fc.boolean(),
  });
  const damaged = fc.tuple(text, damage).map(([whole, { at, remove, add, end }]) => {
    const from = at % (whole.length + 1);
    const rest = end ? Buffer.of() : whole.subarray(from + remove);
    return Buffer.concat([whole.subarray(0, from), add, rest]);
  });
  return fc.oneof({ weight: 3, arbitrary: text }, damaged);
}

/** What a header may hold on the wire. */
const fieldValue = fc.stringMatching(
  /^[\x21-\x7e\xa1-\xff]([\x20-\x7e\xa1-\xff]{0,30}[\x21-\x7e])?$/,
);

function field(...likely: string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...likely) }, fieldValue);
}

/** Overrule the headers that the request should have. */
export const headers = fc.record(
  {
    'mcp-protocol-version': field(...ALL_REVISIONS, '2099-01-01'),
    'mcp-method': field('tools/call', 'TOOLS/LIST', 'initialize'),
    'mcp-name': field('echo', '=?base64?ZWNobw==?=', '=?base64?!?=', 'é'),
    'mcp-param-region': field('x', '=?base64??='),
    'mcp-session-id': field('0'),
    'last-event-id': field('0-0', '0-99999', '1-1'),
    accept: field('application/json', 'text/event-stream', '*/*', 'text/html'),
    'content-type': field('application/json', 'application/json;charset=utf-16', 'text/plain'),
    'content-encoding': field('gzip', 'identity'),
    origin: field('http://localhost:1', 'https://evil.example', 'null'),
    host: fc.constantFrom('localhost', 'evil.example', '127.0.0.1:1', '[::1]', '-'),
  },
  { requiredKeys: [] },
);
