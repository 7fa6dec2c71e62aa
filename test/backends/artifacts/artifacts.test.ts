/** Results too large to inline: what takes their place, who may read them, and for how long. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallToolResult } from '../../../generated/newest/types.js';
import type { ArtifactSettings } from '../../../src/backends/artifacts/artifacts.js';
import type { Bare } from '../../../src/backends/backend.js';
import { LocalBackend } from '../../../src/backends/local/backend.js';
import { createCore } from '../../../src/server/core.js';
import { createHttpServer } from '../../../src/transport/http/server.js';
import { localGateway } from '../../support/local-gateway.js';
import { HttpClient } from '../../support/http-client.js';
import { ALL_REVISIONS, open, paramsFor } from '../../support/peers.js';
import type { StdioClient } from '../../support/stdio-client.js';
import '../../support/strict.js';

const LARGE = 'ä'.repeat(2000);
const BYTES = 'A'.repeat(4000);
const ROWS = Array.from({ length: 100 }, (_, row) => ({ row, text: 'x'.repeat(20) }));

const RESULTS: Record<string, Bare<CallToolResult>> = {
  small: { content: [{ type: 'text', text: 'small' }], structuredContent: { small: true } },
  text: {
    content: [
      { type: 'text', text: 'before' },
      { type: 'text', text: LARGE, annotations: { audience: ['user'] } },
    ],
    isError: true,
  },
  image: { content: [{ type: 'image', data: BYTES, mimeType: 'image/png' }] },
  embedded: {
    content: [{ type: 'resource', resource: { uri: 'x://y', mimeType: 'text/csv', text: LARGE } }],
  },
  structured: { content: [{ type: 'text', text: 'rows' }], structuredContent: { rows: ROWS } },
  mirrored: {
    content: [{ type: 'text', text: JSON.stringify({ rows: ROWS }) }],
    structuredContent: { rows: ROWS },
  },
};

function largeBackend(): LocalBackend {
  const backend = new LocalBackend('big');
  for (const [name, result] of Object.entries(RESULTS)) backend.addTool({ name }, () => result);
  const outputSchema = { type: 'object', required: ['rows'] };
  backend.addTool({ name: 'promised', outputSchema }, () => RESULTS['mirrored'] ?? '');
  return backend;
}

interface Block {
  type: string;
  text?: string;
  uri?: string;
  mimeType?: string;
  size?: number;
  annotations?: object;
  resource?: { uri: string };
}
interface Result {
  content: Block[];
  structuredContent?: unknown;
  isError?: boolean;
}

const URI = /^mcpx:\/\/artifacts\/[\w-]{24}$/;

async function called(client: StdioClient, name: string, revision = '2025-11-25') {
  const params = paramsFor(revision as never, { name, arguments: {} });
  return (await client.result('tools/call', params)) as unknown as Result;
}

async function session(
  settings: Partial<ArtifactSettings> = {},
  revision: (typeof ALL_REVISIONS)[number] = '2025-11-25',
) {
  const house = await localGateway([largeBackend()], settings);
  const client = house.client();
  await open(client, revision);
  return { ...house, first: client };
}

const uriIn = ({ content }: Result): string => {
  const uri = content.map((block) => block.uri ?? block.resource?.uri).find(Boolean);
  if (uri === undefined) throw new Error(`no link in ${JSON.stringify(content)}`);
  return uri;
};

const listed = async (client: StdioClient): Promise<string[]> =>
  ((await client.result('resources/list'))['resources'] as { uri: string }[]).map(({ uri }) => uri);

describe.each(ALL_REVISIONS)('a client of %s', (revision) => {
  it('gets a link in the place of a large block, and reads what it stands for', async () => {
    const { first } = await session({}, revision);
    const result = await called(first, 'big_text', revision);
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ type: 'text', text: 'before' });
    expect(JSON.stringify(result)).not.toContain(LARGE);
    const uri = uriIn(result);
    expect(uri).toMatch(URI);
    expect(result.content[1]?.text).toContain(uri);
    const read = await first.result('resources/read', paramsFor(revision, { uri }));
    expect(read['contents']).toMatchObject([{ uri, mimeType: 'text/plain', text: LARGE }]);
  });
});

describe('what is too large', () => {
  it('is told with its type and its size, and keeps its annotations', async () => {
    const { first } = await session();
    const { content } = await called(first, 'big_text');
    expect(content[2]).toMatchObject({
      type: 'resource_link',
      mimeType: 'text/plain',
      size: 4000,
      annotations: { audience: ['user'] },
    });
  });

  it('may be an image, and comes back as the bytes it was', async () => {
    const { first } = await session();
    const result = await called(first, 'big_image');
    expect(result.content[1]).toMatchObject({ mimeType: 'image/png', size: 3000 });
    const { contents } = await first.result('resources/read', { uri: uriIn(result) });
    expect(contents).toMatchObject([{ mimeType: 'image/png', blob: BYTES }]);
  });

  it('may be an embedded resource', async () => {
    const { first } = await session();
    const result = await called(first, 'big_embedded');
    expect(result.content[1]).toMatchObject({ type: 'resource_link', mimeType: 'text/csv' });
  });

  it('may be structured content, which is then read as JSON', async () => {
    const { first } = await session();
    const result = await called(first, 'big_structured');
    expect(result.structuredContent).toBeUndefined();
    expect(result.content[0]).toEqual({ type: 'text', text: 'rows' });
    const { contents } = await first.result('resources/read', { uri: uriIn(result) });
    const [{ mimeType, text }] = contents as [{ mimeType: string; text: string }];
    expect(mimeType).toBe('application/json');
    expect(JSON.parse(text)).toEqual({ rows: ROWS });
  });

  it('is kept once where text and structure say the same', async () => {
    const { first } = await session();
    const { content, structuredContent } = await called(first, 'big_mirrored');
    expect(structuredContent).toBeUndefined();
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(await listed(first)).toHaveLength(1);
  });

  it('stays where an outputSchema promises it, and that is counted', async () => {
    const { first, diagnostics } = await session();
    const { content, structuredContent } = await called(first, 'big_promised');
    expect(structuredContent).toEqual({ rows: ROWS });
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(diagnostics.count('artifact-promised-inline')).toBe(1);
  });

  it('is replaced, too, in the result of mcpx_call_tool', async () => {
    const { first } = await session();
    const params = { name: 'mcpx_call_tool', arguments: { name: 'big_text' } };
    const result = (await first.result('tools/call', params)) as unknown as Result;
    expect(uriIn(result)).toMatch(URI);
  });

  it('stays inline where it is larger than all that is kept', async () => {
    const { first, diagnostics } = await session({ maxBytes: 3000 });
    const { content } = await called(first, 'big_text');
    expect(content[1]?.text).toBe(LARGE);
    expect(diagnostics.count('artifact-too-large')).toBe(1);
  });
});

it('leaves small results as they are', async () => {
  const { first } = await session();
  expect(await called(first, 'big_small')).toEqual(RESULTS['small']);
  expect(await listed(first)).toEqual([]);
});

it('leaves large results as they are where backends go under their own names', async () => {
  const core = createCore({
    info: { name: 'mcpx', version: '1' },
    mounts: [{ backend: largeBackend(), names: 'own' }],
  });
  await core.start();
  const server = createHttpServer(core, { port: 0 });
  const { url } = await server.listen();
  const client = new HttpClient(url);
  onTestFinished(async () => {
    await client.close();
    await server.close(0);
    await core.close(0);
  });
  const { result } = await (await client.modern('tools/call', { name: 'text' })).message();
  expect(JSON.stringify(result)).toContain(LARGE);
});

describe('an artifact', () => {
  it('is listed to the session that has it, behind what everybody has, and to no other', async () => {
    const { first, client } = await session();
    const other = client();
    await other.initialize('2025-11-25');
    const uri = uriIn(await called(first, 'big_text'));
    expect(await listed(first)).toEqual([uri]);
    expect(await listed(other)).toEqual([]);
    expect((await other.request('resources/read', { uri })).error).toMatchObject({
      code: -32002,
      data: { uri },
    });
  });

  it('is news on the list of resources to its session, and to no other', async () => {
    const { first, client } = await session();
    const other = client();
    await other.initialize('2025-11-25');
    await called(first, 'big_small');
    await called(first, 'big_text');
    await first.frame(({ method }) => method === 'notifications/resources/list_changed');
    await other.result('ping');
    const news = [...first.received, ...other.received].filter(
      ({ method }) => method !== undefined,
    );
    expect(news).toHaveLength(1);
  });

  it('of a client without a session is listed to nobody, and read by whoever has its URI', async () => {
    const { first, client } = await session({}, '2026-07-28');
    const uri = uriIn(await called(first, 'big_text', '2026-07-28'));
    const mine = await first.result('resources/list', paramsFor('2026-07-28'));
    expect(mine['resources']).toEqual([]);
    const other = client();
    await other.initialize('2025-03-26');
    expect(await listed(other)).toEqual([]);
    const read = await other.result('resources/read', { uri });
    expect(read['contents']).toMatchObject([{ text: LARGE }]);
  });

  it('is that of the principal over all its requests, where there is one', async () => {
    const { core } = await session();
    const ask = async (principal: string, method: string, params: object) => {
      const frame = {
        jsonrpc: '2.0' as const,
        id: 1,
        method,
        params: paramsFor('2026-07-28', params) as Record<string, unknown>,
      };
      const exchange = { connection: undefined, principal, send: () => undefined };
      const reply = await core.request(frame, exchange).reply;
      return JSON.parse(reply?.text ?? '') as { result: Record<string, unknown>; error?: object };
    };
    const { result } = await ask('ada', 'tools/call', { name: 'big_text', arguments: {} });
    const uri = uriIn(result as unknown as Result);
    expect((await ask('ada', 'resources/list', {})).result['resources']).toMatchObject([{ uri }]);
    expect((await ask('bob', 'resources/list', {})).result['resources']).toEqual([]);
    expect((await ask('ada', 'resources/read', { uri })).result).toBeDefined();
    expect((await ask('bob', 'resources/read', { uri })).error).toMatchObject({ code: -32602 });
  });

  it('goes with its session', async () => {
    const { first, client, core } = await session();
    const uri = uriIn(await called(first, 'big_text'));
    await first.end();
    const other = client();
    await other.initialize('2025-11-25');
    expect((await other.request('resources/read', { uri })).error?.code).toBe(-32002);
    expect(core.load.connections).toBe(1);
  });

  it('goes when its time is over', async () => {
    const { first } = await session({ ttl: 5000 });
    const uri = uriIn(await called(first, 'big_text'));
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 5001);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await listed(first)).toEqual([]);
    expect((await first.request('resources/read', { uri })).error?.code).toBe(-32002);
  });

  it('makes room for newer ones', async () => {
    const { first, diagnostics } = await session({ maxBytes: 9000 });
    const [one, two, three] = [
      uriIn(await called(first, 'big_text')),
      uriIn(await called(first, 'big_text')),
      uriIn(await called(first, 'big_text')),
    ];
    expect(await listed(first)).toEqual([two, three]);
    expect((await first.request('resources/read', { uri: one })).error?.code).toBe(-32002);
    expect(diagnostics.count('artifact-displaced')).toBe(1);
  });

  it('is on pages as other resources are', async () => {
    const { first } = await session();
    const uris = new Set<string>();
    for (let at = 0; at < 101; at++) uris.add(uriIn(await called(first, 'big_image')));
    const { resources, nextCursor } = await first.result('resources/list');
    const next = await first.result('resources/list', { cursor: nextCursor });
    const all = [...(resources as { uri: string }[]), ...(next['resources'] as { uri: string }[])];
    expect(all.map(({ uri }) => uri)).toEqual([...uris]);
  });

  it('that nobody has is not found, in either era', async () => {
    const { first, client } = await session();
    const uri = 'mcpx://artifacts/nothing';
    expect((await first.request('resources/read', { uri })).error?.code).toBe(-32002);
    const modern = client();
    const { error } = await modern.request('resources/read', paramsFor('2026-07-28', { uri }));
    expect(error).toMatchObject({ code: -32602, data: { uri } });
  });
});
