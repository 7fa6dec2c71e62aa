/** `/v1` over real sockets: what each operation answers, and that the document says so. */
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../generated/methods.js';
import { NEWEST, REVISIONS } from '../../generated/revisions.js';
import type { Tool } from '../../src/backends/backend.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { OpenApiBackend } from '../../src/backends/openapi/backend.js';
import { UpstreamBackend } from '../../src/backends/upstream/backend.js';
import { schemaFault } from '../../src/backends/json-schema.js';
import { health } from '../../src/operations/health.js';
import { OPERATIONS } from '../../src/operations/operations.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { Broker } from '../../src/questions/broker.js';
import { createCore } from '../../src/server/core.js';
import { clientOf } from '../support/backend-client.js';
import { mirrorBackend } from '../support/backend.js';
import { operated, type Asked } from '../support/operations.js';
import { overStdio } from '../support/upstream.js';
import '../support/strict.js';

const FORM = {
  mode: 'form' as const,
  message: 'How old?',
  requestedSchema: {
    type: 'object' as const,
    properties: { age: { type: 'integer' as const } },
    required: ['age'],
  },
};

function shop(): LocalBackend {
  const backend = new LocalBackend('shop');
  backend.addTool({ name: 'order', description: 'Orders bread' }, () => 'ordered');
  backend.addTool({ name: 'fail' }, () => {
    throw new Error('out of cheese');
  });
  backend.addTool({ name: 'large' }, () => 'x'.repeat(5000));
  backend.addTool({ name: 'ask' }, async (_args, ctx) => {
    const { action, content } = await ctx.elicit(FORM);
    return `${action} ${JSON.stringify(content)}`;
  });
  backend.addTool({ name: 'job', execution: { taskSupport: 'required' } }, async (_args, ctx) => {
    ctx.takesLong();
    return `job ${(await ctx.elicit(FORM)).action}`;
  });
  return backend;
}

/** Every answer is held against what the document promises for its status. */
async function described(house: Awaited<ReturnType<typeof operated>>, id: string, answer: Asked) {
  const operation = OPERATIONS.find((one) => one.id === id);
  const { body: document } = await house.get('/v1/openapi.json');
  const paths = document['paths'] as Record<string, Record<string, Described>>;
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id);
  const response = found?.responses[answer.status];
  const [type = ''] = String(answer.headers['content-type']).split(';');
  const schema = response?.content[type]?.schema;
  expect(schema, `${id} says nothing of ${answer.status} ${type}`).toBeDefined();
  if (answer.status === 200)
    expect(schemaFault(operation?.output ?? {}, answer.body)).toBeUndefined();
}

interface Described {
  operationId: string;
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

describe('/v1', () => {
  it('tells that it runs, and since when', async () => {
    const house = await operated([shop()]);
    const answer = await house.get('/v1/health');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'ok', name: 'mcpx', version: '1.2.3' });
    expect(answer.headers['cache-control']).toBe('no-store');
    await described(house, 'get_health', answer);
  });

  it('is ready once every backend was tried, whether it is up or not', async () => {
    let up: () => void = () => undefined;
    const slow = new LocalBackend('slow');
    slow.start = () => new Promise((resolve) => (up = resolve));
    const broken = new LocalBackend('broken');
    broken.start = () => Promise.reject(new Error('no'));
    const core = createCore({
      info: { name: 'mcpx', version: '1' },
      mounts: [slow, broken].map((backend) => ({ backend, names: 'namespaced' })),
    });
    const info = { name: 'mcpx', version: '1' };
    const ending = new AbortController();
    const started = new Date();
    const house = { core, broker: new Broker(1), info, started, ending: ending.signal };
    const readiness = health.find(({ id }) => id === 'get_readiness');
    const ask = async () => readiness?.run(house, {}, new AbortController().signal);
    const down = new Promise((resolve) => core.observe(resolve));
    const starting = core.start();
    expect(await down).toMatchObject({ kind: 'backendChanged', namespace: 'broken' });
    expect(await ask()).toMatchObject({
      status: 503,
      body: { ready: false, phase: 'starting', starting: ['slow'] },
    });
    up();
    await starting;
    expect(await ask()).toEqual({
      body: { ready: true, phase: 'serving', starting: [], down: ['broken'] },
    });
    ending.abort();
    expect(await ask()).toMatchObject({ status: 503, body: { ready: false, phase: 'closing' } });
    await core.close(0);
  });

