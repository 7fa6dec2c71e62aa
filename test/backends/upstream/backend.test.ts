import { describe, expect, it } from 'vitest';
import type { CompleteRequestParams } from '../../../generated/newest/types.js';
import { NEWEST } from '../../../generated/revisions.js';
import type { UpstreamTarget } from '../../../src/backends/upstream/options.js';
import { RpcError } from '../../../src/protocol/errors.js';
import { call, overHttp, overStdio, textOf, upstream } from '../../support/upstream.js';
import '../../support/strict.js';

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', NEWEST];

const ways: [string, () => UpstreamTarget | Promise<UpstreamTarget>][] = [
  ...REVISIONS.map((r): [string, () => UpstreamTarget] => [`${r} on stdio`, () => overStdio(r)]),
  ['2025-03-26 over HTTP', () => overHttp('2025-03-26')],
  ['2025-11-25 over HTTP', () => overHttp('2025-11-25')],
  ['2025-11-25 over HTTP, with JSON answers', () => overHttp('2025-11-25', 'json')],
  [`${NEWEST} over HTTP`, () => overHttp(NEWEST)],
  [`${NEWEST} over HTTP, with JSON answers`, () => overHttp(NEWEST, 'json')],
];

describe.each(ways)('an upstream of %s', (name, target) => {
  const modern = name.startsWith(NEWEST);
  const open = async () => {
    const opened = upstream(await target());
    await opened.backend.start();
    return opened;
  };

  it('is listed whole, every page of it', async () => {
    const { backend } = await open();
    expect(backend.tools()).toHaveLength(22);
    expect(backend.tools()[0]).toMatchObject({ name: 'content', title: 'Tool content' });
    expect(backend.resources()).toHaveLength(2);
    expect(backend.resourceTemplates()).toHaveLength(1);
    expect(backend.prompts()).toHaveLength(1);
    expect(backend.instructions).toBe('Call content.');
    expect(backend.info?.name).toBe('fixture');
  });

  it('answers calls with results that carry nothing of its envelope', async () => {
    const { backend } = await open();
    const result = await backend.callTool('give_array', {}, call());
    expect(result).toEqual({
      content: [{ type: 'text', text: '["x","y"]' }],
      structuredContent: ['x', 'y'],
      _meta: { 'example.test/key': { nested: ['value', 1] } },
    });
    const prompt = await backend.getPrompt('every', { who: 'Ann' }, call());
    expect(prompt.messages).toHaveLength(7);
    const read = await backend.readResource('fixture://item/7', call());
    expect(read).toEqual({ contents: [{ uri: 'fixture://item/7', text: 'item 7' }] });
    const ref = { type: 'ref/prompt', name: 'every' } as const;
    const params = { ref, argument: { name: 'who', value: '' } } as CompleteRequestParams;
    const completed = await backend.complete(params, call());
    expect(completed.completion.values).toEqual(['one', 'two']);
  });

  it('fails with the errors that it gave', async () => {
    const { backend } = await open();
    await expect(backend.callTool('refuse', {}, call())).rejects.toMatchObject({
      kind: 'relayed',
      relayedCode: -31234,
      message: 'Not today',
      data: { because: 'it is Sunday' },
    });
    await expect(backend.callTool('nobody', {}, call())).rejects.toMatchObject({
      kind: 'invalidParams',
    });
    await expect(backend.readResource('fixture://none', call())).rejects.toMatchObject({
      kind: 'resourceNotFound',
    });
    await expect(backend.readResource('fixture://broken', call())).rejects.toMatchObject({
      kind: 'internal',
    });
  });

  it('fails where its answer is no result of the method', async () => {
    const { backend, diagnostics } = await open();
    await expect(backend.callTool('odd', {}, call())).rejects.toThrow(
      /^Upstream "fixture" answered tools\/call with an invalid result: \/content /,
    );
    expect(diagnostics.count('upstream-result-invalid')).toBe(1);
  });

  it('sends progress to whom it belongs, and only if it is wanted', async () => {
    const { backend } = await open();
    const [one, two, silent] = [call({ progress: true }), call({ progress: true }), call()];
    await Promise.all([
      backend.callTool('progress', {}, one),
      backend.callTool('progress', {}, two),
    ]);
    expect(textOf(await backend.callTool('progress', {}, silent))).toBe('no token');
    for (const { updates } of [one, two]) {
      expect(updates.map(({ progress, total, message }) => [progress, total, message])).toEqual([
        [1, 3, 'step 1'],
        [2, 3, 'step 2'],
        [3, 3, 'step 3'],
      ]);
    }
    expect(silent.updates).toEqual([]);
  });

  it('is told what the client wants to have logged, and its trace', async () => {
    const { backend } = await open();
    const asking = call({ meta: { traceparent: '00-1-2-01' }, peer: { logLevel: 'warning' } });
    const { meta, levels } = JSON.parse(textOf(await backend.callTool('talk', {}, asking))) as {
      meta: Record<string, unknown>;
      levels: string[];
    };
    expect(meta['traceparent']).toBe('00-1-2-01');
    expect(modern ? meta['io.modelcontextprotocol/logLevel'] : levels[0]).toBe('warning');
    expect(asking.logged).toContainEqual({
      level: 'error',
      data: { careful: true },
      logger: 'fixture',
    });
  });

  it('is told of a call that nobody waits for any more', async () => {
    const { backend } = await open();
    const impatient = call();
    const answer = backend.callTool('slow', {}, impatient);
    const refused = expect(answer).rejects.toThrow('the client cancelled');
    await backend.callTool('talk', {}, call());
    impatient.cancel();
    await refused;
    await expect
      .poll(async () => JSON.parse(textOf(await backend.callTool('cancelled', {}, call()))) as [])
      .toHaveLength(1);
  });

  it('is given up on when it takes too long', async () => {
    const { backend } = upstream(await target(), { callTimeout: 300 });
    await backend.start();
    await expect(backend.callTool('slow', {}, call())).rejects.toThrow(
      'Upstream "fixture" has not answered tools/call within 300 ms',
    );
  });

  it('is listed again when its list has changed', async () => {
    const { backend, event } = await open();
    await expect
      .poll(async () => {
        await backend.callTool('grow', {}, call());
        return backend.tools().length;
      })
      .toBeGreaterThan(22);
    await event(({ kind }) => kind === 'listChanged');
  });

  it('tells of resources that are subscribed to', async () => {
    const { backend, events } = await open();
    backend.subscribe('fixture://text');
    await expect
      .poll(async () => {
        await backend.callTool('touch', {}, call());
        return events;
      })
      .toContainEqual({ kind: 'resourceUpdated', uri: 'fixture://text' });
    backend.unsubscribe('fixture://text');
    if (modern) return;
    await expect
      .poll(async () => textOf(await backend.callTool('seen', {}, call())))
      .toContain('"subscribed":[]');
  });

  it.skipIf(modern)('gets an answer to whatever it asks', async () => {
    const { backend } = await open();
    expect(JSON.parse(textOf(await backend.callTool('ask', {}, call())))).toEqual([
      { jsonrpc: '2.0', id: 'q1', result: {} },
      {
        jsonrpc: '2.0',
        id: 'q2',
        error: { code: -32601, message: 'The client has to declare: roots' },
      },
    ]);
  });
});

