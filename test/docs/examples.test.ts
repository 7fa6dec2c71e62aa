/** Every example, run as it stands, by the official client in either era. */
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  Client,
  StreamableHTTPClientTransport,
  type ClientCapabilities,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST, NEWEST_LEGACY } from '../../generated/revisions.js';
import { startChild, type Child } from '../conformance/child.js';

const EXAMPLES = new URL('../../docs/examples/', import.meta.url);
const REVISIONS = [NEWEST_LEGACY, NEWEST];

const commandOf = (name: string): string[] => [
  '--import',
  'tsx',
  fileURLToPath(new URL(name, EXAMPLES)),
];

async function connect(
  revision: string,
  transport: Transport,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const mode = revision === NEWEST ? { pin: NEWEST } : 'legacy';
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  return client;
}

interface OverStdio {
  readonly client: Client;
  /** What came from the example, in order. */
  readonly received: readonly JSONRPCMessage[];
  readonly stderr: Readable;
}

async function overStdio(
  revision: string,
  example: string,
  capabilities: ClientCapabilities = {},
): Promise<OverStdio> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: commandOf(example),
    env: { ...(process.env as Record<string, string>), MCPX_CHECK_OUTGOING: 'error' },
    stderr: 'pipe',
  });
  const stderr = (transport.stderr as Readable).setEncoding('utf8');
  const client = await connect(revision, transport, capabilities);
  const received: JSONRPCMessage[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    received.push(message);
    onmessage?.(message);
  };
  return { client, received, stderr };
}

async function overHttp(example: string): Promise<{ url: URL; child: Child }> {
  const env = { MCPX_CHECK_OUTGOING: 'error', PORT: '0' };
  const child = startChild(process.execPath, commandOf(example), { env });
  onTestFinished(() => child.stop().then(() => undefined));
  return { url: new URL(await child.printed(/listening on (http\S+)/)), child };
}

function textOf({ content }: { content: { type: string; text?: string }[] }): string | undefined {
  return content[0]?.text;
}

