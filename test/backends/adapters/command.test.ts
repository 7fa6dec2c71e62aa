/** A command line as a tool, with real processes. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AdaptersBackend } from '../../../src/backends/adapters/backend.js';
import type { CommandAdapter } from '../../../src/backends/adapters/options.js';
import { Diagnostics } from '../../../src/protocol/diagnostics.js';
import { RawNumber } from '../../../src/protocol/json.js';
import { clientOf } from '../../support/backend-client.js';
import '../../support/strict.js';

/** Says back, as JSON, what it was given. */
const ECHO = `
  let stdin = '';
  process.stdin.on('data', (chunk) => (stdin += chunk)).on('end', () => {
    const own = Object.keys(process.env).filter((name) => name.startsWith('MCPX_'));
    console.log(JSON.stringify({ args: process.argv.slice(1), stdin, own, env: process.env.GIVEN }));
  });`;

type Given = Partial<Omit<CommandAdapter, 'args'>> & { args?: CommandAdapter['args'] };

function backendOf({ args = [], ...more }: Given, script = ECHO): AdaptersBackend {
  return new AdaptersBackend({
    namespace: 'local',
    adapters: {
      run: {
        kind: 'command',
        command: process.execPath,
        args: ['-e', script.replaceAll('{', '{{').replaceAll('}', '}}'), '--', ...args],
        env: {},
        inputSchema: { type: 'object', properties: { a: {}, b: {}, list: { type: 'array' } } },
        ...more,
      },
    },
    diagnostics: new Diagnostics(),
  });
}

async function run(given: Given, args: object = {}, script?: string) {
  return (await clientOf(backendOf(given, script))).call('run', args);
}

async function echoed(given: Given, args: object = {}) {
  const { content, isError } = await run(given, args);
  expect(isError, content[0]?.text).toBeUndefined();
  return JSON.parse(content[0]?.text ?? '') as Record<string, unknown>;
}

describe('a command', () => {
  it('gets each argument as one word, whatever it holds', async () => {
    const evil = `$(id); "x" 'y' \`z\` | & > < * \\ \n {a} %PATH%`;
    const { args } = await echoed(
      { args: ['--a={a}', '{b}', 'fixed {{a}}'] },
      { a: evil, b: evil },
    );
    expect(args).toEqual([`--a=${evil}`, evil, 'fixed {a}']);
  });

  it('gets a list as one word an item, and what has parts as JSON', async () => {
    const { args } = await echoed({ args: ['{list}', 'x{a}'] }, { list: ['1 2', 3], a: { b: 1 } });
    expect(args).toEqual(['1 2', '3', 'x{"b":1}']);
  });

  it('loses a group whose argument is not given', async () => {
    const args = [['--limit', '{a}'], ['--all'], '{b}'];
    expect((await echoed({ args }, { a: 3 }))['args']).toEqual(['--limit', '3', '--all']);
    expect((await echoed({ args }, { b: 'x' }))['args']).toEqual(['--all', 'x']);
  });

  it('reads on its input what the adapter says', async () => {
    const { stdin } = await echoed({ stdin: 'say {a}' }, { a: 'é\n' });
    expect(stdin).toBe('say é\n');
  });

  it('has the environment the adapter adds, and none of the variables of mcpx', async () => {
    process.env['MCPX_LOG_LEVEL'] = 'info';
    expect(await echoed({ env: { GIVEN: 'yes' } })).toMatchObject({ own: [], env: 'yes' });
    delete process.env['MCPX_LOG_LEVEL'];
  });

  it('never gets a value as an option, unless the adapter has said that options are over', async () => {
    const argument = (args: CommandAdapter['args'], a: unknown) => {
      const backend = new AdaptersBackend({
        namespace: 'local',
        adapters: {
          run: {
            kind: 'command',
            command: process.execPath,
            args: ['-p', '"ran"', ...args],
            env: {},
            inputSchema: { type: 'object', properties: { a: {} } },
          },
        },
        diagnostics: new Diagnostics(),
      });
      return clientOf(backend).then((client) => client.call('run', { a }));
    };
    const refused = await argument(['{a}'], '--require=./evil.js');
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]?.text).toContain('take it for an option');
    expect((await argument(['--', '{a}'], '--version')).content[0]?.text).toBe('ran\n');
    // A number is none, however its author writes it. The command, which knows none such, says so.
    for (const number of [-1, new RawNumber('-1.0'), new RawNumber('-12345678901234567890')]) {
      const given = await argument(['{a}'], number);
      expect(given.content[0]?.text).toContain('bad option: -1');
    }
    expect((await argument(['--', '{a}'], 'nul\0')).isError).toBe(true);
  });

  it('that promises JSON gives it as structured content, and is held to it', async () => {
    const outputSchema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
    };
    const say = (text: string) => run({ outputSchema }, {}, `console.log(${JSON.stringify(text)})`);
    expect((await say('{"n":1}')).structuredContent).toEqual({ n: 1 });
    for (const text of ['{"n":"x"}', 'no JSON']) {
      const result = await say(text);
      expect(result).toMatchObject({ isError: true });
      expect(result.structuredContent).toBeUndefined();
      expect(result.content[1]?.text).toBe(`${text}\n`);
    }
  });
});

