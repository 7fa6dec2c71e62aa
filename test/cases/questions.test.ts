import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { ALL_REVISIONS, LEGACY } from '../support/peers.js';
import {
  gateway,
  scripted,
  toolsPage,
  type Gateway,
  type GatewayClient,
} from '../support/gateway.js';
import { createHttpServer } from '../../src/transport/http/server.js';
import { HttpClient } from '../support/http-client.js';
import '../support/strict.js';

const requestedSchema = {
  type: 'object',
  properties: { yes: { type: 'boolean' } },
  required: ['yes'],
};
const FORM = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Delete?', requestedSchema },
};
const LINK = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://auth.example.test/go' },
};
const DONE = { content: [{ type: 'text', text: '$params' }] };

function asking(inputRequests: unknown, requestState?: string): Promise<Gateway> {
  const first = { resultType: 'input_required', inputRequests, requestState };
  const results = { 'tools/call t': first, 'tools/call t answered': DONE };
  const pages = toolsPage({ name: 't' }, { name: 'received' });
  return gateway({ up: scripted({ revision: NEWEST, pages, results }) });
}

interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** The calls of the tool `t` as the upstream got them. */
async function callsOf(one: GatewayClient): Promise<Received[]> {
  const frames = JSON.parse(await one.text('up_received')) as Received[];
  return frames.filter(({ params }) => params?.['name'] === 't');
}

/** Answers the next request of the server. */
async function answer({ raw }: GatewayClient, method: string, result: object) {
  const asked = await raw.frame((frame) => frame.method === method);
  raw.send({ jsonrpc: '2.0', id: asked.id, result });
  return asked;
}

