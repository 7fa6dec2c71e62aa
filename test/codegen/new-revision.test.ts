/**
 * The drill of docs/new-revision.md: a revision that does not exist is taken into a copy of the
 * repository, decided about, and served beside the others.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWEST } from '../../generated/revisions.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NEXT = '2027-03-15';
const copy = mkdtempSync(join(tmpdir(), 'mcpx-next-'));

const COPIED = [
  'codegen',
  'generated',
  'schemas',
  'src',
  'test',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
];

beforeAll(() => {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
});

afterAll(() => {
  rmSync(copy, { recursive: true });
});

function run(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: copy, maxBuffer: 1 << 26 };
    execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

const tsx = (...args: string[]) => run('--import', 'tsx', ...args);
const vendor = (...args: string[]) => tsx('codegen/vendor/main.ts', ...args);
const codegen = (...args: string[]) => tsx('codegen/main.ts', ...args);

/** Every kind of change there is, on top of the newest revision. */
const CHANGES: readonly (readonly [string, string])[] = [
  [`'${NEWEST}'`, `'${NEXT}'`],
  // A field added to results.
  ['  resultType: ResultType;\n', '  resultType: ResultType;\n  notice?: string;\n'],
  // A content block added.
  [
    'export type ContentBlock =\n',
    "export interface VideoContent {\n  type: 'video';\n  data: string;\n  mimeType: string;\n  annotations?: Annotations;\n  _meta?: MetaObject;\n}\n\nexport type ContentBlock =\n  VideoContent | ",
  ],
  // A method renamed, another one removed.
  ["'prompts/get'", "'prompts/render'"],
  ['InputRequest = ListRootsRequest | ', 'InputRequest = '],
  // A field made required, a constant changed, an enum narrowed.
  [
    "interface ModelHint {\n  /** Any part of a model's name. */\n  name?",
    'interface ModelHint {\n  name',
  ],
  ['HEADER_MISMATCH = -32020', 'HEADER_MISMATCH = -32030'],
  ["mode?: 'auto' | 'required' | 'none'", "mode?: 'auto' | 'required'"],
];

function nextSchema(): string {
  return edited(join(ROOT, 'schemas', NEWEST, 'schema.ts'), CHANGES);
}

function edited(file: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      return text.replace(from, to);
    },
    readFileSync(file, 'utf8'),
  );
}

function edit(path: string, ...changes: (readonly [string, string])[]): void {
  writeFileSync(join(copy, path), edited(join(copy, path), changes));
}

const listed = () =>
  JSON.parse(readFileSync(join(copy, 'schemas/revisions.json'), 'utf8')) as {
    revisions: { revision: string; source?: string }[];
  };

test('a file that cannot be read is refused with the place and the construct', async () => {
  const file = join(copy, 'broken.ts');
  writeFileSync(file, 'export interface A { b: keyof Other }\n');
  const refused = await vendor(NEXT, '--from', file);
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/broken\.ts:1:\d+: .*keyof Other/);
  writeFileSync(file, 'export interface A {');
  expect((await vendor(NEXT, '--from', file)).output).toMatch(/broken\.ts:1:\d+: '}' expected/);
  writeFileSync(file, "export const LATEST_PROTOCOL_VERSION = '2027-01-01';\n");
  expect((await vendor(NEXT, '--from', file)).output).toContain(
    `broken.ts says LATEST_PROTOCOL_VERSION = "2027-01-01", expected "${NEXT}"`,
  );
  expect((await vendor('next', '--from', file)).output).toContain('"next" is no revision');
  expect((await vendor(NEXT)).output).toContain('usage: npm run vendor');
  expect(listed().revisions.map(({ revision }) => revision)).not.toContain(NEXT);
});

