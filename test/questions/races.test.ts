/** What happens in the wrong order: answers that come late, calls that end early, clients that leave. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ElicitRequestParams } from '../../generated/newest/types.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import type { RequestContext } from '../../src/index.js';
import { Broker } from '../../src/questions/broker.js';
import type { Core } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { modernMeta } from '../support/peers.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';

const ELICITATION = { elicitation: {} };

const form = (name: string): ElicitRequestParams => ({
  message: `${name}?`,
  requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } } },
});
const accept = (content: object): object => ({ action: 'accept', content });

/** Resolved by the test. */
interface Signal {
  readonly comes: Promise<string>;
  fire(text?: string): void;
}
function signal(): Signal {
  let fire: (text: string) => void = () => undefined;
  const comes = new Promise<string>((resolve) => (fire = resolve));
  return { comes, fire: (text = '') => fire(text) };
}

let broker: Broker;
let core: Core;
let client: StdioClient;
let tool: (ctx: RequestContext) => Promise<string>;

async function start(settings: object = {}): Promise<void> {
  const backend = new LocalBackend('races');
  backend.addTool({ name: 'tool' }, (_args, ctx) => tool(ctx));
  broker = new Broker(60_000);
  const info = { name: 'races', version: '1' };
  core = createCore({ info, mounts: [{ backend, names: 'own' }], settings, broker });
  await core.start();
  client = new StdioClient(core);
}

beforeEach(() => start());
afterEach(async () => {
  await client.end();
  await core.close(0);
});

const params = (more: object = {}, capabilities: object = ELICITATION): object => ({
  name: 'tool',
  arguments: {},
  ...more,
  ...modernMeta({ 'io.modelcontextprotocol/clientCapabilities': capabilities }),
});
const call = (capabilities?: object): Promise<Message> =>
  client.request('tools/call', params({}, capabilities));
const retry = (asked: Message, inputResponses: object, capabilities?: object): Promise<Message> =>
  client.request(
    'tools/call',
    params({ inputResponses, requestState: asked.result?.['requestState'] }, capabilities),
  );
const keysOf = ({ result }: Message): string[] => Object.keys(result?.['inputRequests'] as object);
const textOf = ({ result, error }: Message): unknown =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? error;

describe('a call that waits for a retry', () => {
  test('and ends without one gives the retry what it ended with', async () => {
    const gate = signal();
    const over = signal();
    tool = async (ctx) => {
      void ctx.elicit(form('name'), { key: 'who' });
      const text = await gate.comes;
      queueMicrotask(() => setImmediate(() => over.fire()));
      return text;
    };
    const asked = await call();
    gate.fire('without you');
    await over.comes;
    expect(textOf(await retry(asked, { who: accept({ name: 'Ann' }) }))).toBe('without you');
  });

  test('is given up when the client does not answer in time, and run again when it does later', async () => {
    await core.close(0);
    await start({ askTimeout: 20 });
    let runs = 0;
    const aborted = signal();
    tool = async (ctx) => {
      runs++;
      ctx.signal.addEventListener('abort', () => aborted.fire(String(ctx.signal.reason)));
      const { content } = await ctx.elicit(form('name'), { key: 'who' });
      return String(content?.['name']);
    };
    const asked = await call();
    expect(await aborted.comes).toContain('did not answer in time');
    expect(textOf(await retry(asked, { who: accept({ name: 'Ann' }) }))).toBe('Ann');
    expect(runs).toBe(2);
  });

  test('cannot ask once it was given up', async () => {
    const refused = signal();
    tool = async (ctx) => {
      try {
        await ctx.elicit(form('name'));
      } catch {
        await ctx.elicit(form('again')).catch((error: unknown) => refused.fire(String(error)));
      }
      return 'over';
    };
    await call();
    await client.end();
    await core.close(0);
    expect(await refused.comes).toContain('shuts down');
  });

  test('takes the first of two retries; the other runs the handler again', async () => {
    let runs = 0;
    tool = async (ctx) => {
      runs++;
      const { content } = await ctx.elicit(form('name'), { key: 'who' });
      return String(content?.['name']);
    };
    const asked = await call();
    const answers = await Promise.all([
      retry(asked, { who: accept({ name: 'Ann' }) }),
      retry(asked, { who: accept({ name: 'Bob' }) }),
    ]);
    expect(answers.map(textOf)).toEqual(['Ann', 'Bob']);
    expect(runs).toBe(2);
  });

  test('is cancelled with the retry that has taken it up', async () => {
    const aborted = signal();
    const entered = signal();
    tool = async (ctx) => {
      ctx.signal.addEventListener('abort', () => aborted.fire());
      await ctx.elicit(form('name'), { key: 'who' });
      entered.fire();
      await aborted.comes;
      return 'too late';
    };
    const asked = await call();
    const more = {
      inputResponses: { who: accept({}) },
      requestState: asked.result?.['requestState'],
    };
    client.send({ jsonrpc: '2.0', id: 'r', method: 'tools/call', params: params(more) });
    await entered.comes;
    client.notify('notifications/cancelled', { requestId: 'r' });
    await aborted.comes;
    expect(textOf(await client.request('tools/call', params({ name: 'none' })))).toBeDefined();
    expect(client.received.some(({ id }) => id === 'r')).toBe(false);
  });
});