describe('an upstream of the modern era that needs input', () => {
  it.each<Revision>(['2025-06-18', '2025-11-25'])(
    'B10: has a client of %s asked, and gets its answer with the state as it was',
    async (revision) => {
      const { client } = await asking({ confirm: FORM }, 'opaque-1 ü\\"');
      const one = await client(revision, { elicitation: {} });
      const call = one.text('up_t', { a: 1 });
      const accepted = { action: 'accept', content: { yes: true } };
      const asked = await answer(one, 'elicitation/create', accepted);
      expect(asked.params).toMatchObject({ message: 'up: Delete?', requestedSchema });
      expect(JSON.parse(await call)).toMatchObject({
        arguments: { a: 1 },
        inputResponses: { confirm: accepted },
        requestState: 'opaque-1 ü\\"',
      });
    },
  );

  it('B10: is called anew with the answer: another id, and the same params', async () => {
    const { client } = await asking({ confirm: FORM }, 'opaque-1');
    const one = await client('2025-11-25', { elicitation: {} });
    const call = one.text('up_t', { a: 1 });
    await answer(one, 'elicitation/create', { action: 'decline' });
    await call;
    const [first, second, ...more] = await callsOf(one);
    expect(more).toEqual([]);
    expect(second?.id).not.toBe(first?.id);
    const { inputResponses, requestState, ...params } = second?.params ?? {};
    expect(inputResponses).toEqual({ confirm: { action: 'decline' } });
    expect(requestState).toBe('opaque-1');
    expect(params).toEqual(first?.params);
  });

  it('B10: gets no state back that it did not give', async () => {
    const { client } = await asking({ confirm: FORM });
    const one = await client('2025-11-25', { elicitation: {} });
    const call = one.text('up_t');
    await answer(one, 'elicitation/create', { action: 'decline' });
    expect(JSON.parse(await call)).not.toHaveProperty('requestState');
  });

  it.each(
    LEGACY.flatMap((revision) => [
      [revision, 'sampling/createMessage', { sampling: {} }] as const,
      [revision, 'roots/list', { roots: {} }] as const,
    ]),
  )('B10: may ask a client of %s for %s', async (revision, method, capabilities) => {
    const content = { type: 'text', text: 'hi' };
    const sampling = { messages: [{ role: 'user', content }], maxTokens: 10 };
    const { client } = await asking({
      it: method === 'roots/list' ? { method } : { method, params: sampling },
    });
    const one = await client(revision, capabilities);
    const call = one.text('up_t');
    await answer(
      one,
      method,
      method === 'roots/list' ? { roots: [] } : { role: 'assistant', content, model: 'm' },
    );
    expect(JSON.parse(await call)).toHaveProperty('inputResponses.it');
  });

  const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };

  it.each<[Revision, object, object]>([
    ['2025-11-25', {}, FORM],
    ['2025-06-18', {}, FORM],
    ['2025-03-26', { elicitation: {} }, FORM],
    ['2024-11-05', { elicitation: {} }, FORM],
    ...ALL_REVISIONS.map((revision): [Revision, object, object] => [revision, {}, sampling]),
    ...ALL_REVISIONS.map((revision): [Revision, object, object] => [
      revision,
      {},
      { method: 'roots/list' },
    ]),
  ])('B10: does not hang a client of %s with %j: %j', async (revision, capabilities, question) => {
    const { client } = await asking({ confirm: question });
    const one = await client(revision, capabilities);
    const { result, error } = await one.request('tools/call', { name: 'up_t' });
    expect(error !== undefined || result?.['isError'] === true).toBe(true);
    expect(one.raw.received.some(({ id, method }) => id !== undefined && method)).toBe(false);
  });

  it.each(
    ALL_REVISIONS.flatMap((revision) =>
      ['oops', null, [], { confirm: 'oops' }, { confirm: { method: 'tools/list' } }].map(
        (broken) => [broken, revision] as const,
      ),
    ),
  )('B10: with %j has broken the protocol, and asks a client of %s nothing', async (...given) => {
    const [broken, revision] = given;
    const { client } = await asking(broken, 'opaque-1');
    const one = await client(revision, { elicitation: {}, sampling: {}, roots: {} });
    const { error } = await one.request('tools/call', { name: 'up_t' });
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).toContain('inputRequests');
    expect(await callsOf(one)).toHaveLength(1);
  });

  it('B10: that says neither for what nor from where has broken the protocol', async () => {
    const { client } = await asking(undefined);
    const one = await client('2025-11-25', { elicitation: {} });
    const { error } = await one.request('tools/call', { name: 'up_t' });
    expect(error?.message).toContain('neither inputRequests nor requestState');
    expect(await callsOf(one)).toHaveLength(1);
  });

  it('B10: may ask for nothing but another call with its state', async () => {
    const { client } = await asking(undefined, 'half-way');
    const one = await client('2025-11-25');
    // The script takes what comes without answers for a first call: it asks for ever.
    const { error } = await one.request('tools/call', { name: 'up_t' });
    expect(error?.message).toContain('asked for input 16 times');
    const states = (await callsOf(one)).map(({ params }) => params?.['requestState']);
    expect(new Set(states.slice(1))).toEqual(new Set(['half-way']));
  });

  it('B10: may ask in answer to prompts and resources, and to nothing else', async () => {
    const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
    const inputRequests = { confirm: FORM };
    const first = { resultType: 'input_required', inputRequests, requestState: 's' };
    const pages = { 'prompts/list': { prompts: [{ name: 'p' }] } };
    const contents = [{ uri: 'x:1', text: 'one' }];
    const results = {
      'prompts/get': first,
      'prompts/get answered': { messages: [] },
      'resources/read': first,
      'resources/read answered': { contents },
      'completion/complete': first,
    };
    const { client } = await gateway({
      up: scripted({ revision: NEWEST, capabilities, pages, results }),
    });
    const one = await client('2025-11-25', { elicitation: {} });
    const prompt = one.result('prompts/get', { name: 'up_p' });
    await answer(one, 'elicitation/create', { action: 'decline' });
    expect(await prompt).toEqual({ messages: [] });
    const before = one.raw.received.length;
    const read = one.result('resources/read', { uri: 'mcpx://up/x:1' });
    const asked = await one.raw.frame(({ method }) => method === 'elicitation/create', before);
    one.raw.send({ jsonrpc: '2.0', id: asked.id, result: { action: 'decline' } });
    expect(await read).toHaveProperty('contents.0.text', 'one');
    const ref = { type: 'ref/prompt', name: 'up_p' };
    const params = { ref, argument: { name: 'a', value: '' } };
    const { error } = await one.request('completion/complete', params);
    expect(error?.message).toContain('asked for input in answer to completion/complete');
  });
});

