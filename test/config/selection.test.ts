import { describe, expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../../src/config/file.js';
import { call, overStdio, textOf, upstream } from '../support/upstream.js';
import { UpstreamBackend } from '../../src/backends/upstream/backend.js';
import type { ToolSelection } from '../../src/backends/upstream/selection.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import '../support/strict.js';

async function started(selection: ToolSelection): Promise<UpstreamBackend> {
  const backend = new UpstreamBackend({
    namespace: 'up',
    target: overStdio('2025-11-25'),
    clientInfo: { name: 'mcpx', version: '0' },
    diagnostics: new Diagnostics(),
    selection,
  });
  onTestFinished(() => backend.close());
  await backend.start();
  return backend;
}

const namesOf = (backend: UpstreamBackend) => backend.tools().map(({ name }) => name);

describe('the tools of an upstream', () => {
  it('are those that are allowed and not denied, stars for any characters', async () => {
    const backend = await started({ allow: ['give_*', 'fail'], deny: ['give_n*'] });
    expect(namesOf(backend)).toEqual([
      ...['give_object', 'give_array', 'give_string', 'give_boolean', 'fail'],
    ]);
    expect(namesOf(await started({ allow: [] }))).toEqual([]);
    expect(namesOf(await started({ deny: ['*'] }))).toEqual([]);
  });

  it('may have other names here, by which they are called', async () => {
    const backend = await started({
      allow: ['give_string', 'fail'],
      rename: { give_string: 'text' },
    });
    expect(namesOf(backend)).toEqual(['text', 'fail']);
    expect(textOf(await backend.callTool('text', {}, call()))).toBe('"text"');
  });

  it('can be given the name of another, which is then out of reach', async () => {
    const backend = await started({
      allow: ['give_string', 'give_number'],
      rename: { give_string: 'give_number' },
    });
    expect(namesOf(backend)).toEqual(['give_number']);
    expect(textOf(await backend.callTool('give_number', {}, call()))).toBe('"text"');
  });

  it('are all there where nothing is chosen', async () => {
    const { backend } = upstream(overStdio('2025-11-25'));
    await backend.start();
    expect(namesOf(backend)).toHaveLength(22);
  });
});

describe('the configuration of a server', () => {
  const one = (entry: object, key = 'mcpServers') =>
    parseConfig(JSON.stringify({ [key]: { one: { command: 'x', ...entry } } }), 'c.json', {});

  it('chooses tools in our words', () => {
    const chosen = { allow: ['a'], deny: ['b*'], rename: { a: 'c' } };
    expect(one(chosen).servers[0]?.selection).toEqual(chosen);
  });

  it.each([
    [
      { includeTools: ['a'], excludeTools: ['b'] },
      { allow: ['a'], deny: ['b'] },
    ],
    [{ disabledTools: ['b'] }, { deny: ['b'] }],
    [{ tools: ['*'] }, { allow: ['*'] }],
    [{ tools: { a: true } }, undefined],
  ])('or in those of a host: %j', (entry, selection) => {
    expect(one(entry).servers[0]?.selection).toEqual(selection);
  });

  it('says where a choice is wrong', () => {
    expect(() => one({ allow: 'a' })).toThrow('/mcpServers/one/allow: "a" is not an array');
    expect(() => one({ rename: { a: 1 } })).toThrow('/mcpServers/one/rename/a: 1 is not a text');
  });

  it.each(['servers', 'context_servers'])('may stand under %s, as editors have it', (key) => {
    expect(one({}, key).servers[0]?.namespace).toBe('one');
  });

  it('cannot ask for what an editor would ask for', () => {
    expect(() => one({ env: { KEY: '${input:api-key}' } })).toThrow(
      '/mcpServers/one/env/KEY: ${input:api-key} is asked for by an editor',
    );
  });

  it.each([{ type: 'sse' }, { transport: 'sse' }])('knows servers of old by %j', (entry) => {
    const text = JSON.stringify({ mcpServers: { one: { url: 'http://a.test/', ...entry } } });
    expect(parseConfig(text, 'c.json', {}).servers[0]?.target).toHaveProperty('sse', true);
  });
});
