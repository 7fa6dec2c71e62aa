import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST } from '../../../generated/revisions.js';
import { UpstreamBackend } from '../../../src/backends/upstream/backend.js';
import type { UpstreamTarget } from '../../../src/backends/upstream/options.js';
import { WayFile } from '../../../src/backends/upstream/ways.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { scripted, toolsPage, type Script } from '../../support/gateway.js';
import { recordingServer } from '../../support/recording-server.js';
import { sseServer } from '../../support/sse-server.js';
import { call, textOf, upstream } from '../../support/upstream.js';
import '../../support/strict.js';

const PACED = fileURLToPath(new URL('../../fixtures/upstream/paced.mjs', import.meta.url));

const OK = { content: [{ type: 'text', text: 'ok' }] };
const ONE_TOOL: Script = {
  pages: toolsPage({ name: 'received' }, { name: 'now' }),
  results: { 'tools/call now': OK },
};

describe('an upstream with nothing but the streams of 2024-11-05', () => {
  const declared = () =>
    sseServer((server) => {
      server.registerTool('hello', { description: 'Greets' }, () => ({
        content: [{ type: 'text', text: 'hello' }],
      }));
    });

  it('is reached when nothing newer is there', async () => {
    const { url, requests } = await declared();
    const { backend } = upstream({ kind: 'http', url, headers: {} });
    await backend.start();
    expect(backend.tools().map(({ name }) => name)).toEqual(['hello']);
    expect(textOf(await backend.callTool('hello', {}, call()))).toBe('hello');
    // The newer ways were tried first.
    expect(requests.slice(0, 3)).toEqual(['POST /sse', 'POST /sse', 'GET /sse']);
  });

  it('is reached at once where the configuration says so', async () => {
    const { url, requests } = await declared();
    const { backend } = upstream({ kind: 'http', url, headers: {}, sse: true });
    await backend.start();
    expect(requests[0]).toBe('GET /sse');
  });

  it('is connected to again when its stream has ended', async () => {
    const { url, dropStreams } = await declared();
    const { backend } = upstream({ kind: 'http', url, headers: {} });
    await backend.start();
    dropStreams();
    const answer = () => backend.callTool('hello', {}, call()).then(textOf, String);
    await expect.poll(answer).toBe('hello');
  });

  it('may not send us and its headers to another server', async () => {
    const other = await recordingServer();
    const { url } = await recordingServer((_request, reply) =>
      _request.method === 'GET'
        ? reply
            .header('content-type', 'text/event-stream')
            .send(`event: endpoint\ndata: ${other.url}/steal\n\n`)
        : reply.code(404).send(),
    );
    const { backend } = upstream({ kind: 'http', url, headers: { 'x-key': 's' }, sse: true });
    await expect(backend.start()).rejects.toThrow("is another server's");
    expect(other.requests).toEqual([]);
  });
});

