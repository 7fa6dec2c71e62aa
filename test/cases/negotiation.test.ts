import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST, NEWEST_LEGACY, type Revision } from '../../generated/revisions.js';
import { validateText } from '../../src/audit/validate.js';
import { gateway, scripted, toolsPage, type Script } from '../support/gateway.js';
import { serveHttp } from '../support/http-server.js';
import { recordingServer } from '../support/recording-server.js';
import { ALL_REVISIONS, LEGACY } from '../support/peers.js';
import '../support/strict.js';

const OK = { content: [{ type: 'text', text: 'ok' }] };
const ONE_TOOL: Script = {
  pages: toolsPage({ name: 'now' }),
  results: { 'tools/call now': OK },
};

function initialize(protocolVersion: string) {
  const clientInfo = { name: 'c', version: '0' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

const HEADERS = [undefined, '2025-06-18', NEWEST, '2031-01-01', '2020-01-01', 'nonsense'];
const headed = (versions: readonly string[]) =>
  versions.flatMap((version) => HEADERS.map((header) => [version, header] as const));

describe('a handshake', () => {
  it.each(headed(['2031-01-01', NEWEST, '2020-01-01', 'nonsense']))(
    'B01: for %s is answered with the newest legacy revision, with %s in its header',
    async (version, header) => {
      const { client } = await serveHttp();
      const answer = await client.post(initialize(version), { 'mcp-protocol-version': header });
      expect(answer.status).toBe(200);
      expect(answer.headers['mcp-session-id']).toBeTypeOf('string');
      expect((await answer.message()).result).toMatchObject({ protocolVersion: NEWEST_LEGACY });
    },
  );

  it.each(headed(LEGACY))(
    'B01: for %s is answered with exactly that, with %s in its header',
    async (version, header) => {
      const { client } = await serveHttp();
      const answer = await client.post(initialize(version), { 'mcp-protocol-version': header });
      expect(answer.status).toBe(200);
      expect((await answer.message()).result).toMatchObject({ protocolVersion: version });
    },
  );

  it('B01: leaves the header for later: an unknown one is refused in the session only', async () => {
    const { client } = await serveHttp();
    const session = await client.session('2025-06-18');
    const headers = { ...session, 'mcp-protocol-version': '2020-01-01' };
    expect((await client.post(client.request('tools/list'), headers)).status).toBe(400);
  });
});

describe('the eras', () => {
  it('B02: do not mix: a handshake for the newest revision is one of the era before', async () => {
    const { client } = await gateway({ up: scripted(ONE_TOOL) });
    const one = await client('2025-11-25');
    const { params } = initialize(NEWEST);
    const result = await one.raw.result('initialize', params);
    expect(result).toMatchObject({ protocolVersion: NEWEST_LEGACY, serverInfo: {} });
    for (const field of ['resultType', 'supportedVersions', 'ttlMs', 'cacheScope', '_meta']) {
      expect(result).not.toHaveProperty(field);
    }
  });

  it('B02: do not mix: discovery names the versions that have one', async () => {
    const { client } = await gateway({ up: scripted(ONE_TOOL) });
    const { supportedVersions } = await (await client(NEWEST)).result('server/discover');
    expect(supportedVersions).toEqual([NEWEST]);
  });

  it('B02: are told apart by the version that is declared, not by there being a _meta', async () => {
    const { client } = await gateway({ up: scripted(ONE_TOOL) });
    const legacy = await client('2025-11-25');
    const answer = await legacy.request('tools/list', { _meta: { 'example.test/key': 1 } });
    expect(Object.keys(answer.result ?? {})).toEqual(['tools']);
  });

  it('B02: do not leak: a legacy version in _meta is no version of a modern request', async () => {
    const { client } = await gateway({ up: scripted(ONE_TOOL) });
    const legacy = await client('2025-11-25');
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2025-11-25',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { error } = await legacy.request('tools/list', { _meta });
    expect(error).toMatchObject({ code: -32022, data: { supported: [NEWEST] } });
  });
});

describe('the probe of a legacy upstream', () => {
  it.each<[string, Script['probe']]>([
    ['answered with -32602', { code: -32602, message: 'initialize first' }],
    ['answered with -32600', { code: -32600, message: 'Missing session ID' }],
    ['answered with -32603', { code: -32603, message: 'oops' }],
    ['answered with a draft number', { code: -32004, message: 'Unsupported protocol version' }],
    ['left without an answer', 'silent'],
    ['the end of its process', 'exit'],
  ])('B03: that is %s ends in the handshake', async (_how, probe) => {
    const { client, diagnostics } = await gateway(
      { up: scripted({ ...ONE_TOOL, probe }) },
      { patience: { probeTimeout: 100 } },
    );
    const newest = await client(NEWEST);
    expect(await newest.text('up_now')).toBe('ok');
    expect(diagnostics.count('upstream-down')).toBe(0);
  });

  it.each([
    [400, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'x' } })],
    [400, ''],
    [404, 'Not found'],
    [405, ''],
    [500, 'Internal Server Error'],
    [200, '<html></html>'],
    [202, ''],
  ])('B03: that is answered with HTTP %d %s ends in the handshake', async (status, body) => {
    const upstream = await recordingServer(({ body: sent }, reply) => {
      const frame = JSON.parse(String(sent) || '{}') as { id?: number; method?: string };
      if (frame.method === 'server/discover') {
        const type = body.startsWith('{') ? 'application/json' : 'text/plain';
        return reply.code(status).header('content-type', type).send(body);
      }
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'u', version: '1' },
      };
      if (frame.method !== 'initialize') return reply.code(202).send();
      return reply.send({ jsonrpc: '2.0', id: frame.id, result });
    });
    const { backends, client } = await gateway({
      up: { kind: 'http', url: `${upstream.url}/mcp`, headers: { 'mcp-Protocol-VERSION': '1' } },
    });
    expect(backends['up']?.info?.name).toBe('u');
    expect(await (await client('2025-06-18')).names()).toEqual([]);
    const versions = upstream.requests.map(({ headers }) => headers['mcp-protocol-version']);
    const [probe, handshake, ...rest] = versions;
    expect(probe).toBe(NEWEST);
    expect(handshake).toBeUndefined();
    // Exactly what was agreed to, from the first notification on.
    expect(new Set(rest)).toEqual(new Set(['2025-06-18']));
  });
});

