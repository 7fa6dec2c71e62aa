/** Every revision on every transport, in front of upstreams of both eras: all of it strictly valid. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { loadChecker, type Checker } from '../../src/edge/check.js';
import { describeViolation } from '../../src/edge/outgoing.js';
import { EVERYTHING, McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';
import { ALL_REVISIONS } from '../support/peers.js';
import { CheckedHttpClient, CheckedStdioClient, type CheckedClient } from './checked-client.js';
import { tour, type Tour } from './tour.js';

/** More than a double holds: what the fixture says of itself, and what it is given. */
const OWN = '9007199254740993';
const GIVEN = '12345678901234567890';

/** So that what is wrong is sent all the same, and the clients here have something to find. */
const WARN = { MCPX_CHECK_OUTGOING: 'warn' };

let check: Checker;
let config: Awaited<ReturnType<typeof configFile>>;
let overHttp: McpxProcess;
let url: string;

beforeAll(async () => {
  check = await loadChecker();
  config = await configFile({
    mcpServers: {
      everything: EVERYTHING,
      old: fixtureServer('2024-11-05'),
      legacy: fixtureServer('2025-11-25'),
      modern: fixtureServer(NEWEST),
    },
  });
  overHttp = new McpxProcess(['serve', '--config', config.path, '--http', '127.0.0.1:0'], WARN);
  url = await overHttp.printed(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
});

afterAll(async () => {
  await overHttp.stop();
  // Neither to a client nor to an upstream.
  expect(overHttp.stderr).not.toContain('outgoing ');
  await config.remove();
});

function connect(transport: 'stdio' | 'HTTP', revision: Revision): CheckedClient {
  if (transport === 'HTTP') return new CheckedHttpClient(revision, check, url);
  const mcpx = new McpxProcess(['serve', '--config', config.path], WARN);
  return new CheckedStdioClient(revision, check, mcpx);
}

const clients = ALL_REVISIONS.flatMap((revision) =>
  (['stdio', 'HTTP'] as const).map((transport) => ({ revision, transport })),
);

describe.each(clients)('a $revision client over $transport', ({ revision, transport }) => {
  let client: CheckedClient;
  let seen: Tour;

  beforeAll(async () => {
    client = connect(transport, revision);
    await client.open();
    seen = await tour(client);
  });

  afterAll(() => client.close());

  it('sees and calls everything', () => {
    const names = seen.tools.map(({ name }) => name);
    for (const namespace of ['old', 'legacy', 'modern']) {
      expect(names).toContain(`${namespace}_content`);
      expect(seen.called.get(`${namespace}_content`)?.result).toBeDefined();
    }
    expect(seen.called.get('everything_echo')?.result).toMatchObject({
      content: [{ type: 'text', text: 'Echo: text' }],
    });
    expect(seen.resources.map(({ uri }) => uri)).toContain('mcpx://modern/fixture://text');
    expect(seen.templates).not.toEqual([]);
    expect(seen.prompts.map(({ name }) => name)).toContain('legacy_every');
  });

  it('gets nothing that its revision does not define', () => {
    expect(client.violations.map(describeViolation)).toEqual([]);
  });

  it.each(['old', 'legacy', 'modern'])('gets numbers from %s as they stood', (namespace) => {
    const text = seen.texts.get(`${namespace}_big`) ?? '';
    expect(text).toContain(OWN);
    expect(text).toContain(GIVEN);
  });

  it('gets an answer to every call, and a failure only from what fails', () => {
    const failed = [...seen.called].filter(([, { error }]) => error !== undefined);
    const names = failed.map(([name]) => name.replace(/^[a-z]+_/, ''));
    expect(new Set(names)).toEqual(new Set(['refuse', 'odd']));
  });

  it('gets errors of upstreams as errors', () => {
    expect(seen.called.get('legacy_refuse')?.error).toEqual({
      code: -31234,
      message: 'Not today',
      data: { because: 'it is Sunday' },
    });
    expect(seen.called.get('modern_fail')?.result).toMatchObject({ isError: true });
  });

  it('gets the progress it asked for', () => {
    const mine = client.notifications.filter(
      ({ method, params }) =>
        method === 'notifications/progress' && params?.['progressToken'] === 'modern_progress',
    );
    expect(mine.map(({ params }) => params?.['progress'])).toEqual([1, 2, 3]);
  });
});