  it('tells the revisions and their methods', async () => {
    const house = await operated([shop()]);
    const answer = await house.get('/v1/protocol');
    const { newest, revisions } = answer.body as {
      newest: string;
      revisions: { revision: string; era: string; methods: { method: string }[] }[];
    };
    expect(newest).toBe(NEWEST);
    expect(revisions.map(({ revision }) => revision)).toEqual(
      REVISIONS.map(({ revision }) => revision),
    );
    for (const { revision, methods } of revisions) {
      const known = Object.keys(METHODS[revision as typeof NEWEST]);
      expect(methods.map(({ method }) => method)).toEqual(known);
    }
    await described(house, 'get_protocol', answer);
  });

  it('tells of the backends, with the revision of an upstream and why one is down', async () => {
    const clientInfo = { name: 'mcpx', version: '0' };
    const diagnostics = new Diagnostics();
    const at = (namespace: string, target: ReturnType<typeof overStdio>) =>
      new UpstreamBackend({ namespace, target, clientInfo, diagnostics });
    const gone = { kind: 'stdio' as const, command: '/nowhere/at/all', args: [], env: {} };
    const house = await operated([at('old', overStdio('2024-11-05')), at('gone', gone), shop()]);
    const answer = await house.get('/v1/backends');
    const backends = answer.body['backends'] as Record<string, unknown>[];
    expect(backends.map(({ namespace, state }) => [namespace, state])).toEqual([
      ['mcpx', 'up'],
      ['old', 'up'],
      ['gone', 'down'],
      ['shop', 'up'],
    ]);
    expect(backends[1]).toMatchObject({ revision: '2024-11-05', era: 'legacy' });
    expect(backends[2]?.['lastError']).toMatchObject({
      message: expect.stringContaining('/nowhere/at/all') as string,
    });
    expect(backends[3]).toMatchObject({ counts: { tools: 5 }, capabilities: { tools: {} } });
    await described(house, 'list_backends', answer);
  });

  it('tells how backends stand while one of them lets its list wait', async () => {
    const slow = new LocalBackend('slow');
    slow.addTool({ name: 'here' }, () => '');
    const house = await operated([shop(), slow]);
    await house.get('/v1/tools');
    let give: (tools: readonly Tool[]) => void = () => undefined;
    slow.tools = () => new Promise((resolve) => (give = resolve)) as never;
    slow.addTool({ name: 'new' }, () => '');
    const { body } = await house.get('/v1/backends');
    expect((body['backends'] as object[]).at(-1)).toMatchObject({
      namespace: 'slow',
      state: 'up',
      counts: { tools: 1 },
    });
    expect((await house.get('/v1/ready')).status).toBe(200);
    give([]);
  });

  it('lists tools, all or those that are looked for', async () => {
    const house = await operated([shop(), mirrorBackend('m')]);
    const names = ({ body }: Asked): string[] =>
      (body['tools'] as { tool: { name: string } }[]).map(({ tool }) => tool.name);
    const all = await house.get('/v1/tools');
    expect(names(all)).toContain('shop_order');
    expect(names(all)).toContain('mcpx_call_tool');
    await described(house, 'list_tools', all);
    expect(names(await house.get('/v1/tools?query=bread'))).toEqual(['shop_order']);
    expect(names(await house.get('/v1/tools?backend=m'))).toEqual(['m_mirror']);
    expect((await house.get('/v1/tools?limit=3')).status).toBe(400);
    expect((await house.get('/v1/tools?query=a&query=b')).status).toBe(400);
  });

  it('tells of a path that there is not, and of a method', async () => {
    const house = await operated([shop()]);
    expect(await house.get('/v1/nothing')).toMatchObject({ status: 404, body: { status: 404 } });
    expect((await house.post('/v1/health')).status).toBe(404);
  });
});

describe('a path', () => {
  it.each(['/v1/%zz', '/v1/questions/%', '/v1/tools/%ff/call', '/v1%'])(
    'that cannot be decoded is refused as everything under /v1 is: %s',
    async (path) => {
      const house = await operated([]);
      const { status, headers, body } = await house.get(path);
      expect(status).toBe(400);
      expect(headers['content-type']).toContain('application/problem+json');
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toMatchObject({ title: 'Wrong input', status: 400 });
      expect(body['detail']).toContain(`The path "${path}" is no URL`);
    },
  );

  it('that cannot be decoded is refused as JSON-RPC elsewhere', async () => {
    const house = await operated([]);
    const { status, body } = await house.get('/mcp%zz');
    expect(status).toBe(400);
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    expect(house.core.diagnostics.count('request-unreadable')).toBe(1);
  });

  it('may hold the longest name that a tool can have', async () => {
    const name = 'x'.repeat(500);
    const { status, body } = await (await operated([])).post(`/v1/tools/${name}/call`);
    expect(status).toBe(404);
    expect(body['detail']).not.toContain('There is no POST');
  });
});

