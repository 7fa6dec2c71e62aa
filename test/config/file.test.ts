import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { parseConfig } from '../../src/config/file.js';
import { DEFAULTS } from '../../src/config/settings.js';
import { configFile } from '../support/mcpx-process.js';

const ENV = { TOKEN: 's3cret', HOME: '/home/ann' };
const parsed = (config: object | string) =>
  parseConfig(typeof config === 'string' ? config : JSON.stringify(config), 'c.json', ENV);
const one = (entry: object) => parsed({ mcpServers: { one: entry } }).servers[0]?.target;

describe('the configuration file', () => {
  it('is what MCP hosts write, comments and trailing commas included', () => {
    const { servers, settings, remarks } = parsed(`\uFEFF{
      // for the host
      "$schema": "x", "inputs": [],
      "mcpServers": {
        "files": { "type": "stdio", "command": "npx", "args": ["-y", "files"], "timeout": 60 },
        "web": { "type": "http", "url": "https://example.test/mcp", "alwaysAllow": [] },
        "off": { "command": "x", "disabled": true },
      },
      "transport": { "maxBody": "1MiB" },
    }`);
    expect(servers).toEqual([
      {
        namespace: 'files',
        target: { kind: 'stdio', command: 'npx', args: ['-y', 'files'], env: {} },
      },
      {
        namespace: 'web',
        target: { kind: 'http', url: 'https://example.test/mcp', headers: {} },
      },
    ]);
    expect(settings).toEqual({ 'transport.maxBody': 1024 ** 2 });
    expect(remarks).toEqual(['/mcpServers/off is disabled and left out']);
  });

  it('refers to variables of the environment', () => {
    expect(
      one({ command: '${HOME}/x', args: ['${NONE:-a b}'], env: { A: '${env:TOKEN}' } }),
    ).toEqual({ kind: 'stdio', command: '/home/ann/x', args: ['a b'], env: { A: 's3cret' } });
    expect(
      one({ url: 'https://${TOKEN}.test/', headers: { Authorization: 'Bearer ${TOKEN}' } }),
    ).toEqual({
      kind: 'http',
      url: 'https://s3cret.test/',
      headers: { Authorization: 'Bearer s3cret' },
    });
  });

  it('gives servers names that can be namespaces', () => {
    const { servers, remarks } = parsed({ mcpServers: { 'My Server': { command: 'x' } } });
    expect(servers[0]?.namespace).toBe('My-Server');
    expect(remarks).toEqual(['/mcpServers/My Server has the namespace My-Server']);
  });

  it('is told of keys of a server that nobody knows', () => {
    const { remarks } = parsed({ mcpServers: { a: { command: 'x', enviroment: {} } } });
    expect(remarks).toEqual(['/mcpServers/a: enviroment passed over']);
  });

  it.each([
    ['{ "a": 1', 'c.json:1: is not JSON: CloseBraceExpected'],
    ['{\n "a" 1 }', 'c.json:2: is not JSON: ColonExpected'],
    ['[]', 'c.json: [] is not an object'],
    [{ mcpServers: [] }, 'c.json: /mcpServers: [] is not an object'],
    [{ mcpServers: { a: 'x' } }, 'c.json: /mcpServers/a: "x" is not an object'],
    [
      { mcpServers: { a: {} } },
      'c.json: /mcpServers/a: needs a command (a process) or a url (HTTP)',
    ],
    [
      { mcpServers: { a: { command: 'x', url: 'http://y' } } },
      'c.json: /mcpServers/a: has both command and url; one is accepted',
    ],
    [
      { mcpServers: { a: { command: ['x'] } } },
      'c.json: /mcpServers/a/command: ["x"] is not a text',
    ],
    [
      { mcpServers: { a: { command: 'x', args: 'y' } } },
      'c.json: /mcpServers/a/args: "y" is not an array of texts',
    ],
    [
      { mcpServers: { a: { command: 'x', env: { N: 1 } } } },
      'c.json: /mcpServers/a/env/N: 1 is not a text',
    ],
    [
      { mcpServers: { a: { url: 'ftp://x' } } },
      'c.json: /mcpServers/a/url: "ftp://x" is not an http or https URL',
    ],
    [
      { mcpServers: { a: { command: '${NONE}' } } },
      'c.json: /mcpServers/a/command: the environment variable NONE is not set',
    ],
    [
      { mcpServers: { 'a b': { command: 'x' }, 'a-b': { command: 'y' } } },
      'c.json: /mcpServers/a-b: the name "a-b" has to be made of letters, digits, "_", "-" and "." that no other server has',
    ],
    [
      { transport: { maxBody: -1 } },
      'c.json: /transport/maxBody: -1 is not a size such as 512KiB or 8MiB, or a number of bytes',
    ],
  ])('is refused where it says %j', (config, message) => {
    expect(() => parsed(config)).toThrow(message);
  });
});

describe('the configuration as a whole', () => {
  it('takes the strongest source of each setting: file, environment, flags', async () => {
    const file = await configFile({
      transport: { maxBody: 1, sseKeepAlive: 1, stdioDrain: 1 },
    });
    const env = { MCPX_TRANSPORT_SSE_KEEP_ALIVE: '2', MCPX_TRANSPORT_STDIO_DRAIN: '2' };
    const flags = { 'transport.stdioDrain': 3 };
    const { settings } = await loadConfig({ file: file.path, env, flags });
    await file.remove();
    expect(settings).toEqual({
      ...DEFAULTS,
      'transport.maxBody': 1,
      'transport.sseKeepAlive': 2,
      'transport.stdioDrain': 3,
    });
  });

  it('names a file that cannot be read', async () => {
    const loading = loadConfig({ file: '/nowhere.json', env: {}, flags: {} });
    await expect(loading).rejects.toThrow(/^\/nowhere\.json: cannot be read: ENOENT/);
  });
});
