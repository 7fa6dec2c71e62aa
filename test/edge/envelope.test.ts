import { describe, expect, test } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
  SERVER_INFO_KEY,
  withRequestEnvelope,
  withResultEnvelope,
} from '../../src/edge/envelope.js';
import { deepFreeze } from '../support/freeze.js';

const serverInfo = { name: 'mcpx', version: '1' };

describe('a result for a modern peer', () => {
  test('says of which type it is and who answered, beside what its _meta holds already', () => {
    const result = deepFreeze({ content: [], _meta: { mine: 1, [SERVER_INFO_KEY]: 'upstream' } });
    expect(withResultEnvelope(result, 'complete', false, { serverInfo })).toEqual({
      resultType: 'complete',
      content: [],
      _meta: { mine: 1, [SERVER_INFO_KEY]: serverInfo },
    });
  });

  test('carries the hints it is given, its own before none, and none is the narrowest', () => {
    const hints = (result: object, context: object): unknown => {
      const full = { serverInfo, ...context };
      const { ttlMs, cacheScope } = withResultEnvelope(result, 'complete', true, full) as {
        ttlMs: unknown;
        cacheScope: unknown;
      };
      return [ttlMs, cacheScope];
    };
    expect(hints({}, {})).toEqual([0, 'private']);
    expect(hints({ ttlMs: 5, cacheScope: 'public' }, {})).toEqual([5, 'public']);
    expect(hints({ ttlMs: 5, cacheScope: 'public' }, { ttlMs: 0, cacheScope: 'private' })).toEqual([
      0,
      'private',
    ]);
  });
});

describe('a request to a modern upstream', () => {
  test('brings along what a handshake would have settled', () => {
    const envelope = {
      protocolVersion: NEWEST,
      clientCapabilities: { roots: {} },
      clientInfo: serverInfo,
      logLevel: 'warning',
    } as const;
    const params = deepFreeze({
      name: 'echo',
      _meta: { progressToken: 7, [LOG_LEVEL_KEY]: 'debug' },
    });
    expect(withRequestEnvelope(params, envelope)).toEqual({
      name: 'echo',
      _meta: {
        progressToken: 7,
        [PROTOCOL_VERSION_KEY]: NEWEST,
        [CLIENT_CAPABILITIES_KEY]: { roots: {} },
        [CLIENT_INFO_KEY]: serverInfo,
        [LOG_LEVEL_KEY]: 'warning',
      },
    });
  });

  test('has params even where it would have none', () => {
    expect(
      withRequestEnvelope(undefined, { protocolVersion: NEWEST, clientCapabilities: {} }),
    ).toEqual({
      _meta: { [PROTOCOL_VERSION_KEY]: NEWEST, [CLIENT_CAPABILITIES_KEY]: {} },
    });
  });
});
