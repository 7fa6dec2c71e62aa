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
    ['[]', 'c.json:1:1: [] is not an object'],
    [{ mcpServers: [] }, '/mcpServers: [] is not an object'],
    [{ mcpServers: { a: 'x' } }, '/mcpServers/a: "x" is not an object'],
    [{ mcpServers: { a: {} } }, '/mcpServers/a: needs a command (a process) or a url (HTTP)'],
    [
      { mcpServers: { a: { command: 'x', url: 'http://y' } } },
      '/mcpServers/a: has both command and url; one is accepted',
    ],
    [{ mcpServers: { a: { command: ['x'] } } }, '/mcpServers/a/command: ["x"] is not a text'],
    [
      { mcpServers: { a: { command: 'x', args: 'y' } } },
      '/mcpServers/a/args: "y" is not an array of texts',
    ],
    [
      { mcpServers: { a: { command: 'x', env: { N: 1 } } } },
      '/mcpServers/a/env/N: 1 is not a text',
    ],
    [
      { mcpServers: { a: { url: 'ftp://x' } } },
      '/mcpServers/a/url: "ftp://x" is not an http or https URL',
    ],
    [
      { mcpServers: { a: { command: '${NONE}' } } },
      '/mcpServers/a/command: the environment variable NONE is not set',
    ],
    [
      { mcpServers: { 'a b': { command: 'x' }, 'a-b': { command: 'y' } } },
      '/mcpServers/a-b: the name "a-b" has to be made of letters, digits, "_", "-" and "." that no other server has',
    ],
    [
      { transport: { maxBody: -1 } },
      '/transport/maxBody: -1 is not a size such as 512KiB or 8MiB, or a number of bytes',
    ],
  ])('is refused where it says %j', (config, message) => {
    expect(() => parsed(config)).toThrow(message);
  });

  it.each([
    ['{ "a": 1', ['c.json:1:9: is not JSON in /a: "}" is expected, and the file ends']],
    ['{\n  "a" 1 }', ['c.json:2:7: is not JSON in /a: ":" is expected, and "1" is there']],
    ['', ['c.json:1:1: is not JSON: a value is expected, and the file ends']],
    [
      '\uFEFF{\n "mcp": { "pageSize": 1 "nameLength": 128 },\n "pool": \'5s\' }',
      [
        'c.json:2:25: is not JSON in /mcp/nameLength: "," is expected, and "\\"nameLength\\"" is there',
        'c.json:3:10: is not JSON in /pool: a value is expected',
      ],
    ],
  ])('says of text that is no JSON where, and what is expected: %j', (text, lines) => {
    const starts = linesOf(text).map((line, at) => line.slice(0, lines[at]?.length));
    expect(starts).toEqual(lines);
  });

  it('tells of all mistakes at once, each with its line and column', () => {
    const text = `{
  "mcpServers": {
    "__proto__": { "command": "x" },
    "one": { "command": 3, "args": ["\${GONE}", 4], "maxMessage": "0" },
    "two": { "url": "ftp://x", "disabled": "no" }
  },
  "openapi": { "pets": { "document": "a", "baseurl": "b", "timeout": "soon" }, "v1": [] },
  "adapters": { "local": { "run": { "command": "x", "args": [{}] }, "ask": {} } },
  "mcp": { "nameLength": 1 }, "transport": { "maxBody": "0", "maxbody": 1 }
}`;
    const starts = linesOf(text).map((line) => line.split(' ').slice(0, 3).join(' '));
    expect(starts).toEqual([
      'c.json:3:5: /mcpServers/__proto__: nothing',
      'c.json:4:14: /mcpServers/one/command: 3',
      'c.json:4:37: /mcpServers/one/args/0: the',
      'c.json:4:48: /mcpServers/one/args/1: 4',
      'c.json:4:52: /mcpServers/one/maxMessage: "0"',
      'c.json:5:32: /mcpServers/two/disabled: "no"',
      'c.json:5:14: /mcpServers/two/url: "ftp://x"',
      'c.json:7:43: /openapi/pets/baseurl: unknown',
      'c.json:7:59: /openapi/pets/timeout: "soon"',
      'c.json:7:80: /openapi/v1: []',
      'c.json:8:62: /adapters/local/run/args/0: {}',
      'c.json:8:69: /adapters/local/ask: needs',
      'c.json:9:12: /mcp/nameLength: 1',
      'c.json:9:46: /transport/maxBody: "0"',
      'c.json:9:62: /transport/maxbody: unknown',
    ]);
  });

  it('warns of what it has twice, of which the last one counts', () => {
    const { servers, warnings } = parsed(`{
      "mcpServers": { "a": { "command": "x" },
        "a": { "command": "y", "env": {}, "env": { "K": "v" } } },
      "servers": {}
    }`);
    expect(servers).toEqual([
      { namespace: 'a', target: { kind: 'stdio', command: 'y', args: [], env: { K: 'v' } } },
    ]);
    expect(warnings).toEqual([
      'c.json:3:9: /mcpServers/a: is there again, and takes the place of the first',
      'c.json:3:43: /mcpServers/a/env: is there again, and takes the place of the first',
      '/servers is passed over, for there is /mcpServers',
    ]);
  });
});

function linesOf(text: string): string[] {
  try {
    parsed(text);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  throw new Error('there is no mistake');
}

describe('the configuration as a whole', () => {
  it('takes the strongest source of each setting: file, environment, flags', async () => {
    const file = await configFile({
      transport: { maxBody: 1024, sseKeepAlive: 1, stdioDrain: 1 },
    });
    const env = { MCPX_TRANSPORT_SSE_KEEP_ALIVE: '2', MCPX_TRANSPORT_STDIO_DRAIN: '2' };
    const flags = { 'transport.stdioDrain': 3 };
    const { settings } = await loadConfig({ file: file.path, env, flags });
    await file.remove();
    expect(settings).toEqual({
      ...DEFAULTS,
      'transport.maxBody': 1024,
      'transport.sseKeepAlive': 2,
      'transport.stdioDrain': 3,
    });
  });

  it('tells of the mistakes of all sources at once', async () => {
    const file = await configFile({ mcp: { pageSize: 0 } });
    const env = { MCPX_MCP_NAME_LENGTH: '3', MCPX_POOL_SIZE: '1' };
    const loading = loadConfig({ file: file.path, env, flags: {} });
    await expect(loading).rejects.toThrow(
      /config\.json:1:9: \/mcp\/pageSize: 0 .*\nMCPX_MCP_NAME_LENGTH: "3" .*\nMCPX_POOL_SIZE: there is no/,
    );
    await file.remove();
  });

  it('names a file that cannot be read', async () => {
    const loading = loadConfig({ file: '/nowhere.json', env: {}, flags: {} });
    await expect(loading).rejects.toThrow(/^\/nowhere\.json: cannot be read: ENOENT/);
  });
});