describe('the version header to an upstream', () => {
  it.each([
    ['2024-11-05', undefined],
    ['2025-03-26', undefined],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
  ])('B29: is that of its answer, if %s has one, in all that follows', async (agreed, header) => {
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: { name: 'u', version: '1' },
      },
      'tools/list': { tools: [{ name: 'now', inputSchema: { type: 'object' } }] },
      'tools/call': OK,
    };
    const upstream = await recordingServer(({ body }, reply) => {
      const { id, method = '' } = JSON.parse(String(body) || '{}') as {
        id?: number;
        method?: string;
      };
      const result = results[method];
      if (result === undefined) return reply.code(method.startsWith('notif') ? 202 : 405).send();
      void reply.header('mcp-session-id', 'one');
      return reply.send({ jsonrpc: '2.0', id, result });
    });
    const headers = { 'MCP-Protocol-Version': '1', 'mcp-protocol-VERSION': '2', 'X-Own': 'kept' };
    const { client, backends } = await gateway({
      up: { kind: 'http', url: `${upstream.url}/mcp`, headers },
    });
    expect(await (await client(NEWEST_LEGACY)).text('up_now')).toBe('ok');
    await backends['up']?.close();
    const seen = upstream.requests.map(({ method, body, headers: sent }) => {
      const frame = JSON.parse(String(body) || '{}') as { method?: string };
      return [frame.method ?? method, sent['mcp-protocol-version']];
    });
    const before = seen.findIndex(([what]) => what === 'initialize');
    expect(seen[before]?.[1]).toBeUndefined();
    const after = seen.slice(before + 1);
    expect(after.map(([what]) => what).sort()).toEqual(
      ['DELETE', 'GET', 'notifications/initialized', 'tools/call', 'tools/list'].sort(),
    );
    expect(new Set(after.map(([, version]) => version))).toEqual(new Set([header]));
    expect(new Set(upstream.requests.map((one) => one.headers['x-own']))).toEqual(
      new Set(['kept']),
    );
  });
});

