import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mcpx-audit-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function mcpx(args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', MAIN, ...args],
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    child.stdin?.end(input);
  });
}

function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

test('a reader that has seen enough is no failure', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, 'matrix', '--format', 'json']);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

const tools = {
  jsonrpc: '2.0',
  id: 1,
  result: { tools: [{ name: 'a', inputSchema: { type: 'object' }, icons: [] }] },
};
const judge = ['validate', '--revision', '2025-06-18', '--method', 'tools/list'];

describe('mcpx validate', () => {
  test('ends with 0 where there are warnings only, and with 2 where it is strict', async () => {
    const path = file('tools.json', tools);
    const lenient = await mcpx([...judge, path]);
    expect(lenient).toMatchObject({ code: 0, stderr: '' });
    expect(lenient.stdout).toContain('warning foreign-field at /result/tools/0/icons');
    expect(lenient.stdout).toContain('1 message: 0 errors, 1 warning\n');
    expect((await mcpx([...judge, '--strict', path])).code).toBe(2);
  });

  test('reads standard input, and prints JSON and SARIF', async () => {
    const text = JSON.stringify(tools);
    const json = await mcpx([...judge, '--format', 'json', '-'], text);
    expect(JSON.parse(json.stdout)).toMatchObject([{ findings: [{ check: 'foreign-field' }] }]);
    const sarif = await mcpx([...judge, '--format', 'sarif', '-'], text);
    expect(JSON.parse(sarif.stdout)).toMatchObject({ runs: [{ results: [{ level: 'warning' }] }] });
  });

  test('ends with 1 and a line where nothing can be checked', async () => {
    const ran = await mcpx([...judge, join(folder, 'nothing.json')]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^mcpx: .*nothing\.json: cannot be read: /);
    const typed = await mcpx(['validate', '--revision', '2025-06-18', '--as', 'Tol', '-'], '{}');
    expect(typed).toMatchObject({ code: 1, stdout: '' });
    expect(typed.stderr).toContain('2025-06-18 has no definition Tol');
  });
});

test('mcpx diff and mcpx matrix print what they are asked for', async () => {
  const diff = await mcpx([
    'diff',
    '2025-06-18',
    '2025-11-25',
    '--message',
    'tools/list',
    '--sent-by',
    'server',
    '--format',
    'json',
  ]);
  expect(JSON.parse(diff.stdout)).toMatchObject({
    from: '2025-06-18',
    messages: [{ part: 'result' }],
  });
  const matrix = await mcpx(['matrix', '--message', 'tools/list', '--format', 'md']);
  expect(matrix.stdout).toContain('| Tool.title |');
});

test('a revision or a method that is none is refused with those there are', async () => {
  const revision = await mcpx(['diff', '2025-06-18', '2025']);
  expect(revision.code).toBe(1);
  expect(revision.stderr).toContain('Expected one of 2024-11-05, 2025-03-26');
  const method = await mcpx(['matrix', '--message', 'tools']);
  expect(method.stderr).toContain(
    'such as notifications/tools/list_changed, tools/call, tools/list',
  );
});

test('mcpx downgrade explains itself, and mcpx upgrade goes the other way', async () => {
  const down = await mcpx(
    ['downgrade', '--to', '2025-06-18', '--method', 'tools/list', '--explain', '-'],
    JSON.stringify(tools),
  );
  expect(down.stdout).toContain('/result/tools/0/icons: dropped by Tool.icons. For display only');
  const up = await mcpx(
    ['upgrade', '--from', '2025-11-25', '--method', 'tools/list', '--format', 'json', '-'],
    JSON.stringify(tools),
  );
  expect(JSON.parse(up.stdout)).toMatchObject([{ frame: { result: { resultType: 'complete' } } }]);
});