test('a revision is taken in from where it is published', async () => {
  const server = createServer((_request, response) => response.end(nextSchema()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const from = `http://127.0.0.1:${port}/schema.ts`;
  const taken = await vendor(NEXT, '--from', from, '--title', 'A drill');
  server.close();
  expect(taken).toMatchObject({ code: 0 });
  expect(listed().revisions.at(-1)).toMatchObject({
    revision: NEXT,
    era: 'modern',
    title: 'A drill',
    source: from,
    digest: { algorithm: 'sha256', of: 'schema.ts' },
  });
});

test('codegen lists what has to be decided, and what else to read, and nothing beside', async () => {
  const { code, output } = await codegen();
  expect(code).toBe(1);
  const owed = [...output.matchAll(/^ {2}- \[ \] (.*?): /gm)].map((match) => match[1] ?? '');
  const others = owed.filter((line) => !/^field [\w/]+\.notice$/.test(line));
  expect(others).toEqual(['member ContentBlock/VideoContent', 'method prompts/render']);
  expect(owed).toContain('field CallToolResult.notice');
  const toRead = output.slice(output.indexOf('Also read')).split('\n').slice(1).join('\n');
  const found = [...toRead.matchAll(/^ {2}- (.*?)(?: \(.*)?$/gm)].map((match) => match[1]);
  expect(found).toEqual([
    'method prompts/get is gone',
    'method roots/list is gone',
    'constant HEADER_MISMATCH: -32020 → -32030',
    'hints[].name is required',
    'toolChoice.mode: "auto" | "none" | "required" → "auto" | "required"',
  ]);
});

test('with the decisions given, every revision is served, the new one and those before', async () => {
  edit('codegen/decisions/table.ts', [
    'export const DECISIONS: readonly Decision[] = [\n',
    `export const DECISIONS: readonly Decision[] = [
  { kind: 'field', at: ['*.notice'], outcome: 'drop', reason: 'For display.' },
  {
    kind: 'member',
    at: ['ContentBlock/VideoContent'],
    outcome: { convert: 'videoAsText', on: 'ContentBlock' },
    reason: 'A text block says what it was.',
  },
  { kind: 'method', at: ['prompts/render'], outcome: 'never sent', reason: 'They have prompts/get.' },
`,
  ]);
  writeFileSync(
    join(copy, 'src/edge/conversions/video-as-text.ts'),
    `import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

export const videoAsText: Conversion = (block) =>
  isObject(block) && block['type'] === 'video' ? { type: 'text', text: '[video]' } : block;
`,
  );
  edit(
    'src/edge/conversions/index.ts',
    [
      'export const CONVERSIONS',
      "import { videoAsText } from './video-as-text.js';\n\nexport const CONVERSIONS",
    ],
    ['  toolTitleToAnnotations,\n', '  toolTitleToAnnotations,\n  videoAsText,\n'],
  );
  // The name that a method goes by now.
  edit('src/server/methods/prompts.ts', [
    'export const prompts: MethodFamily = {',
    `const rendered: MethodFamily[string] = {
  needs: 'prompts',
  handle: (...args) => prompts['prompts/get']!.handle(...args),
};

export const prompts: MethodFamily = {
  'prompts/render': rendered,`,
  ]);

  expect(await codegen()).toMatchObject({ code: 0 });
  expect(
    await run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmit'),
  ).toEqual({
    code: 0,
    output: '',
  });
  const matrix = await run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=verbose',
    'test/e2e/matrix.test.ts',
  );
  expect(matrix.code, matrix.output).toBe(0);
  expect(matrix.output).toContain(`a '${NEXT}' client over 'HTTP'`);
}, 180_000);

test('src names no revision', () => {
  const dates: string[] = [];
  for (const entry of readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const visit = (node: ts.Node): void => {
      const text = ts.isStringLiteralLike(node) ? node.text : '';
      // A date that stands in an example for a person is no list of revisions.
      if (/^\d{4}-\d{2}-\d{2}$/.test(text)) dates.push(`${path}: ${text}`);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
  }
  expect(dates).toEqual([]);
});
