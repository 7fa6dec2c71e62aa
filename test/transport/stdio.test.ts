import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEWEST, NEWEST_LEGACY, OLDEST } from '../../generated/revisions.js';
import type { Core } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { serveStdio } from '../../src/transport/stdio.js';
import { mirrorBackend } from '../support/backend.js';
import { ALL_REVISIONS, LEGACY, isModern, modernMeta, open, paramsFor } from '../support/peers.js';
import { sampleServer } from '../support/server.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';

const BATCHING = '2025-03-26';

let core: Core;
let client: StdioClient;

beforeEach(async () => {
  core = sampleServer().core;
  await core.start();
  client = new StdioClient(core);
});

afterEach(async () => {
  await client.end();
  await core.close(0);
});

function request(id: unknown, method: string, params: object = modernMeta()): object {
  return { jsonrpc: '2.0', id, method, params };
}

const echo = (id: unknown, text: string): object =>
  request(id, 'tools/call', { name: 'echo', arguments: { text }, ...modernMeta() });

const repliesTo = (id: unknown): Message[] =>
  client.received.filter((frame) => frame.id === id && frame.method === undefined);

describe('frames', () => {
  it('are the same wherever the bytes are cut', async () => {
    const bytes = Buffer.from(
      `${JSON.stringify(echo('日本', '語 😀 é'))}\r\n\n\r\n${JSON.stringify(echo(2, 'b'))}\n`,
    );
    const seen: string[] = [];
    for (let cut = 0; cut <= bytes.length; cut++) {
      const one = new StdioClient(core);
      one.raw(bytes.subarray(0, cut));
      one.raw(bytes.subarray(cut));
      await one.end();
      seen.push(JSON.stringify(one.received));
    }
    expect(JSON.parse(seen[0] ?? '')).toMatchObject([
      { id: '日本', result: { content: [{ text: '語 😀 é' }] } },
      { id: 2, result: { content: [{ text: 'b' }] } },
    ]);
    expect(new Set(seen).size).toBe(1);
  });

  it('may come many in a chunk, and one in many chunks', async () => {
    client.send(...Array.from({ length: 200 }, (_, id) => request(id, 'tools/list')));
    for (const byte of Buffer.from(`${JSON.stringify(echo('slowly', 'x'))}\n`)) {
      client.raw(Buffer.of(byte));
    }
    await client.frame(({ id }) => id === 'slowly');
    expect(client.received).toHaveLength(201);
  });

  it('may lack the line feed at the end of input', async () => {
    client.raw(JSON.stringify(echo('last', 'x')));
    await client.end();
    expect(repliesTo('last')).toHaveLength(1);
  });

  it('may start with a byte order mark', async () => {
    client.raw(`\ufeff${JSON.stringify(echo('marked', 'x'))}\n`);
    expect(await client.frame(({ id }) => id === 'marked')).toHaveProperty('result');
  });

  it('leave one a line, whatever line breaks are in them', async () => {
    const output = new PassThrough();
    const input = new PassThrough();
    const server = serveStdio(core, { input, output });
    const text = 'a\nb\r\nc\u2028d\u0085';
    input.end(`${JSON.stringify(echo(1, text))}\n`);
    await server.closed;
    const written = String(output.read());
    expect(written.match(/\n/g)).toHaveLength(1);
    expect(written.endsWith('}\n')).toBe(true);
    expect(JSON.parse(written)).toMatchObject({ result: { content: [{ text }] } });
  });
});

