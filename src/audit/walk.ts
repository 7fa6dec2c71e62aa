/** Every object of a value together with the definition that it is an instance of. */
import type { Revision } from '../../generated/revisions.js';
import { isObject } from '../protocol/jsonrpc.js';
import { locate, type Located } from './locate.js';
import { escapedStep } from '../protocol/pointer.js';

export interface Visit {
  readonly pointer: string;
  readonly object: Record<string, unknown>;
  readonly located: Located;
}

/** Objects of which the revision says nothing are passed over, and so is what is inside them. */
export function walkObjects(
  revision: Revision,
  root: string,
  value: unknown,
  visit: (found: Visit) => void,
): void {
  const walk = (at: unknown, pointer: string): void => {
    const located = locate(revision, root, value, pointer)?.own;
    if (located?.schema === undefined) return;
    if (Array.isArray(at)) {
      at.forEach((item, index) => walk(item, `${pointer}/${index}`));
    } else if (isObject(at)) {
      visit({ pointer, object: at, located });
      for (const [key, inner] of Object.entries(at)) walk(inner, `${pointer}/${escapedStep(key)}`);
    }
  };
  walk(value, '');
}