describe('the era of an upstream', () => {
  async function remembering() {
    const folder = await mkdtemp(join(tmpdir(), 'mcpx-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'cache', 'eras.json');
    const diagnostics = new Diagnostics();
    const started = async (target: UpstreamTarget): Promise<UpstreamBackend> => {
      const backend = new UpstreamBackend({
        namespace: 'up',
        target,
        clientInfo: { name: 'mcpx', version: '0' },
        diagnostics,
        ways: new WayFile(path, diagnostics),
      });
      onTestFinished(() => backend.close());
      await backend.start();
      return backend;
    };
    return { path, diagnostics, started };
  }

  async function methods(backend: UpstreamBackend): Promise<string[]> {
    const text = textOf(await backend.callTool('received', {}, call()));
    return (JSON.parse(text) as { method: string }[]).map(({ method }) => method);
  }

  it('B03: is kept on disk: a legacy one is probed once for all starts', async () => {
    const { started } = await remembering();
    const target = scripted(ONE_TOOL);
    expect((await methods(await started(target)))[0]).toBe('server/discover');
    expect((await methods(await started(target)))[0]).toBe('initialize');
  });

  it('B04: is kept on disk: one that the probe ends is started once the next time', async () => {
    const { path, started } = await remembering();
    const starts = join(dirname(dirname(path)), 'starts');
    const target = scripted({ ...ONE_TOOL, probe: 'exit', starts });
    await started(target);
    await started(target);
    expect(await readFile(starts, 'utf8')).toBe('...');
  });

  it('B03: is found out again where what is kept proves wrong', async () => {
    const { path, started, diagnostics } = await remembering();
    const target = scripted({ ...ONE_TOOL, revision: NEWEST });
    await started(target);
    const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, object>;
    const [key = ''] = Object.keys(kept);
    await writeFile(path, JSON.stringify({ [key]: { way: 'legacy', at: Date.now() } }));
    expect((await started(target)).status.revision).toBe(NEWEST);
    expect(diagnostics.count('upstream-era-changed')).toBe(1);
    expect(await readFile(path, 'utf8')).toContain('"modern"');
  });

  it('is found out without a file that cannot be read', async () => {
    const { path, started, diagnostics } = await remembering();
    await started(scripted(ONE_TOOL));
    await writeFile(path, '{');
    expect((await started(scripted(ONE_TOOL))).tools()).toHaveLength(2);
    expect(diagnostics.count('era-cache-unreadable')).toBe(1);
  });
});

describe('an upstream that nobody uses', () => {
  it('is let go, keeps its place on the list, and is there for the next call', async () => {
    const { backend, events } = upstream(scripted(ONE_TOOL), { idleTimeout: 20 });
    await backend.start();
    const listed = backend.tools();
    // Each start has seen one handshake, and knows of no call before.
    const calls = async () => {
      const text = textOf(await backend.callTool('received', {}, call()));
      return text.split('"tools/call"').length - 1;
    };
    expect(await calls()).toBe(1);
    await expect.poll(calls, { interval: 100 }).toBe(1);
    expect(backend.status.state).toBe('up');
    expect(backend.tools()).toEqual(listed);
    expect(events.filter(({ kind }) => kind === 'listChanged')).toEqual([]);
  });
});

describe('a slow call', () => {
  const paced = (ms: number, steps: number): UpstreamTarget => ({
    kind: 'stdio',
    command: process.execPath,
    args: [PACED, String(ms), String(steps)],
    env: {},
  });

  it('that tells of its progress is given more time', async () => {
    const { backend } = upstream(paced(100, 10), { callTimeout: 500 });
    await backend.start();
    expect(textOf(await backend.callTool('slow', {}, call({ progress: true })))).toBe('done');
    await expect(backend.callTool('slow', {}, call())).rejects.toThrow('within 500 ms');
  });

  it('is not given time for ever', async () => {
    const { backend } = upstream(paced(10, 10_000), { callTimeout: 100 });
    await backend.start();
    const endless = backend.callTool('slow', {}, call({ progress: true }));
    await expect(endless).rejects.toThrow('within 1000 ms');
  });
});

describe('an upstream that wants other headers than when it was listed', () => {
  it('is listed again, and asked once more', async () => {
    const annotated = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    };
    const plain = { type: 'object', properties: { region: { type: 'string' } } };
    let lists = 0;
    const { url, requests } = await recordingServer(({ body, headers }, reply) => {
      const { id, method } = JSON.parse(String(body)) as { id: number; method: string };
      const answer = (result: object): object => ({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result },
      });
      if (method === 'server/discover') {
        return answer({ supportedVersions: [NEWEST], capabilities: { tools: {} } });
      }
      if (method === 'tools/list') {
        return answer({ tools: [{ name: 't', inputSchema: lists++ === 0 ? plain : annotated }] });
      }
      if (headers['mcp-param-region'] === 'eu')
        return { jsonrpc: '2.0', id, result: { resultType: 'complete', ...OK } };
      const error = { code: -32020, message: 'Mcp-Param-Region is missing' };
      return reply.code(400).send({ jsonrpc: '2.0', id, error });
    });
    const { backend } = upstream({ kind: 'http', url, headers: {} });
    await backend.start();
    expect(textOf(await backend.callTool('t', { region: 'eu' }, call()))).toBe('ok');
    const sent = requests.map(({ headers }) => headers['mcp-method']);
    expect(sent).toEqual([
      'server/discover',
      'tools/list',
      'tools/call',
      'tools/list',
      'tools/call',
    ]);
    await expect(backend.callTool('t', { region: 'us' }, call())).rejects.toThrow('is missing');
  });
});

describe('annotations that no header can be made of', () => {
  const bad = [
    { a: { type: 'string', 'x-mcp-header': '' } },
    { a: { type: 'number', 'x-mcp-header': 'A' } },
    { a: { type: 'object', 'x-mcp-header': 'A' } },
    { a: { type: 'string', 'x-mcp-header': 'A b' } },
    { a: { type: 'string', 'x-mcp-header': 'Ä' } },
    { a: { type: 'string', 'x-mcp-header': 'A:' } },
    { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
  ];
  const good = {
    o: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } },
  };
  const tools = [...bad, good].map((properties, at) => ({
    name: `t${at}`,
    inputSchema: { type: 'object', properties },
  }));

  it('hide their tool where headers are sent', async () => {
    const { url } = await recordingServer(({ body }) => {
      const { id, method } = JSON.parse(String(body)) as { id: number; method: string };
      const result =
        method === 'tools/list'
          ? { tools }
          : { supportedVersions: [NEWEST], capabilities: { tools: {} } };
      const envelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      return { jsonrpc: '2.0', id, result: { ...envelope, ...result } };
    });
    const { backend, diagnostics } = upstream({ kind: 'http', url, headers: {} });
    await backend.start();
    expect(backend.tools().map(({ name }) => name)).toEqual([`t${bad.length}`]);
    expect(diagnostics.count('upstream-tool-isolated')).toBe(bad.length);
  });

  it('are left out where none are', async () => {
    const { backend } = upstream(scripted({ pages: toolsPage(...tools) }));
    await backend.start();
    expect(backend.tools()).toHaveLength(tools.length);
    const listed = JSON.stringify(backend.tools().slice(0, -1));
    expect(listed).not.toContain('x-mcp-header');
    expect(JSON.stringify(backend.tools().at(-1))).toContain('x-mcp-header');
  });
});