describe('the probe of a modern upstream', () => {
  it.each([
    [-32020, 'headers'],
    [-32021, 'capabilities'],
    [-32022, 'versions'],
  ])('B03: that is refused with %i is no reason for a handshake', async (code, message) => {
    const upstream = await recordingServer(({ body }, reply) => {
      const { id } = JSON.parse(String(body)) as { id: number };
      const data = code === -32022 ? { supported: ['2099-01-01'], requested: NEWEST } : {};
      return reply.code(400).send({ jsonrpc: '2.0', id, error: { code, message, data } });
    });
    const { backends } = await gateway({
      up: { kind: 'http', url: `${upstream.url}/mcp`, headers: {} },
    });
    expect(backends['up']?.status).toMatchObject({ state: 'down' });
    expect(backends['up']?.status.lastError?.message).toContain(`${code}: ${message}`);
    const asked = upstream.requests.map(
      ({ body }) => (JSON.parse(String(body)) as { method: string }).method,
    );
    expect(asked).toEqual(['server/discover']);
  });
});

describe('an upstream that does not serve the version of the probe', () => {
  const versions = (supported: string[]) => ({
    error: { code: -32022, message: 'no', data: { supported, requested: NEWEST } },
  });

  it('is asked again in the one that it offers', async () => {
    let probes = 0;
    const upstream = await recordingServer(({ body }, reply) => {
      const { id, method } = JSON.parse(String(body)) as { id: number; method: string };
      if (method === 'server/discover' && ++probes === 1) {
        return reply.code(400).send({ jsonrpc: '2.0', id, ...versions(['1999-01-01', NEWEST]) });
      }
      const envelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      const result = { ...envelope, supportedVersions: [NEWEST], capabilities: {} };
      return reply.send({ jsonrpc: '2.0', id, result });
    });
    const up = { kind: 'http', url: `${upstream.url}/mcp`, headers: {} } as const;
    const { backends } = await gateway({ up });
    expect(backends['up']?.status).toEqual({ state: 'up', revision: NEWEST });
    expect(probes).toBe(2);
  });

  it.each(LEGACY)('gets a handshake where it offers %s alone', async (revision) => {
    const { error } = versions([revision]);
    const { client } = await gateway({ up: scripted({ ...ONE_TOOL, revision, probe: error }) });
    expect(await (await client(NEWEST)).text('up_now')).toBe('ok');
  });
});

describe('draft error numbers', () => {
  it.each([
    [-32001, -32020, {}],
    [-32003, -32021, { requiredCapabilities: { sampling: {} } }],
    [-32004, -32022, { supported: [NEWEST], requested: '2099-01-01' }],
  ])('B06: such as %i are told by validate, with %i that was released', async (code, now, data) => {
    const error = { code, message: 'as the draft had it', data };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, error });
    const findings = await validateText(text, { revision: NEWEST, strict: false });
    expect(JSON.stringify(findings)).toContain(String(now));
  });
});

describe('a legacy upstream that ends at the probe', () => {
  async function counting() {
    const folder = await mkdtemp(join(tmpdir(), 'mcpx-probe-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const starts = join(folder, 'starts');
    const results = { ...ONE_TOOL.results, 'tools/call crash': { $exit: 3 } };
    const pages = toolsPage({ name: 'now' }, { name: 'crash' });
    const target = scripted({ pages, results, probe: 'exit', starts });
    return { target, count: async () => (await readFile(starts, 'utf8')).length };
  }

  it('B04: is started once more, for the handshake, and that is no crash', async () => {
    const { target, count } = await counting();
    const { client, diagnostics, backends } = await gateway({ up: target });
    expect(await count()).toBe(2);
    expect(diagnostics.count('upstream-down')).toBe(0);
    expect(backends['up']?.status).toEqual({ state: 'up', revision: NEWEST_LEGACY });
    expect(await (await client('2025-06-18')).text('up_now')).toBe('ok');
  });

  it('B04: is not probed again where it is started anew', async () => {
    const { target, count } = await counting();
    const { client, diagnostics } = await gateway({ up: target });
    const one = await client(NEWEST);
    expect((await one.request('tools/call', { name: 'up_crash' })).error).toBeDefined();
    // Its first crash: it is started at once, and not after a pause.
    expect(await one.text('up_now')).toBe('ok');
    expect(await count()).toBe(3);
    expect(diagnostics.count('upstream-down')).toBe(0);
  });
});

const pairs = ALL_REVISIONS.flatMap((client) =>
  ALL_REVISIONS.map((upstream): [Revision, Revision] => [client, upstream]),
);

describe('a client of %s', () => {
  it.each(pairs)(
    'B07: %s lists and calls the tools of an upstream of %s',
    async (peer, revision) => {
      const { client } = await gateway({ up: scripted({ ...ONE_TOOL, revision }) });
      const one = await client(peer);
      expect(await one.names()).toEqual(['up_now']);
      expect(await one.text('up_now')).toBe('ok');
    },
  );
});
