import { describe, expect, it } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { ALL_REVISIONS, LEGACY, isModern } from '../support/peers.js';
import { gateway, scripted, toolsPage, type Gateway } from '../support/gateway.js';
import '../support/strict.js';

const text = (value: string) => ({ type: 'text', text: value });
const STRUCTURED_SINCE = '2025-06-18';

function behind(
  tool: Record<string, unknown>,
  result: object,
  revision: Revision = NEWEST,
): Promise<Gateway> {
  const pages = toolsPage({ name: 't', ...tool });
  return gateway({ up: scripted({ revision, pages, results: { 'tools/call t': result } }) });
}

describe('what the modern era wraps around a result', () => {
  it.each(ALL_REVISIONS)('B09: reaches a client of %s only if it knows it', async (revision) => {
    const { client } = await behind({}, { content: [text('ok')] });
    const one = await client(revision);
    const called = await one.result('tools/call', { name: 'up_t' });
    const listed = await one.result('tools/list');
    expect('resultType' in called).toBe(isModern(revision));
    for (const field of ['resultType', 'ttlMs', 'cacheScope']) {
      expect(field in listed).toBe(isModern(revision));
    }
  });

  it('B09: is put there where a modern upstream has left it out, and that is noted', async () => {
    const pages = toolsPage({ name: 't' });
    const results = { 'tools/call t': { content: [text('ok')] } };
    const script = { revision: NEWEST, pages, results, bare: true } as const;
    const { client, diagnostics } = await gateway({ up: scripted(script) });
    const one = await client(NEWEST);
    expect(await one.result('tools/call', { name: 'up_t' })).toMatchObject({
      resultType: 'complete',
      content: [text('ok')],
    });
    expect(diagnostics.count('upstream-result-without-type')).toBeGreaterThan(0);
  });

  it('B10: with a type that nobody knows is an error, not an empty answer', async () => {
    const { client } = await behind({}, { resultType: 'sideways', content: [] });
    const { error } = await (await client('2025-06-18')).request('tools/call', { name: 'up_t' });
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).toContain('"sideways"');
  });
});

describe('structured content', () => {
  const result = { content: [], structuredContent: { c: 21 } };

  it.each(ALL_REVISIONS)('B15: is there as text for a client of %s, too', async (revision) => {
    const { client } = await behind({}, result);
    const called = await (await client(revision)).call('up_t');
    expect(called.content).toEqual([text('{"c":21}')]);
    const knows = revision >= STRUCTURED_SINCE;
    expect(called.structuredContent).toEqual(knows ? { c: 21 } : undefined);
  });

  it.each(ALL_REVISIONS)(
    'B15: has no schema for a client of %s that cannot have it',
    async (rev) => {
      const { client } = await behind({ outputSchema: { type: 'object' } }, result);
      const [tool] = await (await client(rev)).tools();
      expect(tool && 'outputSchema' in tool).toBe(rev >= STRUCTURED_SINCE);
    },
  );

  it.each([
    ['is missing', { content: [text('{"ok":true}')] }],
    ['says something else', { content: [text('x')], structuredContent: { ok: 'no' } }],
  ])('B16: that %s takes the schema off the list, not the call down', async (_how, broken) => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const { client, diagnostics } = await behind({ outputSchema: schema }, broken, '2025-11-25');
    const one = await client('2025-11-25');
    expect((await one.tools())[0]?.outputSchema).toEqual(schema);
    const { content } = await one.call('up_t');
    expect(content).toEqual(broken.content);
    await one.raw.frame(({ method }) => method === 'notifications/tools/list_changed');
    expect((await one.tools())[0]).not.toHaveProperty('outputSchema');
    expect(diagnostics.count('upstream-output-schema-broken')).toBe(1);
    await one.call('up_t');
    expect(diagnostics.count('upstream-output-schema-broken')).toBe(1);
  });

  it('B16: is not asked for of an error', async () => {
    const failed = { content: [text('out of cheese')], isError: true };
    const { client } = await behind({ outputSchema: { type: 'object', required: ['x'] } }, failed);
    const one = await client(NEWEST);
    expect(await one.call('up_t')).toMatchObject(failed);
    expect((await one.tools())[0]).toHaveProperty('outputSchema');
  });

  it.each(ALL_REVISIONS)(
    'B17: that is an array agrees with its schema for %s',
    async (revision) => {
      const outputSchema = { type: 'array', items: { type: 'string' } };
      const tags = { content: [], structuredContent: ['x', 'y'] };
      const { client } = await behind({ outputSchema }, tags);
      const one = await client(revision);
      const [tool] = await one.tools();
      const called = await one.call('up_t');
      expect(called.content).toEqual([text('["x","y"]')]);
      if (isModern(revision)) {
        expect(tool?.outputSchema).toEqual(outputSchema);
        expect(called.structuredContent).toEqual(['x', 'y']);
      } else if (revision >= STRUCTURED_SINCE) {
        expect(tool?.outputSchema).toMatchObject({
          type: 'object',
          properties: { result: outputSchema },
        });
        expect(called.structuredContent).toEqual({ result: ['x', 'y'] });
      } else {
        expect(tool).not.toHaveProperty('outputSchema');
        expect(called).not.toHaveProperty('structuredContent');
      }
    },
  );
});

describe('a content block that no revision knows', () => {
  const content = [text('see'), { type: 'hologram', depth: 3 }, text('end')];

  it.each(ALL_REVISIONS)(
    'B18: reaches a client of %s as text, and the rest as it is',
    async (revision) => {
      const { client, diagnostics } = await behind({}, { content });
      const called = await (await client(revision)).call('up_t');
      expect(called.content).toEqual([
        text('see'),
        text('{"type":"hologram","depth":3}'),
        text('end'),
      ]);
      expect(diagnostics.count('upstream-block-as-text')).toBe(1);
    },
  );
});

describe('a content block that the revision lacks', () => {
  const link = { type: 'resource_link', uri: 'file:///r/1.txt', name: '1.txt' };
  const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
  const content = [text('see'), { ...link, mimeType: 'text/plain' }, audio];

  it.each(LEGACY)(
    'B18: leaves a trace that %s can read, in calls and in prompts',
    async (revision) => {
      const messages = content.map((block) => ({ role: 'user', content: block }));
      const script = {
        revision: NEWEST,
        capabilities: { tools: {}, prompts: {} },
        pages: { ...toolsPage({ name: 't' }), 'prompts/list': { prompts: [{ name: 'p' }] } },
        results: { 'tools/call t': { content }, 'prompts/get': { messages } },
      };
      const { client } = await gateway({ up: scripted(script) });
      const one = await client(revision);
      const called = (await one.call('up_t')).content;
      const prompt = await one.result<{ messages: { content: object }[] }>('prompts/get', {
        name: 'up_p',
      });
      for (const blocks of [called, prompt.messages.map((message) => message.content)]) {
        expect(blocks).toHaveLength(3);
        expect(blocks[0]).toEqual(text('see'));
        expect(JSON.stringify(blocks[1])).toContain('file:///r/1.txt');
        expect(JSON.stringify(blocks[1])).toContain('1.txt');
        const sound = JSON.stringify(blocks[2]);
        expect(sound).toContain(revision === '2024-11-05' ? 'audio/wav' : 'UklGRg==');
        const known = revision >= STRUCTURED_SINCE ? 'resource_link' : 'resource';
        expect(blocks[1]).toHaveProperty('type', known);
      }
    },
  );
});
