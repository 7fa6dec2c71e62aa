/** The text of a configuration file as JSON, and where in the text each part of it stands. */
import { createScanner, getLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { pointerTo, shown } from './problem.js';
import type { Reading } from './reading.js';

export interface Document {
  readonly value: unknown;
  /** Line and column, from 1, of the nearest part of it that is there. */
  placeOf(pointer: string): string;
}

/** Levels of arrays and objects. What is read of a file is read level by level, on the stack. */
const MAX_DEPTH = 200;

/** What the parser has missed, by its codes. */
const EXPECTED: Readonly<Record<number, string>> = {
  1: 'a value is expected: an object, an array, a text in double quotes, a number, true, false or null',
  2: 'a number as JSON writes it is expected',
  3: 'a name in double quotes is expected',
  4: 'a value is expected',
  5: '":" is expected',
  6: '"," is expected',
  7: '"}" is expected',
  8: '"]" is expected',
  9: 'the end of the file is expected',
  10: 'no comment is expected',
  11: 'the comment is not closed: "*/" is expected',
  12: 'the text is not closed: a double quote is expected on the same line',
  13: 'a digit is expected',
  14: 'four hexadecimal digits are expected behind "\\u"',
  15: 'one of " \\ / b f n r t u is expected behind a backslash',
  16: 'no control character is expected in a text: it is written as an escape',
};

/** Undefined where it is no JSON. Mistakes name line and column already. */
export function readDocument(source: string, name: string, reading: Reading): Document | undefined {
  const text = source.replace(/^\uFEFF/, '');
  const placeAt = placesIn(text);
  const tooDeep = firstBelow(MAX_DEPTH, text);
  if (tooDeep !== undefined) {
    const what = `nests deeper than ${MAX_DEPTH} levels, more than any configuration needs`;
    reading.mistake(`${name}:${placeAt(tooDeep)}`, what);
    return undefined;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  for (const error of withoutEchoes(errors, text)) {
    const path = getLocation(text, error.offset)
      .path.map(String)
      .filter((step) => step !== '');
    const within = path.length === 0 ? '' : ` in ${pointerTo(...path)}`;
    const found = text.slice(error.offset, error.offset + Math.max(error.length, 1));
    const instead = found === '' ? 'the file ends' : `${shown(found)} is there`;
    const expected = EXPECTED[error.error] ?? 'something else is expected';
    reading.mistake(
      `${name}:${placeAt(error.offset)}`,
      `is not JSON${within}: ${expected}, and ${instead}`,
    );
  }
  if (errors.length > 0 || root === undefined) return undefined;
  const offsets = new Map([['', root.offset]]);
  const value = valueOf(root, '', (kind, pointer, offset) => {
    if (kind === 'part') {
      offsets.set(pointer, offset);
      return;
    }
    const where = `${name}:${placeAt(offset)}: ${pointer}`;
    if (kind === 'again')
      reading.warnings.push(`${where}: is there again, and takes the place of the first`);
    else reading.mistake(where, 'nothing in a configuration can have this name');
  });
  return {
    value,
    placeOf: (pointer) => {
      let known = pointer;
      while (!offsets.has(known)) known = known.slice(0, Math.max(known.lastIndexOf('/'), 0));
      return placeAt(offsets.get(known) ?? 0);
    },
  };
}

/** The tokens of the parser, of which it exports the names alone. */
const OPENS: ReadonlySet<number> = new Set([1, 3]);
const CLOSES: ReadonlySet<number> = new Set([2, 4]);
const END = 17;

/** Where the text first goes below the level. */
function firstBelow(level: number, text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (OPENS.has(token)) depth++;
    else if (CLOSES.has(token)) depth--;
    if (depth > level) return scanner.getTokenOffset();
  }
  return undefined;
}

/** What comes right behind another one is for the most part the same slip of the pen. */
function withoutEchoes(errors: readonly ParseError[], text: string): ParseError[] {
  return errors.filter(({ offset }, at) => {
    const before = errors[at - 1];
    return (
      before === undefined ||
      (offset !== before.offset && text.slice(before.offset + before.length, offset).trim() !== '')
    );
  });
}

type Found = (kind: 'part' | 'again' | 'forbidden', pointer: string, offset: number) => void;

/** The parser's own conversion takes a member `__proto__` for the prototype. */
function valueOf(node: Node, pointer: string, found: Found): unknown {
  const { type, children = [] } = node;
  if (type === 'array') {
    return children.map((child, index) => {
      const inner = `${pointer}/${index}`;
      found('part', inner, child.offset);
      return valueOf(child, inner, found);
    });
  }
  if (type !== 'object') return node.value;
  const members = new Map<string, unknown>();
  for (const { offset, children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const inner = pointer + pointerTo(name);
    if (members.has(name)) found('again', inner, offset);
    if (name === '__proto__') found('forbidden', inner, offset);
    found('part', inner, offset);
    members.set(name, valueOf(value, inner, found));
  }
  return Object.fromEntries(members);
}

function placesIn(text: string): (offset: number) => string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let line = 0;
    for (let beyond = starts.length; beyond - line > 1;) {
      const middle = (line + beyond) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return `${line + 1}:${offset - (starts[line] ?? 0) + 1}`;
  };
}