describe.each(ALL_REVISIONS)('what a client of %s sends that is no message', (revision) => {
  beforeEach(() => open(client, revision));

  async function answerTo(bytes: string | Buffer): Promise<Message> {
    const before = client.received.length;
    client.raw(bytes);
    client.raw('\n');
    const answer = await client.frame(() => true, before);
    // The connection goes on.
    expect((await client.request('tools/list', paramsFor(revision))).error).toBeUndefined();
    return answer;
  }

  it.each(['{', 'Server ready ✓', '{"jsonrpc":"2.0",}', "{'a':1}", '\u0000', 'NaN'])(
    'is answered -32700 without an id where it is not JSON: %j',
    async (line) => {
      const answer = await answerTo(line);
      expect(answer.error?.code).toBe(-32700);
      expect(answer).not.toHaveProperty('id');
    },
  );

  it('is answered -32700 where it is not UTF-8', async () => {
    const answer = await answerTo(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]));
    expect(answer.error?.code).toBe(-32700);
    expect(answer.error?.message).toMatch(/UTF-8/);
  });

  it.each(['1', '"x"', 'null', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","method":"ping"}'])(
    'is answered -32600 without an id where it is JSON: %s',
    async (line) => {
      const answer = await answerTo(line);
      expect(answer.error?.code).toBe(-32600);
      expect(answer).not.toHaveProperty('id');
    },
  );

  it.each(['null', '1.5', 'true', '{}', '[]', '1e400', '9007199254740993.5'])(
    'is answered -32600 without an id where the id is %s',
    async (id) => {
      const answer = await answerTo(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`);
      expect(answer.error?.code).toBe(-32600);
      expect(answer.error?.message).toMatch(/\/id/);
      expect(answer).not.toHaveProperty('id');
    },
  );

  it('is answered with its id where that could be read', async () => {
    const answers = [
      await answerTo('{"jsonrpc":"2.0","id":7,"method":5}'),
      await answerTo('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}'),
      await answerTo('{"id":7,"method":"tools/list"}'),
      await answerTo('{"jsonrpc":"2.0","id":7}'),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ id: 7, error: { code: -32600 } });
  });

  it('is ignored where it is an answer to nothing', async () => {
    client.raw('{"jsonrpc":"2.0","id":7,"result":{}}\n');
    client.raw('{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"no"}}\n');
    client.raw('{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}\n');
    const before = client.received.length;
    await client.request('tools/list', paramsFor(revision));
    expect(client.received.slice(before)).toHaveLength(1);
    expect(core.diagnostics.count('response-unexpected')).toBe(3);
  });
});

describe('a line', () => {
  const limit = 2000;

  it('may have as many bytes as the limit says, and no more', async () => {
    const small = new StdioClient(core, { maxLine: limit });
    const overhead = JSON.stringify(echo(1, '')).length;
    small.send(echo(1, 'x'.repeat(limit - overhead)));
    small.send(echo(2, 'x'.repeat(limit - overhead + 1)));
    small.send(echo(3, 'x'));
    await small.end();
    const answered = small.received.filter(({ result }) => result !== undefined);
    expect(answered.map(({ id }) => id)).toEqual([1, 3]);
    const errors = small.received.flatMap(({ error }) => error ?? []);
    expect(errors).toMatchObject([
      { code: -32700, message: expect.stringContaining(`${limit} bytes`) as string },
    ]);
  });

  it('may be some megabytes long', async () => {
    const text = '😀'.repeat(1_000_000);
    client.send(echo('big', text));
    const { result } = await client.frame(({ id }) => id === 'big');
    expect((result?.['content'] as { text: string }[])[0]?.text === text).toBe(true);
  });

  it('may not nest without end', async () => {
    for (const levels of [300, 100_000]) {
      const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const params = JSON.stringify({ name: 'echo', arguments: { text: 0 }, ...modernMeta() });
      client.raw(
        `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${params.replace(':0}', `:${nested}}`)}}\n`,
      );
    }
    await client.result('tools/list', modernMeta());
    expect(repliesTo('deep').map(({ error }) => error?.code)).toEqual([-32600, -32600]);
  });
});

describe('what JSON can say', () => {
  let exact: StdioClient;
  let text = '';

  beforeEach(() => {
    const mirror = createCore({
      info: { name: 'mirror', version: '1' },
      mounts: [{ backend: mirrorBackend('mirror'), names: 'own' }],
    });
    exact = new StdioClient(mirror);
    text = '';
    exact.output.on('data', (chunk: string) => (text += chunk));
  });

  /** What the tool got as its arguments, as it stands on the wire. */
  async function mirrored(args: string): Promise<string> {
    const meta = JSON.stringify(modernMeta()._meta);
    const params = `{"name":"mirror","arguments":${args},"_meta":${meta}}`;
    exact.raw(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`);
    await exact.end();
    return /"structuredContent":(.*?),"(?:resultType|_meta)"/.exec(text)?.[1] ?? text;
  }

  it.each([
    '{"n":9007199254740993}',
    '{"n":-123456789012345678901234567890}',
    '{"n":1e400}',
    '{"n":0.1234567890123456789}',
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"__proto__":{"n":9007199254740993}}',
    '{"s":"\\ud800"}',
    '{"s":"\\u0000"}',
    '{"":{"":[]}}',
  ])('passes unchanged: %s', async (args) => {
    expect(await mirrored(args)).toBe(args);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('comes back in ids too large for a double', async () => {
    const meta = JSON.stringify(modernMeta());
    exact.raw(
      `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list","params":${meta}}\n` +
        `{"jsonrpc":"2.0","id":9007199254740993,"method":"no/such","params":${meta}}\n`,
    );
    await exact.end();
    expect(text.match(/"id":9007199254740993,/g)).toHaveLength(2);
  });
});

