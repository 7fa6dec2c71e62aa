/** Files that are no configuration at all, and addresses and headers that no request can have. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseConfig, readConfigFile } from '../../src/config/file.js';

const parsed = (text: string) => parseConfig(text, 'c.json', {});
const one = (entry: object) =>
  parsed(JSON.stringify({ mcpServers: { one: entry } })).servers[0]?.target;

async function file(bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-bytes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'mcp.json');
  await writeFile(path, bytes);
  return path;
}

describe('a file that is not UTF-8', () => {
  it('is refused by the name of its encoding, or by the line', async () => {
    const utf16 = await file(Buffer.from('\uFEFF{"mcpServers":{}}', 'utf16le'));
    await expect(readConfigFile(utf16, {})).rejects.toThrow('mcp.json: is UTF-16; UTF-8 is');
    const latin = await file(Buffer.from('{\n"mcpServers":{\n"caf\xe9":{}}}', 'latin1'));
    await expect(readConfigFile(latin, {})).rejects.toThrow('mcp.json:3: is not UTF-8');
  });
});

describe('a file that nests', () => {
  const nested = (levels: number) =>
    `{"adapters":{"a":{"t":{"command":"x","inputSchema":\n${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}}}}}`;

  it('deeper than any configuration does is refused, with the place', () => {
    for (const levels of [300, 100_000]) {
      expect(() => parsed(nested(levels))).toThrow('c.json:2:1373: nests deeper than 200 levels');
    }
    expect(() => parsed('['.repeat(100_000))).toThrow('c.json:1:201: nests deeper than 200');
  });

  it('as deep as a schema may is read', () => {
    expect(parsed(nested(64)).adapters).toHaveLength(1);
  });
});

it('mistakes in tens of thousands of lines are told in a time that grows with their number', () => {
  const lines = (count: number) =>
    `{"mcpServers":{${Array.from({ length: count }, (_, at) => `\n"s${at}":{"command":1}`).join()}}}`;
  const timed = (count: number): number => {
    const text = lines(count);
    const since = performance.now();
    expect(() => parsed(text)).toThrow(`c.json:${count + 1}:`);
    return performance.now() - since;
  };
  timed(1_000);
  const few = Math.min(timed(4_000), timed(4_000), timed(4_000));
  expect(Math.min(timed(32_000), timed(32_000))).toBeLessThan(few * 24);
});

describe('the address of a server', () => {
  it('has its user name and password sent as a header, and not kept in the address', () => {
    expect(one({ url: 'https://ann:p%40ss@example.test/mcp?a=b' })).toEqual({
      kind: 'http',
      url: 'https://example.test/mcp?a=b',
      headers: { authorization: `Basic ${Buffer.from('ann:p@ss').toString('base64')}` },
    });
    expect(() => one({ url: 'https://ann:50%@example.test/mcp' })).toThrow(
      '/mcpServers/one/url: has a "%" in its user name or password, which is written as "%25"',
    );
  });
});

describe('a header of a server', () => {
  it.each([
    ['bad name', 'x', 'is no name that an HTTP header can have'],
    ['Content-Length', '5', 'is set by mcpx itself, for each request'],
    ['Authorization', 'Bearer secret\n', 'has a character that no HTTP header can have'],
    ['X-Name', 'žluť', 'has a character that no HTTP header can have'],
  ])('%j with %j is a mistake at its key', (name, value, what) => {
    const wrong = () => one({ url: 'https://example.test/mcp', headers: { [name]: value } });
    expect(wrong).toThrow(`/mcpServers/one/headers/${name}: ${what}`);
    expect(wrong).not.toThrow('secret');
  });
});
