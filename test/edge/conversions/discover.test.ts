import { expect, test } from 'vitest';
import { NEWEST_LEGACY, OLDEST } from '../../../generated/revisions.js';
import { SERVER_INFO_KEY } from '../../../src/edge/envelope.js';
import { convert } from './convert.js';

const discovered = { supportedVersions: ['x'], capabilities: { tools: {} }, instructions: 'Ask.' };

test('a discovery reads as the answer to a handshake of the revision at hand', () => {
  for (const revision of [OLDEST, NEWEST_LEGACY]) {
    expect(convert('discoverAsInitialize', discovered, {}, revision)).toEqual({
      protocolVersion: revision,
      capabilities: { tools: {} },
      instructions: 'Ask.',
      serverInfo: { name: 'mcpx', version: '1' },
    });
  }
});

test('a discovery that names its server is believed', () => {
  const _meta = { [SERVER_INFO_KEY]: { name: 'other', version: '2' } };
  expect(convert('discoverAsInitialize', { ...discovered, _meta })).toMatchObject({
    serverInfo: { name: 'other', version: '2' },
  });
});
