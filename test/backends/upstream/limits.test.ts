import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST, type Revision } from '../../../generated/revisions.js';
import type { HttpTarget, UpstreamTarget } from '../../../src/backends/upstream/options.js';
import { scripted, toolsPage } from '../../support/gateway.js';
import { sseServer } from '../../support/sse-server.js';
import { call, textOf, upstream, type Opened } from '../../support/upstream.js';
import '../../support/strict.js';

const LIMIT = 16 * 1024;
const TOOLS = [{ name: 'large' }, { name: 'small' }, { name: 'later' }];
const TOO_LARGE =
  'Upstream "fixture" answered tools/call with more than 16384 bytes, the limit set by ' +
  'upstream.maxMessage, or maxMessage of the server itself';

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/** Sends one text; what is too large is never ended, so that nobody can wait for its end. */
type Write = (response: ServerResponse, text: string) => void;

const asJson: Write = (response, text) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  if (text.length > LIMIT) response.write(text.slice(0, -2));
  else response.end(text);
};

const asEvent: Write = (response, text) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = `id: 1\nevent: message\ndata: ${text}`;
  if (text.length > LIMIT) response.write(event);
  else response.end(`${event}\n\n`);
};

async function httpServer(
  revision: Revision,
  write: Write,
): Promise<{ target: HttpTarget; givenUp: Promise<void> }> {
  let given = (): void => undefined;
  const givenUp = new Promise<void>((resolve) => {
    given = resolve;
  });
  const results: Record<string, (frame: Frame) => object> = {
    'server/discover': () => ({ supportedVersions: [revision], capabilities: { tools: {} } }),
    initialize: () => ({
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: { name: 'large', version: '1' },
    }),
    'tools/list': () => ({ tools: TOOLS.map((tool) => ({ ...tool, ...NO_ARGUMENTS })) }),
    'tools/call': ({ params }) => said(params?.name === 'large' ? 'x'.repeat(LIMIT) : 'ok'),
  };
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method = '', params } = JSON.parse(body) as Frame;
      const isModern = revision === NEWEST;
      if (id === undefined) return response.writeHead(202).end();
      if (method === 'server/discover' && !isModern) return response.writeHead(400).end();
      const hints = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
      const result = { ...hints, ...results[method]?.({ params }) };
      write(response, JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (params?.name === 'large') response.once('close', given);
      return undefined;
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { target: { kind: 'http', url, headers: {} }, givenUp };
}

const NO_ARGUMENTS = { inputSchema: { type: 'object' } };

function said(text: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text }] };
}

async function started(target: UpstreamTarget): Promise<Opened> {
  const opened = upstream(target, {}, { maxMessage: LIMIT });
  await opened.backend.start();
  return opened;
}

/** The large answer fails, and what was asked together with it and after it does not. */
async function expectOneToFail({ backend, diagnostics }: Opened): Promise<void> {
  const large = backend.callTool('large', {}, call());
  const small = backend.callTool('small', {}, call());
  await expect(large).rejects.toThrow(TOO_LARGE);
  expect(textOf(await small)).toBe('ok');
  expect(textOf(await backend.callTool('later', {}, call()))).toBe('ok');
  expect(backend.status.state).toBe('up');
  expect(Object.fromEntries(diagnostics.counts())).toEqual({ 'upstream-message-overlong': 1 });
}

describe('an answer of an upstream that is longer than upstream.maxMessage', () => {
  it.each<[string, Revision, Write]>([
    ['as JSON', '2025-06-18', asJson],
    ['as JSON', NEWEST, asJson],
    ['as an event', '2025-06-18', asEvent],
    ['as an event', NEWEST, asEvent],
  ])(
    'B44: %s over HTTP of %s fails its call alone, while it is still coming',
    async (_as, revision, write) => {
      const { target, givenUp } = await httpServer(revision, write);
      await expectOneToFail(await started(target));
      await givenUp;
    },
  );

  it('B44: on the one stream of 2024-11-05 fails its call alone', async () => {
    const { url } = await sseServer((server) => {
      for (const { name } of TOOLS) {
        server.registerTool(name, {}, () => said(name === 'large' ? 'x'.repeat(LIMIT) : 'ok'));
      }
    });
    await expectOneToFail(await started({ kind: 'http', url, headers: {}, sse: true }));
  });

  it.each<Revision>(['2025-06-18', NEWEST])(
    'B44: on stdio of %s fails its call alone',
    async (revision) => {
      const target = scripted({
        revision,
        pages: toolsPage(...TOOLS),
        results: {
          'tools/call large': said('x'.repeat(LIMIT)),
          'tools/call small': said('ok'),
          'tools/call later': said('ok'),
        },
      });
      await expectOneToFail(await started(target));
    },
  );
});

describe('a message of an upstream that is longer than upstream.maxMessage', () => {
  it('B44: is noted, and the call that goes on beside it is answered', async () => {
    const noise = {
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(LIMIT) },
    };
    const target = scripted({
      pages: toolsPage({ name: 'noisy' }),
      results: { 'tools/call noisy': { $before: [{ ...noise, id: 'q' }, noise], ...said('ok') } },
    });
    const { backend, diagnostics } = await started(target);
    expect(textOf(await backend.callTool('noisy', {}, call()))).toBe('ok');
    expect(diagnostics.count('upstream-message-overlong')).toBe(2);
  });
});

describe('without a limit of its own', () => {
  it('an upstream may answer with megabytes', async () => {
    const target = scripted({
      pages: toolsPage({ name: 'large' }),
      results: { 'tools/call large': { content: [{ type: 'text', text: 'x'.repeat(100_000) }] } },
    });
    const { backend } = upstream(target);
    await backend.start();
    expect(textOf(await backend.callTool('large', {}, call()))).toHaveLength(100_000);
  });
});
