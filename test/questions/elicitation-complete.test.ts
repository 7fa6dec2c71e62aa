import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BackendEvent } from '../../src/backends/backend.js';
import { LocalBackend } from '../../src/backends/local/backend.js';
import type { Core } from '../../src/server/contract.js';
import { createCore } from '../../src/server/core.js';
import { StdioClient } from '../support/stdio-client.js';
import '../support/strict.js';

/** Says, as an upstream of 2025-11-25 does, that what a user was sent elsewhere for is done. */
class Elsewhere extends LocalBackend {
  tell: (event: BackendEvent) => void = () => undefined;

  override onEvent(listener: (event: BackendEvent) => void): void {
    this.tell = listener;
    super.onEvent(listener);
  }
}

let backend: Elsewhere;
let core: Core;
let client: StdioClient;
const others: StdioClient[] = [];

beforeEach(async () => {
  backend = new Elsewhere('elsewhere');
  backend.addTool({ name: 'login' }, async (_args, ctx) => {
    const params = { mode: 'url' as const, message: 'Log in', url: 'https://example.com/login' };
    const { action } = await ctx.elicit({ ...params, ...{ elicitationId: 'e1' } });
    return action;
  });
  core = createCore({ info: { name: 'm', version: '1' }, mounts: [{ backend, names: 'own' }] });
  await core.start();
  client = new StdioClient(core);
});

afterEach(async () => {
  for (const one of [client, ...others.splice(0)]) await one.end();
  await core.close(0);
});

test('the end of a url elicitation is told to the client that was asked, once, and to no other', async () => {
  await client.initialize('2025-11-25', { elicitation: { url: {} } });
  const other = new StdioClient(core);
  others.push(other);
  await other.initialize('2025-11-25', { elicitation: { url: {} } });
  const call = client.result('tools/call', { name: 'login' });
  const question = await client.frame((frame) => frame.method === 'elicitation/create');
  expect(question.params).toMatchObject({ elicitationId: 'e1' });
  client.send({ jsonrpc: '2.0', id: question.id, result: { action: 'accept' } });
  expect(await call).toMatchObject({ content: [{ text: 'accept' }] });

  for (const elicitationId of ['e1', 'e1', 'made up']) {
    backend.tell({ kind: 'elicitationComplete', elicitationId });
  }
  await client.result('ping');
  await other.result('ping');
  const told = (one: StdioClient) =>
    one.received.filter((frame) => frame.method === 'notifications/elicitation/complete');
  expect(told(client)).toMatchObject([{ params: { elicitationId: 'e1' } }]);
  expect(told(other)).toEqual([]);
});