describe('requests', () => {
  it('do not wait for each other', async () => {
    client.send(request('slow', 'tools/call', { name: 'slow', ...modernMeta() }));
    client.send(echo('quick', 'x'));
    await client.frame(({ id }) => id === 'quick');
    expect(repliesTo('slow')).toEqual([]);
    client.notify('notifications/cancelled', { requestId: 'slow' });
  });

  it('are answered each once, however many there are', async () => {
    const ids = Array.from({ length: 500 }, (_, at) => `n${at}`);
    client.send(...ids.map((id) => echo(id, id)));
    await client.end();
    expect(client.received.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { id, result } of client.received) {
      expect(result).toMatchObject({ content: [{ text: id }] });
    }
  });

  it('that follow initialize in the same chunk are served by what it agreed', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: OLDEST, capabilities: {}, clientInfo };
    client.send(
      request(1, 'initialize', params),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(2, 'tools/list', {}),
      request(3, 'initialize', { ...params, protocolVersion: NEWEST_LEGACY }),
      request(4, 'tools/list', {}),
    );
    await client.frame(({ id }) => id === 4);
    const titles = [2, 4].map((id) => {
      const tools = repliesTo(id)[0]?.result?.['tools'] as { title?: string }[];
      return tools[0]?.title;
    });
    expect(titles).toEqual([undefined, 'Echo']);
  });

  it('with the same id at the same time are served apart, and cancelled together', async () => {
    client.send(echo(5, 'one'), echo(5, 'two'));
    await client.end();
    const texts = repliesTo(5).map(({ result }) => result?.['content']);
    expect(texts).toEqual([[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]]);

    const other = new StdioClient(core);
    const slow = request(6, 'tools/call', { name: 'slow', ...modernMeta() });
    other.send(slow, slow);
    other.notify('notifications/cancelled', { requestId: 6 });
    await other.end();
    expect(other.received).toEqual([]);
  });

  it('beyond what may be in flight are refused, and the others are not lost', async () => {
    const { core: narrow } = sampleServer({ settings: { maxInFlight: 2 } });
    const other = new StdioClient(narrow);
    const slow = (id: number): object =>
      request(id, 'tools/call', { name: 'slow', ...modernMeta() });
    other.send(slow(1), slow(2), slow(3));
    const refused = await other.frame(({ id }) => id === 3);
    expect(refused.error).toMatchObject({ code: -32603, message: 'Too many requests in flight' });
    other.notify('notifications/cancelled', { requestId: 1 });
    other.notify('notifications/cancelled', { requestId: 2 });
    // Room is made by the handlers' end, and nobody is told of that.
    await expect.poll(() => other.errorCode('tools/list', modernMeta())).toBeUndefined();
    await other.end();
  });
});