describe('a command that fails', () => {
  it('is told with its code and what it said', async () => {
    const script = `console.log('some'); console.error('out of cheese'); process.exitCode = 3`;
    const { isError, content } = await run({}, {}, script);
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(
      `${process.execPath} exited with code 3\nout of cheese\n\nsome\n`,
    );
  });

  it('because there is none is told by name', async () => {
    const { isError, content } = await run({ command: 'mcpx-no-such-command' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/^cannot start mcpx-no-such-command: .*ENOENT/);
  });

  it('to end in time is ended, with all that it has started', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      console.log(child.pid); setInterval(() => {}, 1000);`;
    const { isError, content } = await run({ timeout: 1_000 }, {}, script);
    expect(isError).toBe(true);
    // Had it not ended with its own child, which holds the output open, no answer would come.
    expect(content[0]?.text).toBe(`${process.execPath} did not end within 1000 ms`);
  });

  it('to keep short is ended', async () => {
    const script = `for (;;) require('node:fs').writeSync(1, 'x'.repeat(1000))`;
    const { content } = await run({ maxOutput: 5_000 }, {}, script);
    expect(content[0]?.text).toBe(`${process.execPath} wrote more than 5000 bytes`);
  });

  it('to read its input is no worse for it', async () => {
    const script = `process.stdin.destroy(); console.log('done')`;
    const { content } = await run({ stdin: '{a}' }, { a: 'x'.repeat(1_000_000) }, script);
    expect(content[0]?.text).toBe('done\n');
  });

  it('to end before the client cancels is ended, even where it does not want to', async () => {
    const server = createServer();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const script = `
      process.on('SIGTERM', () => {});
      require('node:net').connect(${port}, '127.0.0.1').resume();`;
    const { client } = await clientOf(backendOf({}, script));
    client.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'run' } });
    const [socket] = await connected;
    socket.on('error', () => undefined);
    const gone = once(socket, 'close');
    client.notify('notifications/cancelled', { requestId: 'c' });
    await gone;
    server.close();
  });
});

describe('an adapter that could never run', () => {
  it.each([
    [{ args: ['{c}'] }, 'run: {c} is no property of its inputSchema; there are: a, b, list'],
    [{ args: ['{a'] }, 'has a single "{"'],
    [{ stdin: 'a}' }, 'has a single "}"'],
    [{ inputSchema: { type: 'string' } }, 'type: "object"'],
  ])('is refused at once: %j', (given, message) => {
    expect(() => backendOf(given)).toThrow(message);
  });

  it('is refused for its name', () => {
    const adapter = { kind: 'command', command: 'x', args: [], env: {} } as const;
    const options = { namespace: 'local', diagnostics: new Diagnostics() };
    expect(() => new AdaptersBackend({ ...options, adapters: { 'a b': adapter } })).toThrow(
      '"a b": 1 to 64 letters',
    );
  });
});