describe('a call over /v1', () => {
  it('answers with the result of the tool', async () => {
    const house = await operated([shop()]);
    const answer = await house.post('/v1/tools/shop_order/call');
    expect(answer).toMatchObject({
      status: 200,
      body: { content: [{ type: 'text', text: 'ordered' }] },
    });
    expect(Object.keys(answer.body)).toEqual(['content']);
    await described(house, 'call_tool', answer);
  });

  it('says that a tool failed, and which tool there is not', async () => {
    const house = await operated([shop()]);
    const failed = await house.post('/v1/tools/shop_fail/call', { arguments: {} });
    expect(failed).toMatchObject({ status: 200, body: { isError: true } });
    const unknown = await house.post('/v1/tools/shop_none/call', {});
    expect(unknown).toMatchObject({
      status: 404,
      body: { detail: 'There is no tool "shop_none"' },
    });
    await described(house, 'call_tool', unknown);
  });

  it('hands on numbers that no double can hold, both ways', async () => {
    const house = await operated([mirrorBackend('m')]);
    const { text } = await house.post(
      '/v1/tools/m_mirror/call',
      '{"arguments":{"n":12345678901234567890}}',
    );
    expect(text).toContain('"n":12345678901234567890');
  });

  it.each([
    ['{"arguments":', 400],
    ['[]', 400],
    ['{"arguments":7}', 400],
    ['{"args":{}}', 400],
    [JSON.stringify({ arguments: { long: 'x'.repeat(11_000) } }), 413],
  ])('refuses the body %.20j with %i', async (body, status) => {
    const house = await operated([shop()]);
    const answer = await house.post('/v1/tools/shop_order/call', body);
    expect(answer.status).toBe(status);
    expect(answer.body['detail']).toBeTruthy();
  });

  it('refuses a body that is not said to be JSON: any web page may send one', async () => {
    const house = await operated([shop()]);
    const headers = { 'content-type': 'text/plain' };
    const answer = await house.post('/v1/tools/shop_order/call', '{}', headers);
    expect(answer.status).toBe(415);
  });

  it('keeps what is too large, and gives it out', async () => {
    const house = await operated([shop()]);
    const { body } = await house.post('/v1/tools/shop_large/call');
    const uri = (body['content'] as { uri?: string }[]).map((block) => block.uri).find(Boolean);
    const id = uri?.replace('mcpx://artifacts/', '') ?? '';
    const read = await house.get(`/v1/artifacts/${id}`);
    expect(read.body['contents']).toMatchObject([{ uri, text: 'x'.repeat(5000) }]);
    await described(house, 'read_artifact', read);
    expect((await house.get('/v1/artifacts/none')).status).toBe(404);
  });

  it('is cancelled when nobody waits for it any more', async () => {
    const backend = new LocalBackend('shop');
    let entered: () => void = () => undefined;
    const entering = new Promise<void>((resolve) => (entered = resolve));
    const aborted = new Promise<void>((resolve) => {
      backend.addTool({ name: 'slow' }, async (_args, { signal }) => {
        entered();
        await new Promise<void>((end) => signal.addEventListener('abort', () => end()));
        resolve();
        return 'never';
      });
    });
    const house = await operated([backend]);
    const controller = new AbortController();
    const call = house.post('/v1/tools/shop_slow/call', {}, undefined, controller.signal);
    const refused = expect(call).rejects.toThrow();
    await entering;
    controller.abort();
    await refused;
    await aborted;
  });
});

