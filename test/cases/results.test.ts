import { describe, expect, it } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { ALL_REVISIONS, LEGACY, isModern } from '../support/peers.js';
import { validateText } from '../../src/audit/validate.js';
import { gateway, scripted, toolsPage, type Gateway } from '../support/gateway.js';
import '../support/strict.js';

const text = (value: string) => ({ type: 'text', text: value });
const STRUCTURED_SINCE = '2025-06-18';
const ENVELOPE = ['resultType', 'ttlMs', 'cacheScope'];

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
    for (const field of ENVELOPE) {
      expect(field in listed).toBe(isModern(revision));
    }
  });

  it.each(ALL_REVISIONS)('B09: tells a client of %s how long to keep what, or not', async (rev) => {
    const uri = 'x:1';
    const { client } = await gateway({
      up: scripted({
        revision: NEWEST,
        capabilities: { tools: {}, prompts: {}, resources: {} },
        pages: {
          ...toolsPage({ name: 't' }),
          'prompts/list': { prompts: [{ name: 'p' }] },
          'resources/list': { resources: [{ uri, name: 'one' }] },
          'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'x:{n}', name: 'n' }] },
        },
        results: { 'resources/read': { contents: [{ uri, text: 'one' }] } },
      }),
    });
    const one = await client(rev);
    const asked: [string, object][] = [
      ['tools/list', {}],
      ['prompts/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: `mcpx://up/${uri}` }],
      ...(isModern(rev) ? [['server/discover', {}] as [string, object]] : []),
    ];
    for (const [method, params] of asked) {
      const result = await one.result(method, params);
      expect(Object.keys(result).length).toBeGreaterThan(0);
      if (isModern(rev)) {
        expect(result).toMatchObject({ resultType: 'complete' });
        expect(result['ttlMs']).toBeTypeOf('number');
        expect(result['cacheScope']).toMatch(/^(public|private)$/);
      } else {
        for (const field of ENVELOPE) expect(result).not.toHaveProperty(field);
      }
    }
  });

  it.each(['tools/call', 'tools/list', 'resources/read'])(
    'B09: is missed by validate in a result of %s',
    async (method) => {
      const results: Record<string, object> = {
        'tools/call': { content: [] },
        'tools/list': { tools: [] },
        'resources/read': { contents: [] },
      };
      const text = JSON.stringify({ jsonrpc: '2.0', id: 3, result: results[method] });
      const missed = async (revision: Revision) =>
        (await validateText(text, { revision, method, strict: false }))
          .flatMap(({ findings }) => findings)
          .map(({ message }) => message)
          .join();
      expect(await missed(NEWEST)).toContain('resultType');
      if (method !== 'tools/call') expect(await missed(NEWEST)).toContain('ttlMs');
      for (const revision of LEGACY) expect(await missed(revision)).toBe('');
    },
  );

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

  const MISSING = { content: [text('{"ok":true}')] };
  const OTHERWISE = { content: [text('x')], structuredContent: { ok: 'no' } };
  const KNOWING = ALL_REVISIONS.filter((revision) => revision >= STRUCTURED_SINCE);

  it.each(
    KNOWING.flatMap((revision) => [
      ['is missing', revision, MISSING] as const,
      ['says something else', revision, OTHERWISE] as const,
    ]),
  )('B16: that %s for %s takes the schema off the list, not the call down', async (...given) => {
    const [, revision, broken] = given;
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const { client, diagnostics } = await behind({ outputSchema: schema }, broken, revision);
    const one = await client(revision);
    if (isModern(revision)) {
      const params = one.params({ notifications: { toolsListChanged: true } });
      one.raw.send({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params });
    }
    expect((await one.tools())[0]?.outputSchema).toEqual(schema);
    const { content } = await one.call('up_t');
    expect(content).toEqual(broken.content);
    await one.raw.frame(({ method }) => method === 'notifications/tools/list_changed');
    expect((await one.tools())[0]).not.toHaveProperty('outputSchema');
    expect(diagnostics.count('upstream-output-schema-broken')).toBe(1);
    await one.call('up_t');
    expect(diagnostics.count('upstream-output-schema-broken')).toBe(1);
  });

  it.each(ALL_REVISIONS)(
    'B16: goes to a client of %s with its schema, or neither goes, and the text always',
    async (revision) => {
      const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } } };
      const silent = { content: [], structuredContent: { ok: true } };
      const { client } = await behind({ outputSchema }, silent, '2025-06-18');
      const one = await client(revision);
      const [tool] = await one.tools();
      const called = await one.call('up_t');
      expect('outputSchema' in called).toBe(false);
      expect('structuredContent' in called).toBe(tool?.outputSchema !== undefined);
      expect('structuredContent' in called).toBe(KNOWING.includes(revision));
      expect(called.content).toEqual([text('{"ok":true}')]);
    },
  );

  it('B16: is not asked for of an error', async () => {
    const failed = { content: [text('out of cheese')], isError: true };
    const { client } = await behind({ outputSchema: { type: 'object', required: ['x'] } }, failed);
    const one = await client(NEWEST);
    expect(await one.call('up_t')).toMatchObject(failed);
    expect((await one.tools())[0]).toHaveProperty('outputSchema');
  });

  const NO_OBJECTS: [string, object, unknown][] = [
    ['an array', { type: 'array', items: { type: 'string' } }, ['x', 'y']],
    ['a string', { type: 'string' }, 'x'],
    ['a number', { type: 'number' }, 1.5],
    ['false', { type: 'boolean' }, false],
    ['null', { type: 'null' }, null],
  ];

  it.each(
    ALL_REVISIONS.flatMap((revision) => NO_OBJECTS.map((value) => [revision, ...value] as const)),
  )(
    'B17: agrees with its schema for a client of %s where it is %s',
    async (revision, _what, outputSchema, structuredContent) => {
      const { client } = await behind({ outputSchema }, { content: [], structuredContent });
      const one = await client(revision);
      const [tool] = await one.tools();
      const called = await one.call('up_t');
      expect(called.content).toEqual([text(JSON.stringify(structuredContent))]);
      if (isModern(revision)) {
        expect(tool?.outputSchema).toEqual(outputSchema);
        expect(called.structuredContent).toEqual(structuredContent);
      } else if (revision >= STRUCTURED_SINCE) {
        expect(tool?.outputSchema).toMatchObject({
          type: 'object',
          properties: { result: outputSchema },
        });
        expect(called.structuredContent).toEqual({ result: structuredContent });
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
  const link = { type: 'resource_link', uri: 'file:///r/1.txt', name: 'the first' };
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
        expect(JSON.stringify(blocks[1])).toContain('the first');
        expect(JSON.stringify(blocks[1])).toContain('text/plain');
        const sound = JSON.stringify(blocks[2]);
        expect(sound).toMatch(revision === '2024-11-05' ? /audio\/wav.*\b4 bytes/ : /UklGRg==/);
        const known = revision >= STRUCTURED_SINCE ? 'resource_link' : 'resource';
        expect(blocks[1]).toHaveProperty('type', known);
      }
    },
  );
});
