/**
 * `npm run codegen`: schemas/ → generated/.
 *
 *   --check        writes nothing; fails and names every file that is not current
 *   --from <dir>   reads <dir>/<source>/schema.ts instead of ours, e.g. the official files
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generate } from './generate.js';
import { readSources } from './sources.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    from: { type: 'string' },
    /** Where `generated/` is compared or written; the repository, unless a test says otherwise. */
    out: { type: 'string', default: ROOT },
  },
});

try {
  const files = await generate(readSources(ROOT, values.from));
  const stale = staleFiles(files, values.out);
  if (values.check) {
    if (stale.length > 0) {
      console.error(
        [
          'generated/ is not current. Run `npm run codegen` and commit what it writes:',
          ...stale.map(({ path, why }) => `  ${path}: ${why}`),
        ].join('\n'),
      );
      process.exitCode = 1;
    } else {
      console.log(`generated/ is current (${files.size} files)`);
    }
  } else {
    for (const { path, why } of stale) {
      const text = files.get(path);
      if (text === undefined) rmSync(join(values.out, path));
      else write(join(values.out, path), text);
      console.log(`${path}: ${why}`);
    }
    console.log(`${files.size} files, ${stale.length} written or removed`);
  }
} catch (error) {
  // What is wrong with a schema or a decision is for the maintainer to read; a stack trace is not.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function staleFiles(
  files: ReadonlyMap<string, string>,
  out: string,
): { path: string; why: string }[] {
  const stale = [...files]
    .map(([path, text]) => {
      const file = join(out, path);
      if (!existsSync(file)) return { path, why: 'missing' };
      return { path, why: readFileSync(file, 'utf8') === text ? '' : 'differs' };
    })
    .filter(({ why }) => why !== '');
  const folder = join(out, 'generated');
  if (!existsSync(folder)) return stale;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(out, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (entry.isFile() && !files.has(path)) stale.push({ path, why: 'nothing generates it' });
  }
  return stale;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
