import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';
import { readEvents } from '../../src/backends/upstream/event-stream.js';
import { Overlong } from '../../src/backends/upstream/overlong.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { LineReader } from '../../src/protocol/line-reader.js';
import { gateway, scripted, toolsPage } from '../support/gateway.js';
import { McpxProcess, configFile } from '../support/mcpx-process.js';
import { ALL_REVISIONS } from '../support/peers.js';
import { call, overStdio, upstream } from '../support/upstream.js';
import { RawNumber, stringifyJson } from '../../src/protocol/json.js';
import '../support/strict.js';

describe('numbers', () => {
  it.each(['2024-11-05', NEWEST])(
    'B23: larger than a double pass an upstream of %s',
    async (rev) => {
      const { backend } = upstream(overStdio(rev));
      await backend.start();
      const n = new RawNumber('9007199254740993');
      const result = await backend.callTool('big', { n }, call());
      expect(stringifyJson(result.structuredContent)).toBe(
        '{"back":9007199254740993,"own":9007199254740993}',
      );
    },
  );

  it.each(ALL_REVISIONS)(
    'B23: and odd names pass the gateway to a client of %s',
    async (revision) => {
      const { client } = await gateway({ up: overStdio(NEWEST) });
      const one = await client(revision);
      let text = '';
      one.raw.output.on('data', (chunk: string) => (text += chunk));
      const params = { name: 'up_big', arguments: 'HERE', ...one.params() };
      const args = '{"n":9007199254740993,"z":1,"a":{"__proto__":{"polluted":true}}}';
      const frame = { jsonrpc: '2.0', id: 'big', method: 'tools/call', params };
      one.raw.raw(`${JSON.stringify(frame).replace('"HERE"', args)}\n`);
      await one.raw.frame(({ id }) => id === 'big');
      expect(text).toContain('9007199254740993');
      expect(text.replaceAll('\\', '')).toContain('"back":9007199254740993,"own":9007199254740993');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );
});

/** Gives its arguments back as they stood, beside numbers of its own. */
const EXACT = `
  const schema = '{"type":"object","properties":{"f":{"default":1.0,"maximum":9007199254740993}}}';
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const given = /"arguments":({.*?}),"_meta"/.exec(line) ?? /"arguments":({.*})}}/.exec(line);
    const result = {
      initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},' +
        '"serverInfo":{"name":"exact","version":"1"}}',
      'tools/list': '{"tools":[{"name":"t","inputSchema":' + schema + '}]}',
      'tools/call': '{"content":[],"structuredContent":{"id":9007199254740993,"f":1.0,' +
        '"big":1e400,"z":1,"a":2.50,"given":' + given?.[1] + '}}',
    }[method];
    if (id === undefined) return;
    const answer = result ? '"result":' + result : '"error":{"code":-32601,"message":"no"}';
    process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',' + answer + '}\\n');
  });
`;

describe('numbers as they are written', () => {
  it.each(ALL_REVISIONS)('B23: pass both ways to a client of %s', async (revision) => {
    const args = ['-e', EXACT];
    const { client } = await gateway({
      up: { kind: 'stdio', command: process.execPath, args, env: {} },
    });
    const one = await client(revision);
    let text = '';
    one.raw.output.on('data', (chunk: string) => (text += chunk));
    const given = '{"one":1,"f":1.0,"big":9007199254740993,"a":{"__proto__":{"x":2.0}}}';
    const frame = { jsonrpc: '2.0', id: 'e', method: 'tools/call' };
    const params = { name: 'up_t', arguments: 'HERE', ...one.params() };
    one.raw.raw(`${JSON.stringify({ ...frame, params }).replace('"HERE"', given)}\n`);
    await one.raw.frame(({ id }) => id === 'e');
    const back = `{"id":9007199254740993,"f":1.0,"big":1e400,"z":1,"a":2.5,"given":${given}}`;
    expect(text).toContain(JSON.stringify(back));
    if (revision >= '2025-06-18') expect(text).toContain(`"structuredContent":${back}`);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    await one.tools();
    expect(text).toContain('"f":{"default":1.0,"maximum":9007199254740993}');
  });
});

describe('an event stream', () => {
  const expectNothing = { unusable: () => expect.unreachable() };
  const frame = { jsonrpc: '2.0', id: 1, result: { t: 'é' } };
  const first = '{"jsonrpc":"2.0","id":1,';
  const second = '"result":{"t":"é"}}';
  const lines = [': ping', '', 'event: message', `data: ${first}`, `data: ${second}`, '', ''];
  const variants: Record<string, string> = {
    'CRLF at the ends of its lines': lines.join('\r\n'),
    'LF at the ends of its lines': lines.join('\n'),
    'CR at the ends of its lines': lines.join('\r'),
    'a byte order mark': `\uFEFF${lines.join('\n')}`,
    'no space behind data:': lines.join('\n').replaceAll('data: ', 'data:'),
    'an event without data first': `id: 7\r\ndata:\r\n\r\n${lines.join('\r\n')}`,
    'an event at its end that is not complete': `${lines.join('\n')}data: {"jsonrpc"`,
  };

  it.each(Object.entries(variants))(
    'B41: with %s is read, wherever it is cut',
    async (_how, text) => {
      const bytes = Buffer.from(text);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const seen: unknown[] = [];
        const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
        const overlong = new Overlong(1 << 20, 'up', expectNothing, new Diagnostics());
        const event = (data: string): void => void seen.push(JSON.parse(data));
        await readEvents(pieces(chunks), { event, overlong });
        expect(seen).toEqual([frame]);
      }
    },
  );
});

