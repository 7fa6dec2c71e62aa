/** Upstreams under their own names, as if there were no gateway. */
import { describe, expect, it } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { gateway, scripted, toolsPage, type Script } from '../support/gateway.js';
import { ALL_REVISIONS } from '../support/peers.js';
import '../support/strict.js';

const text = (value: string) => ({ type: 'text', text: value });

/** Everything is called for the server it is of. */
function offering(of: string, more: Partial<Script> = {}): Script {
  return {
    revision: NEWEST,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    pages: {
      ...toolsPage({ name: `tool_${of}` }, { name: 'shared' }, { name: 'refuse' }),
      'prompts/list': { prompts: [{ name: `prompt_${of}` }] },
      'resources/list': { resources: [{ uri: `${of}:1`, name: of }] },
    },
    results: {
      [`tools/call tool_${of}`]: {
        content: [text(of)],
        structuredContent: { of },
        'x-own': true,
        _meta: { 'example.test/of': of },
      },
      'tools/call shared': { content: [text(`shared of ${of}`)] },
      'tools/call refuse': { $error: { code: -31234, message: 'Not today', data: { of } } },
      'prompts/get': { messages: [{ role: 'user', content: text(of) }] },
      'resources/read': { contents: [{ uri: `${of}:1`, text: of }] },
    },
    ...more,
  };
}

const both = () =>
  gateway({ a: scripted(offering('a')), b: scripted(offering('b')) }, { names: 'own' });

describe.each(ALL_REVISIONS)(
  'to a client of %s, several upstreams under their own names',
  (rev) => {
    it('are listed and called by these names and URIs', async () => {
      const { client, diagnostics } = await both();
      const one = await client(rev);
      const names = await one.names();
      expect(names).toEqual(expect.arrayContaining(['tool_a', 'tool_b', 'shared']));
      expect(new Set(names).size).toBe(names.length);
      expect(await one.text('tool_a')).toContain('a');
      expect(await one.text('tool_b')).toContain('b');
      // Of two of one name the first counts, whatever order they came up in.
      expect(await one.text('shared')).toBe('shared of a');
      expect(diagnostics.count('name-collision')).toBeGreaterThan(0);
      for (const of of ['a', 'b']) {
        const prompt = await one.result('prompts/get', { name: `prompt_${of}` });
        expect(prompt).toMatchObject({ messages: [{ content: { text: of } }] });
        const read = await one.result('resources/read', { uri: `${of}:1` });
        expect(read).toMatchObject({ contents: [{ uri: `${of}:1`, text: of }] });
      }
    });

    it('answer as they do, with errors as errors', async () => {
      const { client } = await both();
      const one = await client(rev);
      const result = await one.call('tool_b');
      expect(result).toMatchObject({ 'x-own': true, _meta: { 'example.test/of': 'b' } });
      // Where the revision has structured content, nothing is put beside it.
      if (rev >= '2025-06-18') {
        expect(result).toMatchObject({ content: [text('b')], structuredContent: { of: 'b' } });
      }
      const { error } = await one.request('tools/call', { name: 'refuse' });
      expect(error).toEqual({ code: -31234, message: 'Not today', data: { of: 'a' } });
    });
  },
);

describe('an upstream under its own names', () => {
  it.each([[{}], [{ sampling: {} }], [{ elicitation: { form: {} }, roots: {} }]])(
    'is told that the client declared %j, and no more',
    async (capabilities) => {
      const pages = toolsPage({ name: 'received' });
      const script = offering('a', { pages });
      const { client } = await gateway({ a: scripted(script) }, { names: 'own' });
      const one = await client(NEWEST, capabilities);
      const frames = JSON.parse(await one.text('received')) as {
        method: string;
        params: { _meta: Record<string, unknown> };
      }[];
      const called = frames.find(({ method }) => method === 'tools/call');
      expect(called?.params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual(
        capabilities,
      );
    },
  );
});
