import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../generated/methods.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import { RpcError } from '../../src/protocol/errors.js';
import type { Core } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { ALL_REVISIONS, isModern, open, paramsFor } from '../support/peers.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';

let core: Core;
let client: StdioClient;

beforeEach(() => {
  const backend = new LocalBackend('b');
  backend.addTool({ name: 'relay' }, () => {
    throw new RpcError('relayed', 'Out of paper', { tray: 2 }, -31999);
  });
  backend.addResource({ uri: 'test://secret', name: 'secret' }, () => {
    throw new Error('password is 1234');
  });
  backend.addResource({ uri: 'test://relay', name: 'relay' }, () => {
    throw new RpcError('relayed', 'Disk on fire', undefined, -31998);
  });
  backend.addPrompt({ name: 'broken' }, () => {
    throw new TypeError('password is 1234');
  });
  core = createCore({
    info: { name: 'errors', version: '1' },
    mounts: [{ backend, names: 'namespaced' }],
  });
  client = new StdioClient(core);
});

afterEach(async () => {
  await client.end();
  await core.close(0);
});

describe.each(ALL_REVISIONS)('to a client of %s', (revision) => {
  beforeEach(() => open(client, revision));

  const errorOf = async (method: string, params: object = {}): Promise<Message['error']> =>
    (await client.request(method, paramsFor(revision, params))).error;

  it.each([
    'test://secret',
    'mcpx://',
    'mcpx://b',
    'mcpx://b/',
    'mcpx:///test://secret',
    'mcpx://nobody/test://secret',
    'mcpx://b/test://nothing',
    '',
  ])('a resource that nobody has is not found, by the URI that was asked for: %j', async (uri) => {
    expect(await errorOf('resources/read', { uri })).toMatchObject({
      code: isModern(revision) ? -32602 : -32002,
      data: { uri },
    });
  });

  it('a failure of ours or of a handler says nothing of what it was', async () => {
    const errors = [
      await errorOf('resources/read', { uri: 'mcpx://b/test://secret' }),
      await errorOf('prompts/get', { name: 'b_broken' }),
    ];
    for (const error of errors) expect(error).toEqual({ code: -32603, message: 'Internal error' });
    expect(core.diagnostics.count('request-failed')).toBe(2);
  });

  it('the error of an upstream is relayed as it is', async () => {
    expect(await errorOf('tools/call', { name: 'b_relay' })).toEqual({
      code: -31999,
      message: 'Out of paper',
      data: { tray: 2 },
    });
    expect(await errorOf('resources/read', { uri: 'mcpx://b/test://relay' })).toEqual({
      code: -31998,
      message: 'Disk on fire',
    });
  });

  it.each(['', 'x', '1', Buffer.from('[]').toString('base64url'), 'WyJwcm9tcHRzIiwxLCJ4Il0'])(
    'a cursor that mcpx did not give out is refused: %j',
    async (cursor) => {
      for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
        expect(await errorOf(method, { cursor })).toMatchObject({
          code: -32602,
          data: { pointer: '/params/cursor' },
        });
      }
    },
  );

  it('no code is used but those of the table, whatever is asked', async () => {
    const bad: object[] = [
      {},
      { name: 5 },
      { name: 'x' },
      { uri: 5 },
      { uri: 'x' },
      { level: 'x' },
    ];
    const methods = new Set(ALL_REVISIONS.flatMap((one) => Object.keys(METHODS[one])));
    for (const method of [...methods, 'no/such', '', '__proto__', 'toString']) {
      if (method === 'subscriptions/listen' || method === 'initialize') continue;
      for (const params of bad) await errorOf(method, params);
    }
    client.raw('{\n');
    client.raw('{"jsonrpc":"2.0","id":1}\n');
    await client.end();
    const codes = client.received.flatMap(({ error }) => (error === undefined ? [] : [error.code]));
    const standard = [-32700, -32600, -32601, -32602, -32603];
    const allowed = new Set([...standard, ...(isModern(revision) ? [] : [-32002])]);
    expect([...new Set(codes)].filter((code) => !allowed.has(code))).toEqual([]);
    expect(codes).toContain(-32601);
    expect(codes).toContain(-32700);
  });

  it('messages hold no stack', async () => {
    await errorOf('prompts/get', { name: 'b_broken' });
    await errorOf('resources/read', { uri: 'mcpx://b/test://secret' });
    for (const { error } of client.received) expect(error?.message ?? '').not.toMatch(/\n\s+at /);
  });
});