describe.each(REVISIONS)('a client of %s', (revision) => {
  it('writes a note and reads it again', async () => {
    const { client } = await overStdio(revision, 'notes.ts');
    const call = { name: 'write_note', arguments: { name: 'list', text: 'Buy bread.' } };
    expect((await client.callTool(call)).structuredContent).toEqual({ length: 10 });
    const { contents } = await client.readResource({ uri: 'note://list' });
    expect(contents).toMatchObject([{ text: 'Buy bread.' }]);
  });

  it('is told the time over HTTP, or which zone there is not', async () => {
    const { url, child } = await overHttp('over-http.ts');
    const client = await connect(revision, new StreamableHTTPClientTransport(url));
    const timeIn = (zone: string) => client.callTool({ name: 'time_in', arguments: { zone } });
    expect(textOf(await timeIn('Europe/Berlin'))).toMatch(/^\d\d:\d\d:\d\d$/);
    const failed = await timeIn('Europe/Atlantis');
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain('Europe/Atlantis');
    await client.close();
    expect(await child.stop()).toEqual({ code: 0, signal: null });
  });

  it('is served by a Fastify application beside its own routes', async () => {
    const { url, child } = await overHttp('in-fastify.ts');
    const client = await connect(revision, new StreamableHTTPClientTransport(url));
    const call = { name: 'in_stock', arguments: { article: 'apples' } };
    expect(textOf(await client.callTool(call))).toBe('12 apples');
    const own = await fetch(new URL('/stock', url));
    expect(await own.json()).toEqual({ apples: 12, pears: 0 });
    await client.close();
    expect(await child.stop()).toEqual({ code: 0, signal: null });
  });

  it('gets what zod makes of its arguments, and what zod finds wrong', async () => {
    const { client } = await overStdio(revision, 'with-zod.ts');
    const { tools } = await client.listTools();
    expect(tools[0]?.inputSchema).toMatchObject({
      required: ['length', 'from'],
      properties: { to: { default: 'm', description: 'Metres unless given' } },
    });
    const convert = (args: object) =>
      client.callTool({ name: 'convert', arguments: { ...args, from: 'km' } });
    const converted = await convert({ length: 2 });
    expect(converted.structuredContent).toEqual({ length: 2000, unit: 'm' });
    const refused = await convert({ length: -2 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('/length');
  });

  it('follows a long job', async () => {
    const { client, received } = await overStdio(revision, 'long-job.ts');
    // The one era asks once, the other with each request.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is what clients of that era call
    if (revision !== NEWEST) await client.setLoggingLevel('info');
    const _meta = revision === NEWEST ? { 'io.modelcontextprotocol/logLevel': 'info' } : {};
    const call = { name: 'count_primes', arguments: { below: 25_000 }, _meta };
    const result = await client.callTool(call, { onprogress: () => undefined });
    expect(textOf(result)).toBe('There are 2762 primes below 25000.');
    // As they came: the client leaves out progress that it gets at once with the result.
    const paramsOf = (method: string) =>
      received.flatMap((message) =>
        'method' in message && message.method === method ? [message.params] : [],
      );
    expect(paramsOf('notifications/progress').map((params) => params?.['progress'])).toEqual([
      10_000, 20_000, 25_000,
    ]);
    expect(paramsOf('notifications/message')).toMatchObject([
      { level: 'info', data: 'counting the primes below 25000' },
    ]);
  });

  it('stops a long job', async () => {
    const { client, stderr } = await overStdio(revision, 'long-job.ts');
    const stopped = new Promise<string>((resolve) => stderr.once('data', resolve));
    const abort = new AbortController();
    const call = client.callTool(
      { name: 'count_primes', arguments: { below: 1e15 } },
      { signal: abort.signal, onprogress: () => abort.abort() },
    );
    await expect(call).rejects.toThrow();
    expect(await stopped).toMatch(/^stopped at \d+/);
    const next = { name: 'count_primes', arguments: { below: 10 } };
    expect(textOf(await client.callTool(next))).toBe('There are 4 primes below 10.');
  });

  it('is asked before a branch is deleted', async () => {
    const { client } = await overStdio(revision, 'asking.ts', { elicitation: {} });
    let sure = false;
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { sure } };
    });
    const call = { name: 'delete_branch', arguments: { name: 'spike' } };
    expect(textOf(await client.callTool(call))).toBe('spike stays.');
    sure = true;
    expect(textOf(await client.callTool(call))).toBe('spike is gone.');
    expect(asked).toEqual(['Delete spike?', 'Delete spike?']);
    expect((await client.callTool(call)).isError).toBe(true);
  });

  it('that cannot be asked keeps its branches', async () => {
    const { client } = await overStdio(revision, 'asking.ts');
    const call = { name: 'delete_branch', arguments: { name: 'spike' } };
    await expect(client.callTool(call)).rejects.toThrow(/elicitation/);
  });

  it('has the variables of a template completed, and reads what they make', async () => {
    const { client } = await overStdio(revision, 'recipes.ts');
    const ref = { type: 'ref/resource', uri: 'recipe://{course}/{name}' } as const;
    const course = await client.complete({ ref, argument: { name: 'course', value: 's' } });
    expect(course.completion.values).toEqual(['soup']);
    const name = await client.complete({
      ref,
      argument: { name: 'name', value: 'le' },
      context: { arguments: { course: 'soup' } },
    });
    expect(name.completion.values).toEqual(['leek', 'lentil']);
    const { contents } = await client.readResource({ uri: 'recipe://soup/leek' });
    expect(contents).toMatchObject([{ text: 'Leeks, potatoes, stock.' }]);
    await expect(client.readResource({ uri: 'recipe://soup/stone' })).rejects.toThrow(/not found/);
  });
});
