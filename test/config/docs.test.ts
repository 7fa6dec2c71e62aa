import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADAPTER, API, SERVER, type Schema } from '../../src/config/json-schema.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const copy = await mkdtemp(join(tmpdir(), 'mcpx-config-docs-'));

beforeAll(async () => {
  // A copy, for the tests spoil it.
  const rooms = ['package.json', 'scripts/config-docs', 'src/config', 'src/protocol', 'docs'];
  for (const name of rooms) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
});

afterAll(() => rm(copy, { recursive: true }));

function configDocs(folder: string, ...flags: string[]): Promise<{ code: number; stderr: string }> {
  const command = ['--import', 'tsx', join(folder, 'scripts/config-docs/main.ts'), ...flags];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: folder }, (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

test('what docs/ says of the configuration is current', async () => {
  expect(await configDocs(ROOT, '--check')).toEqual({ code: 0, stderr: '' });
});

test('what is not current is named, and made so again', async () => {
  const path = join(copy, 'docs/configuration.md');
  const current = await readFile(path, 'utf8');
  await writeFile(path, current.replace('8MiB', '9MiB'));
  await rm(join(copy, 'docs/config.schema.json'));
  const { code, stderr } = await configDocs(copy, '--check');
  expect(code).toBe(1);
  expect(stderr).toContain('docs/configuration.md is not current');
  expect(stderr).toContain('docs/config.schema.json is not current');
  await configDocs(copy);
  expect(await readFile(path, 'utf8')).toBe(current);
  expect(await configDocs(copy, '--check')).toEqual({ code: 0, stderr: '' });
});

test.each(Object.entries({ SERVER, API, ADAPTER }))('every key of %s is described', (_, schema) => {
  const keys = Object.entries(schema['properties'] as Readonly<Record<string, Schema>>);
  const silent = keys.filter(([, { description }]) => typeof description !== 'string');
  expect(silent).toEqual([]);
});
