import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NEWEST } from '../../../generated/revisions.js';
import { createBuiltinBackend } from '../../../src/backends/builtin/backend.js';
import type { Core } from '../../../src/server/contract.js';
import { createCore } from '../../../src/server/core.js';
import { ALL_REVISIONS, modernMeta, open, paramsFor } from '../../support/peers.js';
import { StdioClient } from '../../support/stdio-client.js';
import '../../support/strict.js';

let core: Core;
let client: StdioClient;

beforeEach(async () => {
  core = createCore({
    info: { name: 'mcpx', version: '1' },
    mounts: [{ backend: createBuiltinBackend(), names: 'own' }],
  });
  await core.start();
  client = new StdioClient(core);
});

afterEach(async () => {
  await client.end();
  await core.close(0);
});

async function call(name: string, args: object): Promise<Record<string, unknown>> {
  return client.result('tools/call', { name, arguments: args, ...modernMeta() });
}

const structured = async (name: string, args: object): Promise<unknown> =>
  (await call(name, args))['structuredContent'];

describe('field_history', () => {
  test('says since when a field exists, and how it changed', async () => {
    expect(await structured('field_history', { name: 'Tool.execution' })).toEqual({
      found: [
        {
          name: 'Tool.execution',
          kind: 'field',
          since: '2025-11-25',
          until: '2026-07-28',
          in: { '2025-11-25': 'optional ToolExecution' },
        },
      ],
      left: 0,
    });
  });

  test('finds a field by its last name in every definition', async () => {
    const { found } = (await structured('field_history', { name: 'icons' })) as {
      found: { name: string }[];
    };
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Tool.icons', 'Prompt.icons', 'Implementation.icons']),
    );
  });

  test('finds methods', async () => {
    expect(await structured('field_history', { name: 'elicitation/create' })).toMatchObject({
      found: [{ kind: 'method', since: '2025-06-18' }],
    });
  });

  test('says so where nothing is found', async () => {
    expect(await call('field_history', { name: 'no such thing' })).toMatchObject({
      content: [{ text: 'No revision has a field, a definition or a method "no such thing".' }],
      structuredContent: { found: [], left: 0 },
    });
  });
});

describe('revision_changes', () => {
  test('says what came between any two revisions', async () => {
    const changes = await structured('revision_changes', {
      from: '2024-11-05',
      to: '2025-06-18',
      method: 'tools/list',
    });
    expect(changes).toMatchObject({
      methods: [],
      messages: expect.arrayContaining([
        expect.objectContaining({
          part: 'result',
          changes: expect.arrayContaining([
            expect.objectContaining({
              path: 'tools[].title',
              kind: 'added',
              edge: [
                expect.objectContaining({ peer: '2024-11-05', outcome: 'dropped' }),
              ] as unknown,
            }),
          ]) as unknown,
        }),
      ]) as unknown,
    });
  });

  test('refuses revisions in the wrong order, and ones that are none', async () => {
    const args = { from: '2025-06-18', to: '2024-11-05' };
    expect(await call('revision_changes', args)).toMatchObject({
      isError: true,
      content: [{ text: 'from (2025-06-18) has to be older than to (2024-11-05)' }],
    });
    expect(await call('revision_changes', { from: '2020-01-01', to: NEWEST })).toMatchObject({
      isError: true,
    });
  });
});

