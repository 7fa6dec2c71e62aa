import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const DOCS = new URL('../../docs/', import.meta.url);
const LIBRARY = readFileSync(new URL('library.md', DOCS), 'utf8');
const EXAMPLES = readdirSync(new URL('examples/', DOCS));
const sources = EXAMPLES.map((name) =>
  flat(readFileSync(new URL(`examples/${name}`, DOCS), 'utf8')),
);

/** Without indentation: a part of a program may be shown without what is around it. */
function flat(code: string): string {
  return code.replace(/^ +/gm, '');
}

describe('docs/library.md', () => {
  it('names every example, and none that is not there', () => {
    const named = [...LIBRARY.matchAll(/\(examples\/([^)]+)\)/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(EXAMPLES.sort());
  });

  it('shows code as it stands in an example', () => {
    const blocks = [...LIBRARY.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(0);
    const foreign = blocks.filter((block) => !sources.some((code) => code.includes(flat(block))));
    expect(foreign).toEqual([]);
  });
});
