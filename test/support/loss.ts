/** What a projection left out although the peer's revision could have carried it. */
import { isObject } from '../../src/protocol/jsonrpc.js';

type Path = readonly (string | number)[];

/** Changed as a whole on purpose; what is inside is for the tests of the conversions. */
const CONVERTED: Readonly<Record<string, string>> = {
  inputSchema: 'boolean schemas are spelled out',
  outputSchema: 'a root that is no object is wrapped',
  structuredContent: 'a value that is no object is wrapped',
  'io.modelcontextprotocol/serverInfo': 'mcpx says who it is itself',
};

/**
 * Pointers of what stands in `before`, not in `after`, and could stand there: putting it back, whole
 * or leaf by leaf, gives a message that `isValid` takes. A block that changed its type, and a list
 * that changed its length, are passed over: they went through a conversion.
 */
export function needlessLosses(
  before: unknown,
  after: unknown,
  isValid: (message: unknown) => boolean,
): string[] {
  const losses: string[] = [];
  compare(before, after, []);
  return losses;

  function compare(from: unknown, to: unknown, path: Path): void {
    if (from === to) return;
    if (Array.isArray(from) && Array.isArray(to)) {
      if (from.length === to.length && !wasSplit(from, to))
        from.forEach((item, at) => compare(item, to[at], [...path, at]));
    } else if (isObject(from) && isObject(to)) {
      if (from['type'] !== to['type']) return;
      for (const key of Object.keys(from)) {
        if (key in CONVERTED && key in to) continue;
        if (key in to) compare(from[key], to[key], [...path, key]);
        else missing(from[key], [...path, key]);
      }
    } else if (isValid(withValue(after, path, from))) {
      losses.push(`${pointer(path)} is ${JSON.stringify(to)}, was ${JSON.stringify(from)}`);
    }
  }

  function missing(value: unknown, path: Path): void {
    if (isValid(withValue(after, path, value))) losses.push(`${pointer(path)} is gone`);
    else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) missing(inner, [...path, key]);
    }
  }
}

/** Messages of several blocks each became one a block: which stands where now says nothing. */
function wasSplit(from: readonly unknown[], to: readonly unknown[]): boolean {
  return from.some(hasBlocks) && !to.some(hasBlocks);
}

function hasBlocks(message: unknown): boolean {
  return isObject(message) && Array.isArray(message['content']);
}

function withValue(message: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(message)) {
    return message.map((item: unknown, at) => (at === key ? withValue(item, rest, value) : item));
  }
  const object = isObject(message) ? message : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}

function pointer(path: Path): string {
  return path.map((key) => `/${key}`).join('');
}