describe('a cancelled request', () => {
  it('is never heard of again, not even its progress', async () => {
    let aborted: unknown;
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    let done: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (done = resolve));
    const stubborn = createCore({
      info: { name: 'stubborn', version: '1' },
      mounts: [
        {
          names: 'own',
          backend: mirrorBackend('stubborn', {
            stubborn: async (_name, _args, ctx) => {
              ctx.progress({ progress: 1 });
              ctx.signal.addEventListener('abort', () => {
                aborted = ctx.signal.reason;
              });
              await gate;
              ctx.progress({ progress: 2 });
              ctx.log('error', 'too late');
              done();
              return { content: [] };
            },
          }),
        },
      ],
    });
    const other = new StdioClient(stubborn);
    const meta = modernMeta({
      progressToken: 't',
      'io.modelcontextprotocol/logLevel': 'debug',
    });
    other.send(request(1, 'tools/call', { name: 'stubborn', ...meta }));
    await other.frame(({ method }) => method === 'notifications/progress');
    other.notify('notifications/cancelled', { requestId: 1, reason: 'bored' });
    await other.request('tools/list', modernMeta());
    go();
    await finished;
    await other.end();
    expect(aborted).toMatchObject({ name: 'AbortError', message: 'bored' });
    expect(other.received).toHaveLength(2);
  });

  it('is found by an id of its own type only', async () => {
    client.send(request(1, 'tools/call', { name: 'slow', ...modernMeta() }));
    client.notify('notifications/cancelled', { requestId: '1' });
    client.notify('notifications/cancelled', { requestId: 1.5 });
    client.notify('notifications/cancelled', { requestId: null });
    await client.request('tools/list', modernMeta());
    expect(core.diagnostics.count('cancelled-nothing')).toBe(3);
    client.notify('notifications/cancelled', { requestId: 1 });
    await client.end();
    expect(core.diagnostics.count('cancelled-nothing')).toBe(3);
    expect(repliesTo(1)).toEqual([]);
  });
});

describe('at the end of input', () => {
  function held(): { core: Core; release: () => void; aborted: () => boolean } {
    let release: () => void = () => undefined;
    let aborted = false;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const backend = mirrorBackend('held', {
      held: async (_name, _args, ctx) => {
        ctx.signal.addEventListener('abort', () => (aborted = true));
        await gate;
        return { content: [{ type: 'text', text: 'in time' }] };
      },
    });
    const info = { name: 'held', version: '1' };
    const heldCore = createCore({ info, mounts: [{ backend, names: 'own' }] });
    return { core: heldCore, release, aborted: () => aborted };
  }

  const callHeld = request(1, 'tools/call', { name: 'held', ...modernMeta() });

  it('requests in flight are still answered', async () => {
    const { core: slow, release } = held();
    const other = new StdioClient(slow);
    other.send(callHeld);
    await other.request('tools/list', modernMeta());
    const ended = other.end();
    release();
    await ended;
    expect(other.received.at(-1)).toMatchObject({
      id: 1,
      result: { content: [{ text: 'in time' }] },
    });
  });

  it('requests that take longer than the drain are aborted', async () => {
    const { core: slow, aborted } = held();
    const other = new StdioClient(slow, { drain: 10 });
    other.send(callHeld);
    await other.end();
    expect(aborted()).toBe(true);
    expect(other.received).toEqual([]);
  });

  it('a batch in flight is still answered', async () => {
    const { core: slow, release } = held();
    const other = new StdioClient(slow);
    await other.initialize(BATCHING);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held' } };
    other.send([call, { jsonrpc: '2.0', id: 2, method: 'ping' }]);
    const ended = other.end();
    release();
    await ended;
    expect(other.batches).toMatchObject([[{ id: 1 }, { id: 2, result: {} }]]);
  });
});

