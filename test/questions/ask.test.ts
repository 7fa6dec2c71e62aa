import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ElicitRequestParams } from '../../generated/newest/types.js';
import { createServer, type McpServer } from '../../src/index.js';
import { ALL_REVISIONS, LEGACY, isModern, modernMeta } from '../support/peers.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const CAN_ELICIT = ALL_REVISIONS.filter((revision) => revision >= '2025-06-18');

function form(message: string, ...names: string[]): ElicitRequestParams {
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      required: names,
    },
  };
}

let server: McpServer;
let client: StdioClient;
/** How often a handler was started. */
let runs: number;

beforeEach(async () => {
  runs = 0;
  server = createServer({ name: 'asks', version: '1' });
  server.tool({ name: 'greet' }, async (_args, ctx) => {
    runs++;
    const { action, content } = await ctx.elicit(form('Name?', 'name'), { key: 'who' });
    return action === 'accept' ? `Hello ${String(content?.['name'])}` : `${action}d`;
  });
  server.tool({ name: 'three' }, async (_args, ctx) => {
    const [who, said, where] = await Promise.all([
      ctx.elicit(form('Name?', 'name')),
      ctx.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
        maxTokens: 5,
      }),
      ctx.listRoots(),
    ]);
    return JSON.stringify([who.content, said.model, where.roots.length]);
  });
  server.tool({ name: 'rounds' }, async (_args, ctx) => {
    const first = await ctx.elicit(form('Name?', 'name'), { key: 'step1' });
    const second = await ctx.elicit(form('Colour?', 'colour'), { key: 'step2' });
    return `${String(first.content?.['name'])} ${String(second.content?.['colour'])}`;
  });
  server.tool({ name: 'endless' }, async (_args, ctx) => {
    for (;;) await ctx.elicit(form('More?', 'more'));
  });
  server.tool({ name: 'aborts' }, async (_args, ctx) => {
    ctx.signal.addEventListener('abort', () => ctx.log('info', 'too late'));
    await ctx.elicit(form('Name?', 'name'));
    return 'not reached';
  });
  await server.core.start();
  client = new StdioClient(server.core);
});

afterEach(async () => {
  await client.end();
  await server.close();
});

const answer = (content: object): object => ({ action: 'accept', content });

async function open(revision: string, capabilities: object = CAPABILITIES): Promise<void> {
  if (isModern(revision as never)) return;
  const { result } = await client.request('initialize', {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'test', version: '1' },
  });
  expect(result).toMatchObject({ protocolVersion: revision });
  client.notify('notifications/initialized');
}

function modern(name: string, more: object = {}, capabilities: object = CAPABILITIES): object {
  const meta = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
  return { name, arguments: {}, ...more, ...meta };
}

const retry = (name: string, { result }: Message, inputResponses: object): Promise<Message> =>
  client.request(
    'tools/call',
    modern(name, { inputResponses, requestState: result?.['requestState'] }),
  );

const textOf = ({ result }: Message): unknown =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

describe.each(LEGACY.filter((revision) => CAN_ELICIT.includes(revision)))(
  'a client of %s',
  (revision) => {
    test('is asked on the wire while the call is open', async () => {
      await open(revision);
      const call = client.request('tools/call', { name: 'greet' });
      const question = await client.frame((frame) => frame.method === 'elicitation/create');
      expect(question.params).toMatchObject({ message: 'Name?' });
      client.send({ jsonrpc: '2.0', id: question.id, result: answer({ name: 'Ann' }) });
      expect(textOf(await call)).toBe('Hello Ann');
    });

    test('may decline; what does not fit the form is not taken', async () => {
      await open(revision);
      for (const [given, text] of [
        [{ action: 'decline' }, 'declined'],
        [{ action: 'cancel' }, 'canceld'],
        [answer({ name: 3 }), expect.stringContaining('does not fit')],
        [{ action: 'perhaps' }, expect.stringContaining('does not fit')],
      ] as const) {
        const at = client.received.length;
        const call = client.request('tools/call', { name: 'greet' });
        const question = await client.frame((f) => f.method === 'elicitation/create', at);
        client.send({ jsonrpc: '2.0', id: question.id, result: given });
        expect(textOf(await call)).toEqual(text);
      }
    });

    test('that cannot be asked is not asked, and the call says why', async () => {
      await open(revision, {});
      const { error, result } = await client.request('tools/call', { name: 'greet' });
      expect(JSON.stringify(error ?? result)).toContain('elicitation');
      expect(client.received.filter((frame) => frame.method !== undefined)).toEqual([]);
    });

    test('cancels the question with the call', async () => {
      await open(revision);
      client.send({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'aborts' } });
      const question = await client.frame((frame) => frame.method === 'elicitation/create');
      client.notify('notifications/cancelled', { requestId: 'x' });
      const cancelled = await client.frame((frame) => frame.method === 'notifications/cancelled');
      expect(cancelled.params).toMatchObject({ requestId: question.id });
    });
  },
);

