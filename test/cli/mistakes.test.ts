import { expect, it, onTestFinished } from 'vitest';
import { McpxProcess, configFile, fixtureServer } from '../support/mcpx-process.js';

const WRONG = `{
  // A name that no object of JavaScript can have, and two mistakes more.
  "mcpServers": { "__proto__": { "command": "x" }, "a": { "command": 1 } },
  "transport": { "maxBody": "0" }
}`;

async function run(command: string, text: string, ...flags: string[]) {
  const file = await configFile(text);
  onTestFinished(() => file.remove());
  const mcpx = new McpxProcess([command, '--config', file.path, ...flags]);
  const { code } = await mcpx.ended;
  const said = (mcpx.stdout + mcpx.stderr).replaceAll(file.path, 'c.json').trimEnd().split('\n');
  return { said, code };
}

it.each(['serve', 'check'])('mcpx %s tells of all mistakes of a configuration', async (command) => {
  const { said, code } = await run(command, WRONG);
  expect(said).toEqual([
    'mcpx: c.json:3:19: /mcpServers/__proto__: nothing in a configuration can have this name',
    'mcpx: c.json:3:59: /mcpServers/a/command: 1 is not a text',
    'mcpx: c.json:4:18: /transport/maxBody: "0" is not a size such as 512KiB or 8MiB, or a number of bytes, at least 1KiB',
  ]);
  expect(code).toBe(1);
});

it.each(['serve', 'check'])('mcpx %s says in words what is no JSON', async (command) => {
  const { said, code } = await run(command, '{\n  "mcpServers": \n}');
  expect(said).toEqual([
    'mcpx: c.json:3:1: is not JSON in /mcpServers: a value is expected, and "}" is there',
  ]);
  expect(code).toBe(1);
});

it('mcpx check warns of a server that is there twice, and says so by its exit code', async () => {
  const server = JSON.stringify(fixtureServer('2025-06-18'));
  const { said, code } = await run('check', `{"mcpServers":{"a":{"command":"x"},\n"a":${server}}}`);
  expect(said[0]).toBe(
    'c.json:2:1: /mcpServers/a: is there again, and takes the place of the first',
  );
  expect(said.join('\n')).toContain('a: up');
  expect(code).toBe(2);
});

it('mcpx serve tells of all flags that are wrong', async () => {
  const flags = ['--transport-max-body', '0', '--mcp-name-length', '1'];
  const { said } = await run('serve', '{}', ...flags);
  expect(said.map((line) => line.slice(0, 40))).toEqual([
    'mcpx: --transport-max-body: "0" is not a',
    'mcpx: --mcp-name-length: "1" is not a wh',
  ]);
});