describe('an upstream that is a process', () => {
  it('may write what is no message, and goes on', async () => {
    const { backend, diagnostics } = upstream(overStdio('2025-11-25'));
    await backend.start();
    expect(textOf(await backend.callTool('nonsense', {}, call()))).toBe('still here');
    expect(diagnostics.count('upstream-line-not-json')).toBe(2);
  });

  it.each(['exits', 'silent', 'refuses'])(
    'may be a legacy one that %s on the probe',
    async (how) => {
      const { backend } = upstream(overStdio('2025-06-18', how), { probeTimeout: 200 });
      await backend.start();
      expect(backend.tools()).toHaveLength(22);
    },
  );

  it('fails its calls by name when it crashes, and is there again for the next one', async () => {
    const { backend } = upstream(overStdio('2025-11-25'));
    await backend.start();
    const waiting = backend.callTool('slow', {}, call());
    const told = expect(waiting).rejects.toThrow(
      /^Upstream "fixture" went away before it answered: .* exited with code 7$/,
    );
    await expect(backend.callTool('crash', {}, call())).rejects.toBeInstanceOf(RpcError);
    await told;
    expect(backend.tools()).toHaveLength(22);
    expect(await backend.callTool('give_number', {}, call())).toMatchObject({
      structuredContent: 1.5,
    });
  });

  it.each(['2024-11-05', '2025-11-25', NEWEST])(
    'B47: is subscribed to again after a crash, at %s',
    async (revision) => {
      const { backend, events } = upstream(overStdio(revision));
      await backend.start();
      backend.subscribe('fixture://text');
      await backend.callTool('crash', {}, call()).catch(() => undefined);
      // Heard of after the crash: nothing was said before it.
      await expect
        .poll(async () => {
          await backend.callTool('touch', {}, call());
          return events;
        })
        .toContainEqual({ kind: 'resourceUpdated', uri: 'fixture://text' });
    },
  );

  it('that cannot be started says so at the start and at every call', async () => {
    const command = '/nowhere/at/all';
    const { backend } = upstream({ kind: 'stdio', command, args: [], env: {} });
    await expect(backend.start()).rejects.toThrow(`cannot start ${command}`);
    await expect(backend.callTool('x', {}, call())).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringContaining(`cannot start ${command}`) as string,
    });
  });

  it('is not waited for any longer than its start may take', async () => {
    const args = ['-e', 'process.stdin.resume()'];
    const target = { kind: 'stdio', command: process.execPath, args, env: {} } as const;
    const { backend } = upstream(target, { startTimeout: 300, probeTimeout: 50 });
    await expect(backend.start()).rejects.toThrow('is not up after 300 ms');
  });
});

