/**
 * The whole table of methods, for every revision on both transports: each is sent by whoever may send
 * it, and all that is sent is strictly valid. A method that comes to the table and is not played here
 * fails.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../generated/methods.js';
import { loadChecker, type Checker } from '../../src/edge/check.js';
import { describeViolation } from '../../src/edge/outgoing.js';
import { McpxProcess } from '../support/mcpx-process.js';
import { ALL_REVISIONS, isModern } from '../support/peers.js';
import { CheckedHttpClient, CheckedStdioClient, type CheckedClient } from './checked-client.js';
import { SCENES, answers, call, capabilitiesOf } from './every-method/drive.js';

const SERVER = fileURLToPath(new URL('./every-method/server.ts', import.meta.url));

/** What a server may send and mcpx never does. */
const NEVER_SENT: Readonly<Record<string, string>> = {
  'tasks/get': 'mcpx makes no task of what it asks a client',
  'tasks/result': 'mcpx makes no task of what it asks a client',
  'tasks/list': 'mcpx makes no task of what it asks a client',
  'tasks/cancel': 'mcpx makes no task of what it asks a client',
};

let check: Checker;

beforeAll(async () => {
  check = await loadChecker();
});

const clients = ALL_REVISIONS.flatMap((revision) =>
  (['stdio', 'HTTP'] as const).map((transport) => ({ revision, transport })),
);

describe.each(clients)('between a $revision client and a server over $transport', (peer) => {
  const { revision, transport } = peer;
  const facts = Object.entries(METHODS[revision]);
  const ofClient = facts.filter(([, { senders }]) => senders.includes('client'));
  const ofServer = facts.filter(([, { senders }]) => senders.includes('server'));

  let server: McpxProcess;
  let client: CheckedClient;
  let mute = false;
  const failures = new Map<string, unknown>();

  beforeAll(async () => {
    const options = { capabilities: capabilitiesOf(revision), answers: answers(() => mute) };
    if (transport === 'HTTP') {
      server = new McpxProcess(['http'], {}, SERVER);
      client = new CheckedHttpClient(revision, check, await server.printed(/(http:.*)/), options);
    } else {
      server = new McpxProcess([], {}, SERVER);
      client = new CheckedStdioClient(revision, check, server, options);
    }
    await client.open();
    for (const [method, play] of Object.entries(SCENES)) {
      if (!ofClient.some(([name]) => name === method)) continue;
      await play(client).catch((error: unknown) => failures.set(method, error));
    }
    if (isModern(revision)) {
      // Streams are cancelled by a server that ends.
      if (transport === 'HTTP') server.child.kill('SIGTERM');
      else server.child.stdin?.end();
    } else {
      mute = true;
      const before = client.received.length;
      const asks = client.request('tools/call', { name: 'ask_in_vain' });
      await client.heard(({ method }) => method === 'sampling/createMessage', before);
      await call(client, 'withdraw');
      await asks;
    }
    await client.heard(({ method }) => method === 'notifications/cancelled');
  });

  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it.each(ofClient)('%s of the client does what it is for', (method) => {
    expect(failures.get(method)).toBeUndefined();
    expect(client.sent).toContain(method);
  });

  it.each(ofServer.filter(([method]) => !(method in NEVER_SENT)))(
    '%s of the server arrives',
    (method, { kind }) => {
      const came = client.received.map((frame) => frame.method);
      expect(kind === 'inputRequest' ? [...client.askedInside] : came).toContain(method);
    },
  );

  it('nothing else is sent, and nothing that is not strictly valid', () => {
    const sent = new Set(client.received.map(({ method }) => method));
    const expected = ofServer.filter(
      ([name, { kind }]) => kind !== 'inputRequest' && !(name in NEVER_SENT),
    );
    expect(sent).toEqual(new Set(expected.map(([name]) => name)));
    expect(client.violations.map(describeViolation)).toEqual([]);
  });
});