describe('a form', () => {
  it.each<[boolean, Revision, object]>([
    [true, '2025-11-25', {}],
    [true, '2025-11-25', { form: {} }],
    [true, '2025-11-25', { form: {}, url: {} }],
    [false, '2025-11-25', { url: {} }],
    [true, '2025-06-18', {}],
    [true, NEWEST, {}],
    [true, NEWEST, { form: {} }],
    [false, NEWEST, { url: {} }],
  ])('B11: reaches (%s) a client of %s with elicitation %j', async (reaches, revision, modes) => {
    const { client } = await asking({ confirm: FORM });
    const one = await client(revision, { elicitation: modes });
    const call = one.request('tools/call', { name: 'up_t' });
    if (reaches && revision !== NEWEST) {
      const { params } = await answer(one, 'elicitation/create', { action: 'decline' });
      // 2025-06-18 knows no other mode, and no word for it.
      expect('mode' in (params ?? {})).toBe(revision !== '2025-06-18');
    }
    const { result, error } = await call;
    if (reaches && revision === NEWEST) {
      expect(result).toHaveProperty('inputRequests.confirm.params.mode', 'form');
    } else {
      expect(error !== undefined || result?.['isError'] === true).toBe(!reaches);
    }
  });
});

describe('a question with a link', () => {
  it('B11: is given an id for a client of 2025-11-25 that can open links', async () => {
    const { client } = await asking({ sign: LINK });
    const one = await client('2025-11-25', { elicitation: { url: {} } });
    const call = one.text('up_t');
    const asked = await answer(one, 'elicitation/create', { action: 'accept' });
    expect(asked.params).toMatchObject({ mode: 'url', url: LINK.params.url });
    expect(asked.params?.['elicitationId']).toMatch(/^mcpx-/);
    expect(JSON.parse(await call)).toHaveProperty('inputResponses.sign.action', 'accept');
  });

  it.each<[Revision, object]>([
    ['2025-11-25', { elicitation: {} }],
    ['2025-11-25', { elicitation: { form: {} } }],
    ['2025-06-18', { elicitation: {} }],
    ['2025-06-18', { elicitation: { url: {} } }],
  ])('B11: never reaches a client of %s with %j', async (revision, capabilities) => {
    const { client } = await asking({ sign: LINK });
    const one = await client(revision, capabilities);
    const { result, error } = await one.request('tools/call', { name: 'up_t' });
    expect(error !== undefined || result?.['isError'] === true).toBe(true);
    expect(error?.code).not.toBe(-32042);
    expect(one.raw.received.some(({ method }) => method === 'elicitation/create')).toBe(false);
  });

  it('B11: carries no id for a client of the modern era', async () => {
    const { client } = await asking({ sign: LINK });
    const one = await client(NEWEST, { elicitation: { url: {} } });
    const { inputRequests } = await one.result<{ inputRequests: object }>('tools/call', {
      name: 'up_t',
    });
    expect(JSON.stringify(inputRequests)).toContain(LINK.params.url);
    expect(JSON.stringify(inputRequests)).not.toContain('elicitationId');
  });
});

describe('an error that asks for a link to be opened', () => {
  it.each(ALL_REVISIONS)('B11: has its number for clients of 2025-11-25 alone: %s', async (rev) => {
    const elicitations = [{ ...LINK.params, elicitationId: 'e1' }];
    const message = 'Sign in first';
    const $error = { code: -32042, message, data: { elicitations } };
    const results = { 'tools/call t': { $error } };
    const { client } = await gateway({
      up: scripted({ revision: '2025-11-25', pages: toolsPage({ name: 't' }), results }),
    });
    const one = await client(rev, { elicitation: { url: {} } });
    const { error } = await one.request('tools/call', { name: 'up_t' });
    expect(error?.message).toBe(message);
    expect(error?.code).toBe(rev === '2025-11-25' ? -32042 : -32603);
  });
});

