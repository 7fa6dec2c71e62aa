import { describe, expect, it } from 'vitest';
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

function initialize(protocolVersion: string): object {
  const clientInfo = { name: 'c', version: '0' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

describe('a handshake', () => {
  it.each(['2031-01-01', NEWEST, 'nonsense'])(
    'for %s is answered with the newest legacy revision, whatever its header says',
    async (version) => {
      const { client } = await serveHttp();
      // What names a later revision in the header is of the modern era, where there is no handshake.
      const header = version === 'nonsense' ? {} : { 'mcp-protocol-version': '2025-06-18' };
      const answer = await client.post(initialize(version), header);
      expect(answer.status).toBe(200);
      expect((await answer.message()).result).toMatchObject({ protocolVersion: NEWEST_LEGACY });
    },
  );

  it.each(LEGACY)('for %s is answered with exactly that', async (version) => {
    const { client } = await serveHttp();
    const answer = await client.post(initialize(version));
    expect((await answer.message()).result).toMatchObject({ protocolVersion: version });
  });

  it('leaves the header for later: an unknown one is refused in the session only', async () => {
    const { client } = await serveHttp();
    const session = await client.session('2025-06-18');
    const headers = { ...session, 'mcp-protocol-version': '2020-01-01' };
    expect((await client.post(client.request('tools/list'), headers)).status).toBe(400);
  });
});

describe('the eras', () => {
  it('are told apart by the version that is declared, not by there being a _meta', async () => {
    const { client } = await gateway({ up: scripted(ONE_TOOL) });
    const legacy = await client('2025-11-25');
    const answer = await legacy.request('tools/list', { _meta: { 'example.test/key': 1 } });
    expect(Object.keys(answer.result ?? {})).toEqual(['tools']);
  });

  it('do not leak: a legacy version in _meta is no version of a modern request', async () => {
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
  ])('that is %s ends in the handshake', async (_how, probe) => {
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
  ])('that is answered with HTTP %d %s ends in the handshake', async (status, body) => {
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

describe('draft error numbers', () => {
  it('are named by validate, with the ones that were released', async () => {
    const error = {
      code: -32004,
      message: 'Unsupported protocol version',
      data: { supported: [NEWEST], requested: '2099-01-01' },
    };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, error });
    const findings = await validateText(text, { revision: NEWEST, strict: false });
    expect(JSON.stringify(findings)).toContain('-32022');
  });
});

const pairs = ALL_REVISIONS.flatMap((client) =>
  ALL_REVISIONS.map((upstream): [Revision, Revision] => [client, upstream]),
);

describe('a client of %s', () => {
  it.each(pairs)('%s lists and calls the tools of an upstream of %s', async (peer, revision) => {
    const { client } = await gateway({ up: scripted({ ...ONE_TOOL, revision }) });
    const one = await client(peer);
    expect(await one.names()).toEqual(['up_now']);
    expect(await one.text('up_now')).toBe('ok');
  });
});