describe('questions over /v1', () => {
  async function asked(tool: string) {
    const house = await operated([shop()]);
    const stream = await house.events();
    const result = house.post(`/v1/tools/${tool}/call`);
    await stream.until(() => stream.received.some(({ data }) => data.includes('questionAsked')));
    const list = await house.get('/v1/questions');
    const [question] = list.body['questions'] as { id: string }[];
    return { house, result, list, id: question?.id ?? '', stream };
  }

  it('are listed, told one by one, and answered', async () => {
    const { house, result, list, id } = await asked('shop_ask');
    expect(list.body['questions']).toMatchObject([
      { method: 'elicitation/create', params: { message: 'How old?' } },
    ]);
    await described(house, 'list_questions', list);
    const one = await house.get(`/v1/questions/${id}`);
    expect(one.body).toEqual((list.body['questions'] as object[])[0]);
    await described(house, 'get_question', one);
    const answer = { action: 'accept', content: { age: 7 } };
    const taken = await house.post(`/v1/questions/${id}/answer`, { answer });
    expect(taken).toMatchObject({ status: 200, body: { id } });
    await described(house, 'answer_question', taken);
    expect((await result).body['content']).toMatchObject([{ text: 'accept {"age":7}' }]);
    expect((await house.get(`/v1/questions/${id}`)).status).toBe(404);
  });

  it('stay where an answer does not fit', async () => {
    const { house, id, result } = await asked('shop_ask');
    const answer = { action: 'accept', content: { age: 'old' } };
    const refused = await house.post(`/v1/questions/${id}/answer`, { answer });
    expect(refused.status).toBe(422);
    expect(refused.body['detail']).toContain('/content');
    await described(house, 'answer_question', refused);
    expect((await house.get(`/v1/questions/${id}`)).status).toBe(200);
    await house.post(`/v1/questions/${id}/decline`);
    await result;
  });

  it('are declined', async () => {
    const { house, id, result, stream } = await asked('shop_ask');
    await described(house, 'decline_question', await house.post(`/v1/questions/${id}/decline`));
    expect((await result).body['content']).toMatchObject([{ text: 'decline undefined' }]);
    await stream.until(() => stream.received.some(({ data }) => data.includes('questionClosed')));
    const closed = stream.received.map(({ data }) => JSON.parse(data) as { kind: string });
    expect(closed).toContainEqual({ kind: 'questionClosed', id, how: 'declined' });
    expect((await house.post(`/v1/questions/${id}/decline`)).status).toBe(404);
  });

  it('may come of a tool that runs as a task, whose end the call waits for', async () => {
    const { house, id, result, stream } = await asked('shop_job');
    const { body } = await house.get('/v1/tasks');
    const [task] = body['tasks'] as Record<string, string>[];
    expect(task).toMatchObject({ tool: 'shop_job', owned: false });
    expect(task?.['task']).toHaveLength(8);
    await described(house, 'list_tasks', await house.get('/v1/tasks'));
    await house.post(`/v1/questions/${id}/decline`);
    expect((await result).body['content']).toMatchObject([{ text: 'job decline' }]);
    await stream.until(() => stream.received.some(({ data }) => data.includes('"completed"')));
  });
});

describe('the OpenAPI document', () => {
  it('is imported whole, and its operations work as tools of another mcpx', async () => {
    const house = await operated([shop()]);
    const api = new OpenApiBackend({
      namespace: 'ops',
      target: { document: `${house.origin}/v1/openapi.json` },
      diagnostics: new Diagnostics(),
    });
    const client = await clientOf(api);
    expect(api.report).toMatchObject({
      title: 'mcpx',
      version: '1.2.3',
      operations: OPERATIONS.length + 3,
      imported: OPERATIONS.length + 3,
      skipped: [],
      repairs: [],
      renamed: [],
      outputSchemasLeftOut: 0,
    });
    const health = await client.call('get_health');
    expect(health.structuredContent).toMatchObject({ status: 'ok' });
    const found = await client.call('list_tools', { query: 'bread' });
    expect(found.structuredContent).toMatchObject({ tools: [{ backend: 'shop' }] });
    const { inputSchema } = await client.tool('call_tool');
    const body = Object.keys(inputSchema.properties).find((name) => name !== 'name') ?? '';
    const args = { name: 'shop_order', [body]: body === 'body' ? { arguments: {} } : {} };
    const called = await client.call('call_tool', args);
    expect(called.structuredContent).toMatchObject({ content: [{ text: 'ordered' }] });
  });

  it('has every operation once, with a description of every status it answers', async () => {
    const house = await operated([]);
    const { body } = await house.get('/v1/openapi.json');
    const items = Object.values(body['paths'] as Record<string, Record<string, Described>>);
    const ids = items.flatMap((item) => Object.values(item)).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(OPERATIONS.map(({ id }) => id)));
    expect(body['openapi']).toBe('3.1.0');
  });
});
