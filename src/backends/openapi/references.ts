/** `$ref` within the document. Whatever points elsewhere is broken: nothing else is ever fetched. */
import { isObject } from '../../protocol/jsonrpc.js';
import type { JsonObject } from './document.js';
import { plainStep } from '../../protocol/pointer.js';

export class BrokenReference extends Error {
  override readonly name = 'BrokenReference';
}

export class References {
  constructor(private readonly root: JsonObject) {}

  /** What a `$ref` names. Throws `BrokenReference`. */
  target(ref: string): unknown {
    if (!ref.startsWith('#')) {
      throw new BrokenReference(`${ref} points out of the document, and is not fetched`);
    }
    if (ref !== '#' && !ref.startsWith('#/')) {
      throw new BrokenReference(`${ref} is no JSON pointer`);
    }
    let value: unknown = this.root;
    for (const token of tokensOf(ref)) {
      const holder = value;
      const found =
        (isObject(holder) || Array.isArray(holder)) && Object.hasOwn(holder, token)
          ? (holder as JsonObject)[token]
          : undefined;
      if (found === undefined) throw new BrokenReference(`${ref} points at nothing`);
      value = found;
    }
    return value;
  }

  /** The object itself, behind all references. Throws `BrokenReference`, also where there is no object. */
  resolve(value: unknown): JsonObject {
    const seen = new Set<string>();
    let current = value;
    while (isObject(current) && typeof current['$ref'] === 'string') {
      const ref = current['$ref'];
      if (seen.has(ref)) throw new BrokenReference(`${ref} refers to itself without end`);
      seen.add(ref);
      current = this.target(ref);
    }
    if (!isObject(current)) throw new BrokenReference(`there is no object, but ${typeof current}`);
    return current;
  }
}

/** `#/a~1b/c%20d` → `a/b`, `c d` */
export function tokensOf(ref: string): string[] {
  return ref
    .split('/')
    .slice(1)
    .map((token) => plainStep(percentDecoded(token)));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