describe('a batch', () => {
  const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' });

  it('is answered by one array before any handshake and for 2025-03-26', async () => {
    client.send([ping(1), { jsonrpc: '2.0', method: 'notifications/nonsense' }, ping(2)]);
    await client.frame(({ id }) => id === 2);
    await client.initialize(BATCHING);
    client.send([ping(3), 5, { jsonrpc: '2.0', id: 4 }, ping(null)]);
    await client.frame(({ id }) => id === 4);
    expect(client.batches).toMatchObject([
      [
        { id: 1, result: {} },
        { id: 2, result: {} },
      ],
      [
        { id: 3, result: {} },
        { id: 4, error: { code: -32600 } },
      ],
    ]);
  });

  it('of notifications alone is not answered', async () => {
    await client.initialize(BATCHING);
    const before = client.received.length;
    client.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    await client.request('ping');
    expect(client.received.slice(before)).toHaveLength(1);
  });

  it('that is empty, or too long, is one error', async () => {
    await client.initialize(BATCHING);
    const before = client.received.length;
    client.send([]);
    expect((await client.frame(() => true, before)).error?.code).toBe(-32600);
    const small = new StdioClient(core, { maxBatch: 2 });
    small.send([ping(1), ping(2), ping(3)]);
    await small.end();
    expect(small.received.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -32600],
      [2, -32600],
      [3, -32600],
    ]);
  });

  it('without any message in it is one error', async () => {
    const before = client.received.length;
    client.send([5, null, [ping(1)], ping(null)]);
    expect((await client.frame(() => true, before)).error).toEqual({
      code: -32600,
      message: 'no element of the batch is a message: /0: a message has to be a JSON object',
    });
    client.raw(`${'['.repeat(50_000)}${']'.repeat(50_000)}\n`);
    await client.request('ping');
    expect(client.received.slice(before).map(({ error }) => error?.code)).toEqual([
      -32600,
      -32600,
      undefined,
    ]);
  });

  it('cannot hold initialize', async () => {
    const params = { protocolVersion: BATCHING, capabilities: {}, clientInfo: { name: 't' } };
    client.send([{ jsonrpc: '2.0', id: 1, method: 'initialize', params }, ping(2)]);
    await client.frame(({ id }) => id === 2);
    expect(client.batches).toMatchObject([
      [
        { id: 1, error: { code: -32600 } },
        { id: 2, result: {} },
      ],
    ]);
  });

  it('cannot hold a modern request', async () => {
    client.send([request(1, 'tools/list')]);
    expect((await client.frame(({ id }) => id === 1)).error?.code).toBe(-32600);
  });

  it.each(LEGACY.filter((revision) => revision !== BATCHING))(
    'is refused to a session of %s, each request in it, and nothing is run',
    async (revision) => {
      await client.initialize(revision);
      const before = client.received.length;
      const call = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'busy' } };
      client.send([call, ping('b'), { jsonrpc: '2.0', method: 'notifications/initialized' }]);
      await client.frame(({ id }) => id === 'b');
      client.send([5]);
      await client.request('ping');
      expect(client.received.slice(before).map(({ id, error }) => [id, error?.code])).toEqual([
        ['a', -32600],
        ['b', -32600],
        [undefined, -32600],
        [expect.any(String), undefined],
      ]);
    },
  );
});

describe('a client', () => {
  it('that reads slowly loses nothing, and is not read from meanwhile', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1024 });
    const server = serveStdio(core, { input, output });
    const count = 200;
    const big = 'x'.repeat(5000);
    const flooded = new Promise<void>((resolve) => input.once('pause', resolve));
    for (let id = 0; id < count; id++) input.write(`${JSON.stringify(echo(id, big))}\n`);
    await flooded;
    input.end();
    let text = '';
    output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await server.closed;
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Message).id);
    expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
  });

  it('that is gone takes its requests along, and no other client', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const server = serveStdio(core, { input, output });
    input.write(`${JSON.stringify(request(1, 'tools/call', { name: 'slow', ...modernMeta() }))}\n`);
    input.write(`${JSON.stringify(echo(2, 'x'))}\n`);
    await new Promise((resolve) => output.once('data', resolve));
    output.destroy(new Error('EPIPE'));
    await server.closed;
    expect(core.diagnostics.count('stdout-failed')).toBe(1);
    expect(await client.request('tools/list', modernMeta())).toHaveProperty('result');
    // Nothing is left to wait for.
    await core.close(60_000);
  });

  it('is not read from any more once the server closes', async () => {
    client.send(echo(1, 'x'));
    await client.frame(({ id }) => id === 1);
    await client.server.close();
    client.send(echo(2, 'x'));
    await client.end();
    expect(repliesTo(2)).toEqual([]);
  });
});

describe.each(ALL_REVISIONS)('a client of %s', (revision) => {
  it('gets no answer to notifications, whatever they are', async () => {
    await open(client, revision);
    const before = client.received.length;
    for (const method of ['notifications/nonsense', 'tools/list', 'initialize', '']) {
      client.notify(method, isModern(revision) ? modernMeta() : {});
    }
    await client.request('tools/list', paramsFor(revision));
    expect(client.received.slice(before)).toHaveLength(1);
    expect(core.diagnostics.count('notification-unknown')).toBe(4);
  });
});

it('a modern client gets -32022 with the versions there are for one that is not', async () => {
  for (const version of ['2099-01-01', NEWEST_LEGACY, 'banana']) {
    const meta = modernMeta({ 'io.modelcontextprotocol/protocolVersion': version });
    expect((await client.request('tools/list', meta)).error).toMatchObject({
      code: -32022,
      data: { requested: version, supported: [NEWEST] },
    });
  }
});
