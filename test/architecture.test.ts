/** Who may import whom: the rooms in order, no circles, and codegen apart from all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each room may import itself and those below it. Rooms on one line know nothing of each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['src/cli'],
  ['src/index.ts'],
  ['src/create-server.ts'],
  ['src/config'],
  ['src/transport'],
  ['src/operations'],
  ['src/server'],
  ['src/tasks'],
  ['src/questions'],
  ['src/store'],
  ['src/backends', 'src/subscriptions'],
  ['src/audit'],
  ['src/edge'],
  ['src/protocol'],
  ['generated'],
];

/** As docs/architecture.md lists them, so that a reader sees what is held to. */
const DOCUMENTED = /^\| `((?:src|generated)[^`]*?)\/?` /gm;

interface Import {
  readonly from: string;
  readonly to: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Imports of other files of the repository; types, re-exports and `import()` among them. */
function importsOf(from: string): Import[] {
  const source = ts.createSourceFile(
    from,
    readFileSync(join(ROOT, from), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    if (!specifier.text.startsWith('.')) return;
    const target = relative(ROOT, resolve(ROOT, dirname(from), specifier.text));
    found.push({ from, to: target.split(sep).join('/').replace(/\.js$/, '.ts') });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0]);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isIn = (path: string, room: string): boolean => path === room || path.startsWith(`${room}/`);

function roomOf(path: string): { room: string; floor: number } | undefined {
  for (const [floor, rooms] of FLOORS.entries()) {
    const room = rooms.find((candidate) => isIn(path, candidate));
    if (room !== undefined) return { room, floor };
  }
  return undefined;
}

/** Whether an import stays in its room, or goes down to one that is below it. */
function goesDown({ from, to }: Import): boolean {
  const [start, end] = [roomOf(from), roomOf(to)];
  if (start === undefined || end === undefined) return false;
  return start.room === end.room || start.floor < end.floor;
}

const print = ({ from, to }: Import): string => `${from} imports ${to}`;

function circleIn(imports: readonly Import[]): string[] | undefined {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of targets.get(file) ?? []) {
      const circle = walk(target, [...path, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const circle = walk(file, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const ofSrc = filesBelow('src').flatMap(importsOf);
const ofCodegen = filesBelow('codegen').flatMap(importsOf);

describe('the imports of src', () => {
  it('are read at all', () => {
    expect(ofSrc.map(print)).toContain('src/transport/stdio.ts imports src/server/contract.ts');
    expect(ofSrc.map(print)).toContain('src/edge/outgoing.ts imports src/edge/check.ts');
  });

  it('come from files that belong to a room', () => {
    expect(filesBelow('src').filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('go down, never up', () => {
    expect(ofSrc.filter((one) => !goesDown(one)).map(print)).toEqual([]);
  });
});

describe('the imports of codegen', () => {
  it('stay in codegen', () => {
    expect(ofCodegen.filter(({ to }) => !isIn(to, 'codegen')).map(print)).toEqual([]);
  });
});

describe.each([
  ['src', ofSrc],
  ['codegen', ofCodegen],
])('%s', (_name, imports) => {
  it('has no circle of imports', () => {
    expect(circleIn(imports)).toBeUndefined();
  });
});

describe('a circle', () => {
  const of = (...edges: [string, string][]): Import[] => edges.map(([from, to]) => ({ from, to }));

  it('is found wherever it is entered', () => {
    expect(circleIn(of(['a', 'b'], ['b', 'c'], ['c', 'b']))).toEqual(['b', 'c', 'b']);
  });

  it('is not seen in two ways to one file', () => {
    expect(circleIn(of(['a', 'b'], ['a', 'c'], ['b', 'd'], ['c', 'd']))).toBeUndefined();
  });
});

it('the page on the architecture lists every room once, from the top down', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect([...page.matchAll(DOCUMENTED)].map(([, room]) => room)).toEqual(FLOORS.flat());
});
