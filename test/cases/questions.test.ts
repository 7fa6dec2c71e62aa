import { describe, expect, it } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import {
  gateway,
  scripted,
  toolsPage,
  type Gateway,
  type GatewayClient,
} from '../support/gateway.js';
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
  const script = { revision: NEWEST, pages: toolsPage({ name: 't' }), results } as const;
  return gateway({ up: scripted(script) });
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

  it('B10: gets no state back that it did not give', async () => {
    const { client } = await asking({ confirm: FORM });
    const one = await client('2025-11-25', { elicitation: {} });
    const call = one.text('up_t');
    await answer(one, 'elicitation/create', { action: 'decline' });
    expect(JSON.parse(await call)).not.toHaveProperty('requestState');
  });

  it.each([
    ['sampling/createMessage', { sampling: {} }],
    ['roots/list', { roots: {} }],
  ])('B10: may ask a client of 2024-11-05 for %s', async (method, capabilities) => {
    const content = { type: 'text', text: 'hi' };
    const sampling = { messages: [{ role: 'user', content }], maxTokens: 10 };
    const { client } = await asking({
      it: method === 'roots/list' ? { method } : { method, params: sampling },
    });
    const one = await client('2024-11-05', capabilities);
    const call = one.text('up_t');
    await answer(
      one,
      method,
      method === 'roots/list' ? { roots: [] } : { role: 'assistant', content, model: 'm' },
    );
    expect(JSON.parse(await call)).toHaveProperty('inputResponses.it');
  });

  it.each<[Revision, object]>([
    ['2025-11-25', {}],
    ['2025-03-26', { elicitation: {} }],
  ])('B10: does not hang a client of %s that declared %j', async (revision, capabilities) => {
    const { client } = await asking({ confirm: FORM });
    const one = await client(revision, capabilities);
    const { result, error } = await one.request('tools/call', { name: 'up_t' });
    expect(error ?? result).toBeDefined();
    expect(error !== undefined || result?.['isError'] === true).toBe(true);
    expect(one.raw.received.some(({ method }) => method === 'elicitation/create')).toBe(false);
  });

  it('B10: but does not say for what, has broken the protocol, and asked for nothing', async () => {
    const { client } = await asking('oops', 'opaque-1');
    const one = await client('2025-11-25', { elicitation: {} });
    const { error } = await one.request('tools/call', { name: 'up_t' });
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).toContain('inputRequests');
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

describe('a legacy upstream that asks while it works', () => {
  const content = { type: 'text', text: 'hi' };
  const params = { messages: [{ role: 'user', content }], maxTokens: 10 };
  const $before = [{ id: 900, method: 'sampling/createMessage', params }];

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