describe('an upstream behind HTTP', () => {
  it('B29: is asked in the revision that was agreed, whatever headers are configured', async () => {
    const target = await overHttp('2025-06-18');
    const { backend } = upstream(target);
    await backend.start();
    await backend.callTool('content', {}, call());
    const seen = (await (await fetch(new URL('/seen', target.url))).json()) as {
      method: string;
      version?: string;
      session?: string;
    }[];
    const inSession = seen.filter(({ session }) => session !== undefined);
    expect(inSession.length).toBeGreaterThan(4);
    expect(new Set(inSession.map(({ version }) => version))).toEqual(new Set(['2025-06-18']));
  });

  it('that has forgotten the session gets a new one, and the call with it', async () => {
    const target = await overHttp('2025-11-25');
    const { backend } = upstream(target);
    await backend.start();
    await fetch(new URL('/forget', target.url));
    expect(textOf(await backend.callTool('give_string', {}, call()))).toBe('"text"');
  });

  it('may cut a stream, which is then taken up where it was', async () => {
    const { backend } = upstream(await overHttp('2025-11-25', 'cut'));
    await backend.start();
    const patient = call({ progress: true });
    expect(textOf(await backend.callTool('progress', {}, patient))).toBe('done');
    expect(patient.updates).toHaveLength(3);
  });

  it('gets annotated arguments as headers in the modern era', async () => {
    const { backend } = upstream(await overHttp(NEWEST));
    await backend.start();
    const args = { region: 'Zürich', level: 3 };
    const { headers } = JSON.parse(textOf(await backend.callTool('where', args, call()))) as {
      headers: Record<string, string>;
    };
    expect(headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'where',
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-param-level': '3',
    });
  });

  it('that is not there says so', async () => {
    const { backend } = upstream({ kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} });
    await expect(backend.start()).rejects.toThrow('ECONNREFUSED');
  });
});
