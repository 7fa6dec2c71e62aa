import { describe, expect, it } from 'vitest';
import { NEWEST, NEWEST_LEGACY, OLDEST } from '../../generated/revisions.js';
import type { JSONRPCRequest } from '../../src/protocol/jsonrpc.js';
import type { Peer } from '../../src/protocol/peer.js';
import { classify, legacyPeerOf, type Origin } from '../../src/server/classify.js';
import type { MirroredHeaders } from '../../src/server/contract.js';
import { HEADERLESS } from '../../src/server/era.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LEVEL = 'io.modelcontextprotocol/logLevel';

function request(meta?: object, method = 'tools/list'): JSONRPCRequest {
  return { jsonrpc: '2.0', id: 1, method, params: meta === undefined ? {} : { _meta: meta } };
}

function headers(fields: Partial<MirroredHeaders>): MirroredHeaders {
  return {
    protocolVersion: undefined,
    method: undefined,
    name: undefined,
    param: () => undefined,
    paramNames: () => [],
    ...fields,
  };
}

const modernMeta = { [VERSION]: NEWEST, [CAPABILITIES]: {} };

function peerOf(frame: JSONRPCRequest, origin: Origin = {}, session?: Peer): Peer {
  const peer = classify(frame, origin, session);
  if ('error' in peer) throw peer.error;
  return peer;
}

function kindOf(frame: JSONRPCRequest, origin: Origin = {}, session?: Peer): string {
  const refused = classify(frame, origin, session);
  return 'error' in refused ? refused.error.kind : `served as ${refused.revision}`;
}

describe('the era of a request', () => {
  it('is modern as soon as _meta names a version, whatever session there is', () => {
    const session = legacyPeerOf(OLDEST, {}, undefined, undefined);
    expect(peerOf(request(modernMeta), {}, session).revision).toBe(NEWEST);
  });

  it('is modern where only the header says so, and then malformed', () => {
    const named = { headers: headers({ protocolVersion: NEWEST }) };
    expect(kindOf(request(), named)).toBe('invalidParams');
    expect(kindOf(request(), { headers: headers({ protocolVersion: '2031-01-01' }) })).toBe(
      'invalidParams',
    );
  });

  it('is that of the handshake for a handshake, whatever its header says', () => {
    for (const protocolVersion of [NEWEST, '2031-01-01', 'banana']) {
      const shaking = { headers: headers({ protocolVersion }) };
      expect(kindOf(request(undefined, 'initialize'), shaking)).toBe(`served as ${HEADERLESS}`);
    }
    const named = { headers: headers({ protocolVersion: NEWEST }) };
    expect(kindOf(request({ [VERSION]: NEWEST }, 'initialize'), named)).toBe('invalidParams');
  });

  it('is the session it belongs to, whatever served revision the header names', () => {
    const session = legacyPeerOf(OLDEST, {}, undefined, undefined);
    expect(peerOf(request(), {}, session).revision).toBe(OLDEST);
    const named = { headers: headers({ protocolVersion: NEWEST_LEGACY }) };
    expect(peerOf(request(), named, session).revision).toBe(OLDEST);
  });

  it('is the first revision of Streamable HTTP without a header, on stdio the oldest', () => {
    expect(peerOf(request(), { headers: headers({}) }).revision).toBe(HEADERLESS);
    expect(peerOf(request(), { batched: true }).revision).toBe(HEADERLESS);
    expect(peerOf(request()).revision).toBe(OLDEST);
  });

  it('is the header where there is no session', () => {
    const named = { headers: headers({ protocolVersion: NEWEST_LEGACY }) };
    expect(peerOf(request(), named).revision).toBe(NEWEST_LEGACY);
  });

  it('is none for a legacy header that is not served', () => {
    const banana = { headers: headers({ protocolVersion: 'banana' }) };
    expect(kindOf(request(), banana)).toBe('unsupportedVersion');
    const session = legacyPeerOf(OLDEST, {}, undefined, undefined);
    expect(kindOf(request(), banana, session)).toBe('unsupportedVersion');
  });
});

describe('a modern request', () => {
  const good = headers({ protocolVersion: NEWEST, method: 'tools/list' });

  it('is served with what it declares itself', () => {
    const meta = { ...modernMeta, [CAPABILITIES]: { sampling: {} }, [LEVEL]: 'notice' };
    const peer = peerOf(request(meta), { headers: good, principal: 'ann' });
    expect(peer).toMatchObject({ capabilities: { sampling: {} }, logLevel: 'notice' });
    expect(peer.principal).toBe('ann');
    expect(peerOf(request(modernMeta)).logLevel).toBeUndefined();
  });

  it.each([
    ['a version that is no string', { [VERSION]: 5 }, {}, 'invalidParams'],
    ['no version header', modernMeta, { protocolVersion: undefined }, 'headerMismatch'],
    ['another version header', modernMeta, { protocolVersion: OLDEST }, 'headerMismatch'],
    [
      'a version nobody serves',
      { [VERSION]: 'v9' },
      { protocolVersion: 'v9' },
      'unsupportedVersion',
    ],
    ['a legacy version', { [VERSION]: OLDEST }, { protocolVersion: OLDEST }, 'unsupportedVersion'],
    ['no capabilities', { [VERSION]: NEWEST }, {}, 'invalidParams'],
    [
      'capabilities that are no object',
      { [VERSION]: NEWEST, [CAPABILITIES]: [] },
      {},
      'invalidParams',
    ],
    ['a log level nobody knows', { ...modernMeta, [LEVEL]: 'loud' }, {}, 'invalidParams'],
    ['no Mcp-Method', modernMeta, { method: undefined }, 'headerMismatch'],
    ['Mcp-Method in another case', modernMeta, { method: 'TOOLS/LIST' }, 'headerMismatch'],
  ])('is refused for %s', (_what, meta, change, kind) => {
    expect(kindOf(request(meta), { headers: { ...good, ...change } })).toBe(kind);
  });

  it('is refused inside a batch, which its revision does not have', () => {
    expect(kindOf(request(modernMeta), { batched: true })).toBe('invalidRequest');
  });

  it('names only modern revisions as supported', () => {
    const refused = classify(request({ [VERSION]: '1900-01-01' }), {}, undefined);
    expect(refused).toMatchObject({
      error: { data: { supported: [NEWEST], requested: '1900-01-01' } },
    });
  });
});

it.each(['initialize', 'subscriptions/listen'])('refuses %s as an element of a batch', (method) => {
  expect(kindOf(request(undefined, method), { batched: true })).toBe('invalidRequest');
});