describe('check_message', () => {
  const tools = [{ name: 'a', inputSchema: { type: 'object' }, icons: [] }];
  const message = { jsonrpc: '2.0', id: 1, result: { tools } };

  test('names what another revision has and this one has not', async () => {
    const args = { revision: '2025-06-18', method: 'tools/list', message };
    expect(await structured('check_message', args)).toMatchObject({
      valid: false,
      problems: [{ pointer: '/result/tools/0/icons', kind: 'foreign' }],
    });
    expect(await structured('check_message', { ...args, revision: '2025-11-25' })).toEqual({
      valid: true,
      problems: [],
      left: 0,
    });
  });

  test('shows the first hundred of many problems, and says how many more there are', async () => {
    const many = Array.from({ length: 150 }, () => ({ name: 3 }));
    const args = {
      revision: '2025-06-18',
      method: 'tools/list',
      message: { jsonrpc: '2.0', id: 1, result: { tools: many } },
    };
    const answer = await structured('check_message', args);
    const { problems, left } = answer as { problems: object[]; left: number };
    expect(problems).toHaveLength(100);
    expect(left).toBeGreaterThan(0);
  });

  test('refuses what nests deeper than any message', async () => {
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
    const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`;
    expect(await call('check_message', { revision: '2025-06-18', message })).toMatchObject({
      isError: true,
      content: [{ text: 'message nests deeper than 256 levels' }],
    });
  });

  test('takes text, and judges a request by its own method', async () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
    expect(
      await structured('check_message', { revision: '2025-06-18', message: text }),
    ).toMatchObject({ valid: false, problems: [{ pointer: '/params' }] });
  });

  test.each([
    [{ message }, 'method is missing'],
    [{ message: '{' }, 'message is not JSON'],
  ])('says what it lacks to judge %j', async (args, text) => {
    expect(await call('check_message', { revision: NEWEST, ...args })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(text) as unknown }],
    });
  });

  test.each([[[]], ['null'], ['3'], ['{"jsonrpc":"1.0"}']])('%j is no message', async (it) => {
    const args = { revision: NEWEST, message: it };
    const answer = await call('check_message', args);
    const valid = (answer['structuredContent'] as { valid: boolean } | undefined)?.valid;
    expect(answer['isError'] === true || valid === false).toBe(true);
  });
});

describe('project_result', () => {
  const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };

  test('gives what a client of the revision would get, and why', async () => {
    expect(
      await structured('project_result', {
        revision: '2024-11-05',
        method: 'tools/call',
        result: { content: [audio], structuredContent: 3 },
      }),
    ).toMatchObject({
      result: {
        content: [
          { type: 'text', text: '[audio: audio/wav, 3 bytes]' },
          { type: 'text', text: '3' },
        ],
      },
      changes: expect.arrayContaining([
        expect.objectContaining({ at: 'ContentBlock/AudioContent', outcome: 'converted' }),
      ]) as unknown,
    });
  });

  test('refuses a method that is none', async () => {
    const args = { revision: '2024-11-05', method: 'tools/lists' };
    expect(await call('project_result', args)).toMatchObject({ isError: true });
  });
});

describe.each(ALL_REVISIONS)('a client of %s', (revision) => {
  beforeEach(() => open(client, revision));

  test('reads every report that is listed', async () => {
    const { resources } = await client.result('resources/list', paramsFor(revision));
    const uris = (resources as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toContain(`report:///client-${revision}.md`);
    for (const uri of uris) {
      const { contents } = await client.result('resources/read', paramsFor(revision, { uri }));
      expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }]);
    }
  });

  test('reads the data of a report, and is told of one that is not there', async () => {
    const read = async (uri: string) =>
      client.request('resources/read', paramsFor(revision, { uri }));
    const { result } = await read('report:///matrix.json');
    expect(result).toMatchObject({ contents: [{ mimeType: 'application/json' }] });
    for (const uri of ['report:///nothing.md', 'report:///..%2F..%2Fpackage.json']) {
      expect((await read(uri)).error?.data).toEqual({ uri });
    }
  });

  test('gets the prompt, its revision completed', async () => {
    const completion = await client.result(
      'completion/complete',
      paramsFor(revision, {
        ref: { type: 'ref/prompt', name: 'audit_client' },
        argument: { name: 'revision', value: '2025-' },
      }),
    );
    expect(completion).toMatchObject({
      completion: { values: ['2025-03-26', '2025-06-18', '2025-11-25'] },
    });
    const prompt = paramsFor(revision, { name: 'audit_client', arguments: { revision } });
    expect(await client.result('prompts/get', prompt)).toMatchObject({
      messages: [
        { content: { text: expect.stringContaining(`a ${revision} client`) as unknown } },
        {},
      ],
    });
  });

  test('lists and calls the tools', async () => {
    const { tools } = await client.result('tools/list', paramsFor(revision));
    expect((tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'field_history',
      'revision_changes',
      'check_message',
      'project_result',
    ]);
    const args = { name: 'field_history', arguments: { name: 'tools/list' } };
    const { content } = await client.result('tools/call', paramsFor(revision, args));
    expect((content as object[])[0]).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^tools\/list \(method\): since 2024-11-05/) as unknown,
    });
  });
});