describe('a client of the modern era', () => {
  test('is asked by input_required, and the handler goes on where it was', async () => {
    const asked = await client.request('tools/call', modern('greet'));
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        who: { method: 'elicitation/create', params: { message: 'Name?' } },
      },
      requestState: expect.any(String) as string,
    });
    expect(textOf(await retry('greet', asked, { who: answer({ name: 'Ann' }) }))).toBe('Hello Ann');
    expect(runs).toBe(1);
  });

  test('gets questions that are asked together in one result', async () => {
    const asked = await client.request('tools/call', modern('three'));
    const requests = asked.result?.['inputRequests'] as Record<string, { method: string }>;
    expect(Object.values(requests).map(({ method }) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
    ]);
    const [who, said, where] = Object.keys(requests) as [string, string, string];
    const partly = await retry('three', asked, { [where]: { roots: [] } });
    expect(Object.keys(partly.result?.['inputRequests'] as object)).toEqual([who, said]);
    const sampled = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
    const done = await retry('three', partly, { [who]: answer({ name: 'A' }), [said]: sampled });
    expect(textOf(done)).toBe('[{"name":"A"},"m",0]');
  });

  test('is asked in rounds, each with a state of its own', async () => {
    const first = await client.request('tools/call', modern('rounds'));
    const second = await retry('rounds', first, { step1: answer({ name: 'Ann' }) });
    expect(second.result?.['requestState']).not.toBe(first.result?.['requestState']);
    expect(Object.keys(second.result?.['inputRequests'] as object)).toEqual(['step2']);
    const done = await retry('rounds', second, { step2: answer({ colour: 'red' }) });
    expect(textOf(done)).toBe('Ann red');
  });

  test('may answer before it is asked', async () => {
    const more = { inputResponses: { who: answer({ name: 'Ann' }), other: { action: 'cancel' } } };
    expect(textOf(await client.request('tools/call', modern('greet', more)))).toBe('Hello Ann');
    const early = { step2: answer({ colour: 'red' }) };
    const asked = await client.request('tools/call', modern('rounds', { inputResponses: early }));
    expect(Object.keys(asked.result?.['inputRequests'] as object)).toEqual(['step1']);
    expect(textOf(await retry('rounds', asked, { step1: answer({ name: 'A' }) }))).toBe('A red');
  });

  test('is asked again for what it left out', async () => {
    const asked = await client.request('tools/call', modern('greet'));
    const again = await retry('greet', asked, { wrong: answer({}) });
    expect(Object.keys(again.result?.['inputRequests'] as object)).toEqual(['who']);
    expect(textOf(await retry('greet', again, { who: answer({ name: 'B' }) }))).toBe('Hello B');
  });

  test.each([
    [answer({ name: 3 }), '/params/inputResponses/who: /content /name'],
    [answer({}), '/params/inputResponses/who: /content'],
    [12345, '/params/inputResponses/who'],
  ])('is told that %j is no answer, and may still give one', async (given, text) => {
    const asked = await client.request('tools/call', modern('greet'));
    const refused = await retry('greet', asked, { who: given });
    expect(refused.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(text) as string,
    });
    expect(textOf(await retry('greet', asked, { who: answer({ name: 'C' }) }))).toBe('Hello C');
  });

  test('runs the handler again, with the answers, where a state is used a second time', async () => {
    const asked = await client.request('tools/call', modern('greet'));
    for (const name of ['Ann', 'Bob']) {
      expect(textOf(await retry('greet', asked, { who: answer({ name }) }))).toBe(`Hello ${name}`);
    }
    expect(runs).toBe(2);
  });

  test('that declared nothing is refused with what it would have to declare', async () => {
    const { error } = await client.request('tools/call', modern('greet', {}, { sampling: {} }));
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
  });

  test('is not asked for ever', async () => {
    let asked = await client.request('tools/call', modern('endless'));
    for (let round = 1; round < 8; round++) {
      const [key = ''] = Object.keys(asked.result?.['inputRequests'] as object);
      asked = await retry('endless', asked, { [key]: answer({ more: 'y' }) });
    }
    const [key = ''] = Object.keys(asked.result?.['inputRequests'] as object);
    const end = await retry('endless', asked, { [key]: answer({ more: 'y' }) });
    expect(end.result).toMatchObject({ isError: true });
  });

  test('cannot use a state for another call', async () => {
    const asked = await client.request('tools/call', modern('greet'));
    const { error } = await retry('rounds', asked, {});
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('belongs to another request') as string,
    });
  });
});

describe.each(['2024-11-05', '2025-03-26'])('a client of %s', (revision) => {
  test('is never asked to fill in a form', async () => {
    await open(revision);
    const { error, result } = await client.request('tools/call', { name: 'greet' });
    expect(JSON.stringify(error ?? result)).toMatch(/elicitation/);
    expect(client.received.some((frame) => frame.method === 'elicitation/create')).toBe(false);
  });
});