describe('a question', () => {
  test('that is asked again under its key is another one', async () => {
    tool = async (ctx) => {
      const told: unknown[] = [];
      for (let n = 0; n < 2; n++) {
        told.push((await ctx.elicit(form('name'), { key: 'who' })).content?.['name']);
      }
      return told.join();
    };
    const first = await call();
    expect(keysOf(first)).toEqual(['who']);
    const second = await retry(first, { who: accept({ name: 'Ann' }) });
    expect(keysOf(second)).toEqual(['who-2']);
    expect(textOf(await retry(second, { 'who-2': accept({ name: 'Bob' }) }))).toBe('Ann,Bob');
  });

  test('that is withdrawn before it is put is not put, and one that is withdrawn later is not waited for', async () => {
    const gate = signal();
    tool = async (ctx) => {
      const early = AbortSignal.abort(new Error('early'));
      const later = new AbortController();
      const questions = [
        ctx.elicit(form('a'), { key: 'a', signal: early }),
        ctx.elicit(form('b'), { key: 'b', signal: later.signal }),
        ctx.elicit(form('c'), { key: 'c' }),
      ];
      void gate.comes.then(() => later.abort(new Error('later')));
      const settled = await Promise.allSettled(questions);
      return settled
        .map((one) =>
          one.status === 'rejected' ? (one.reason as Error).message : one.value.action,
        )
        .join();
    };
    const asked = await call();
    expect(keysOf(asked)).toEqual(['b', 'c']);
    gate.fire();
    expect(textOf(await retry(asked, { c: accept({}) }))).toBe('early,later,accept');
  });

  test('may have any key', async () => {
    tool = async (ctx) => (await ctx.elicit(form('name'), { key: '__proto__' })).action;
    const asked = await call();
    expect(keysOf(asked)).toEqual(['__proto__']);
    const answers = JSON.parse('{"__proto__":{"action":"decline"}}') as object;
    expect(textOf(await retry(asked, answers))).toBe('decline');
  });

  test('that nobody waits for does not end the process', async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listener);
    tool = (ctx) => {
      void ctx.elicit(form('name'));
      return Promise.resolve('at once');
    };
    expect(textOf(await call())).toBe('at once');
    expect(textOf(await call())).toBe('at once');
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
  });
});

describe('what the broker is asked', () => {
  const asksTwo = async (ctx: RequestContext): Promise<string> => {
    const answers = await Promise.all([
      ctx.elicit(form('a'), { key: 'a' }),
      ctx.elicit(form('b'), { key: 'b' }),
    ]);
    return answers.map(({ content }) => Object.values(content ?? {}).join()).join();
  };
  const brokered = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (broker.list().length !== count) return;
        off();
        resolve();
      };
      const off = broker.onEvent(look);
      look();
    });

  test('is asked once, however often the client comes back', async () => {
    tool = async (ctx) => {
      const sampled = ctx.sample({ messages: [], maxTokens: 1 }, { key: 'b' });
      const filled = await Promise.all(['a', 'c'].map((key) => ctx.elicit(form(key), { key })));
      return [...filled.map(({ action }) => action), (await sampled).model].join();
    };
    const first = await call({ ...ELICITATION, sampling: {} });
    expect(keysOf(first)).toEqual(['b', 'a', 'c']);
    const second = await retry(first, { a: accept({}) });
    expect(keysOf(second)).toEqual(['c']);
    await brokered(1);
    const third = retry(second, { c: accept({}) });
    const asked = await call();
    expect(keysOf(asked)).toEqual(['a', 'c']);
    await brokered(2);
    const content = { type: 'text', text: 'Hi' };
    broker.answer(broker.list()[0]?.id ?? '', { role: 'assistant', model: 'm', content });
    expect(textOf(await third)).toBe('accept,accept,m');
  });

  test('leaves it with the call: cancelled, or ended by another answer', async () => {
    tool = asksTwo;
    client.send({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: params({}, {}) });
    await brokered(2);
    client.notify('notifications/cancelled', { requestId: 'x' });
    await brokered(0);

    tool = (ctx) => Promise.race([ctx.elicit(form('a')), ctx.elicit(form('b'))]).then(() => 'done');
    const answer = call({});
    await brokered(2);
    broker.answer(broker.list()[0]?.id ?? '', accept({}));
    expect(textOf(await answer)).toBe('done');
    expect(broker.list()).toEqual([]);
  });

  test('leaves it with a retry that is cancelled', async () => {
    tool = asksTwo;
    const asked = await call();
    const more = {
      inputResponses: { a: accept({}) },
      requestState: asked.result?.['requestState'],
    };
    client.send({ jsonrpc: '2.0', id: 'r', method: 'tools/call', params: params(more, {}) });
    await brokered(1);
    client.notify('notifications/cancelled', { requestId: 'r' });
    await brokered(0);
  });
});

describe('a question on the wire', () => {
  test('is taken back when the call ends without its answer', async () => {
    await client.initialize('2025-06-18', ELICITATION);
    tool = async (ctx) => {
      await Promise.race([ctx.elicit(form('a')), ctx.elicit(form('b'))]);
      return 'done';
    };
    const answer = client.request('tools/call', { name: 'tool' });
    const question = (name: string): Promise<Message> =>
      client.frame(({ params: asked }) => asked?.['message'] === `${name}?`);
    const [a, b] = [await question('a'), await question('b')];
    client.send({ jsonrpc: '2.0', id: a.id, result: { action: 'decline' } });
    expect(textOf(await answer)).toBe('done');
    const cancelled = await client.frame(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.params).toMatchObject({ requestId: b.id });
  });

  test('is taken back after the time that a client has', async () => {
    await client.end();
    await core.close(0);
    await start({ askTimeout: 20 });
    await client.initialize('2025-11-25', ELICITATION);
    tool = async (ctx) => (await ctx.elicit(form('a'))).action;
    const answer = await client.request('tools/call', { name: 'tool' });
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toContain('did not answer in time');
    expect(client.received.some(({ method }) => method === 'notifications/cancelled')).toBe(true);
  });
});