describe('the lines of an upstream', () => {
  const good = '{"jsonrpc":"2.0","id":1,"result":{"t":"日本語 — é","u":"a\u2028b"}}';
  const log =
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';
  const text = `Server ready ✓\r\n\r\n${good}\r\n${log}\n42\n\0\0\n{"a":`;

  it('B45: are the same wherever they are cut', () => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const seen: string[] = [];
      const listener = {
        line: (line: string) => void seen.push(line),
        overlong: () => expect.unreachable(),
        undecodable: () => expect.unreachable(),
      };
      const reader = new LineReader(listener, 1 << 20);
      reader.push(bytes.subarray(0, cut));
      reader.push(bytes.subarray(cut));
      expect(seen).toEqual(['Server ready ✓', good, log, '42', '\0\0']);
    }
  });

  it('B45: that are no messages are counted, and the rest goes on', async () => {
    const target = {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', NOISY],
      env: {},
    } as const;
    const { backend, diagnostics } = upstream(target);
    await backend.start();
    expect(backend.info?.name).toBe('noisy');
    expect(diagnostics.count('upstream-line-not-json')).toBeGreaterThan(0);
    expect(diagnostics.count('upstream-message-invalid')).toBeGreaterThan(0);
  });
});

describe('mcpx serve, in front of an upstream that is noisy', () => {
  it('B45: tells of it in its log, by name, and writes nothing but messages itself', async () => {
    const text = 'a\nb\r\n\u2028\u2029\0c';
    const pages = toolsPage({ name: 't' });
    const speaking = scripted({
      pages,
      results: { 'tools/call t': { content: [{ type: 'text', text }] } },
    });
    const loud = { command: process.execPath, args: ['-e', NOISY] };
    const file = await configFile({ mcpServers: { loud, plain: speaking } });
    const mcpx = new McpxProcess(['serve', '--config', file.path]);
    onTestFinished(async () => {
      await mcpx.stop();
      await file.remove();
    });
    const send = (frame: object): void =>
      mcpx.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\r\n\r\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'plain_t', arguments: {} } });
    await mcpx.printed(/"id":2[^]*\n/);
    expect(await mcpx.finish()).toEqual({ code: 0, signal: null });
    const lines = mcpx.stdout.split('\n');
    expect(lines.pop()).toBe('');
    const messages = lines.map(
      (line) => JSON.parse(line) as { jsonrpc: string; id?: number; result?: object },
    );
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.find(({ id }) => id === 2)?.result).toMatchObject({ content: [{ text }] });
    const told = mcpx.stderr.split('\n').filter((line) => line.includes('upstream-line-not-json'));
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) expect(line).toContain('loud');
  });
});

/** Greets on stdout, with a byte order mark and what is JSON but no message. */
const NOISY = `
  process.stdout.write('\\uFEFFServer ready ✓\\r\\n\\r\\n{"a":1}\\n\\0\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const answer = method === 'initialize'
      ? { result: { protocolVersion: '2025-11-25', capabilities: {},
          serverInfo: { name: 'noisy', version: '1' } } }
      : { error: { code: -32601, message: 'no' } };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\r\\n');
  });
`;

async function* pieces(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}