const SAMPLING = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 },
};
const SAMPLED = { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm' };

/** A server of 2025-11-25 over HTTP whose tool asks on the stream of the call, under the id 900. */
async function samplingOverHttp(): Promise<{ url: string; answered: Promise<unknown> }> {
  let tell: (answer: unknown) => void;
  const answered = new Promise((resolve) => (tell = resolve));
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => {
      const frame = JSON.parse(body || '{}') as { id?: number; method?: string };
      const event = (value: object): void =>
        void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...value })}\n\n`);
      const reply = (result: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result }));
      };
      switch (frame.method) {
        case 'initialize':
          response.setHeader('Mcp-Session-Id', 'one');
          reply({
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'u', version: '1' },
          });
          return;
        case 'tools/list':
          reply({ tools: [{ name: 't', inputSchema: { type: 'object' } }] });
          return;
        case 'tools/call':
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          event({ id: 900, ...SAMPLING });
          void answered.then((answer) => {
            const content = [{ type: 'text', text: JSON.stringify(answer) }];
            event({ id: frame.id, result: { content } });
            response.end();
          });
          return;
      }
      if (frame.id === 900) tell(frame);
      const taken = frame.id === 900 || frame.method?.startsWith('notifications/');
      response.writeHead(taken === true ? 202 : 405).end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, answered };
}

/** That server behind mcpx, and clients of mcpx over HTTP. */
async function servedOverHttp() {
  const { url, answered } = await samplingOverHttp();
  const { core } = await gateway({ up: { kind: 'http', url, headers: {} } });
  const server = createHttpServer(core, { port: 0 });
  const client = new HttpClient((await server.listen()).url);
  onTestFinished(async () => {
    await client.close();
    await server.close(0);
  });
  return { client, answered };
}

const CALL = { name: 'up_t', arguments: {} };

describe('an upstream over HTTP that asks on the stream of a call', () => {
  it.each(LEGACY)(
    'B40: reaches a client of %s while the call is open, and is answered',
    async (rev) => {
      const { client, answered } = await servedOverHttp();
      const session = await client.session(rev, { sampling: {} });
      const sent = await client.post(client.request('tools/call', CALL), session);
      expect(sent.headers['content-type']).toBe('text/event-stream');
      expect(sent.headers['x-accel-buffering']).toBe('no');
      const stream = sent.events();
      await stream.first(1);
      const [question] = stream.messages;
      expect(question).toMatchObject(SAMPLING);
      expect(question?.id).not.toBe(900);
      const answer = { jsonrpc: '2.0', id: question?.id, result: SAMPLED };
      expect((await client.post(answer, session)).status).toBe(202);
      expect(await answered).toEqual({ jsonrpc: '2.0', id: 900, result: SAMPLED });
      await stream.ended;
      expect(stream.messages.at(-1)?.result).toHaveProperty('content.0.type', 'text');
    },
  );

  it('B40: has a modern client asked by the result, and its call stays open meanwhile', async () => {
    const { client, answered } = await servedOverHttp();
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
    const first = await client.modern('tools/call', { ...CALL, _meta });
    const { inputRequests, requestState } = (await first.message()).result as {
      inputRequests: Record<string, object>;
      requestState: string;
    };
    const [key = ''] = Object.keys(inputRequests);
    expect(inputRequests).toEqual({ [key]: SAMPLING });
    const inputResponses = { [key]: SAMPLED };
    const again = { ...CALL, inputResponses, requestState, _meta };
    const second = (await client.modern('tools/call', again)).message();
    expect(await answered).toEqual({ jsonrpc: '2.0', id: 900, result: SAMPLED });
    expect((await second).result).toMatchObject({ resultType: 'complete' });
  });

  it.each(ALL_REVISIONS)('B40: is refused at once for a client of %s that cannot', async (rev) => {
    const { client, answered } = await servedOverHttp();
    const call =
      rev === NEWEST
        ? client.modern('tools/call', CALL)
        : client.post(client.request('tools/call', CALL), await client.session(rev));
    expect(await answered).toMatchObject({ id: 900, error: { code: -32601 } });
    expect((await (await call).message()).result).toHaveProperty('content');
  });
});

describe('a legacy upstream that asks while it works', () => {
  const $before = [{ id: 900, ...SAMPLING }];

  function opened(): Promise<Gateway> {
    const results = { 'tools/call t': { $before, content: [{ type: 'text', text: 'ok' }] } };
    return gateway({
      up: scripted({ pages: toolsPage({ name: 't' }, { name: 'received' }), results }),
    });
  }

  /** What the upstream got for its question. */
  async function answerTo(one: GatewayClient): Promise<unknown> {
    for (;;) {
      const frames = JSON.parse(await one.text('up_received')) as { id?: number }[];
      const found = frames.find(({ id }) => id === 900);
      if (found !== undefined) return found;
    }
  }

  it('B40: is refused at once where the client cannot answer, with its own id', async () => {
    const { client } = await opened();
    const one = await client('2025-11-25');
    expect(await one.text('up_t')).toBe('ok');
    expect(await answerTo(one)).toMatchObject({ id: 900, error: { code: -32601 } });
  });
});
