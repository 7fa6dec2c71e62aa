/**
 * The part of `npm run build` that is not tsc's: what the compiler does not carry over from generated/
 * (validators, reports, schemas as data), and the executable bit of the command.
 */
import { chmodSync, cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** tsc writes what stands for these itself. */
const isSource = (path) => path.endsWith('.ts') && !path.endsWith('.d.ts');

cpSync(join(root, 'generated'), join(root, 'dist/generated'), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || !isSource(path),
});
for (const command of Object.values(bin)) chmodSync(join(root, command), 0o755);
