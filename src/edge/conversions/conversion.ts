import type { Revision } from '../../../generated/revisions.js';
import type { ResultContext } from '../contract.js';

/**
 * Rewrites one value that cannot be said by leaving fields out. Gets the newest shape, gives what the
 * projection goes on with; gives the value itself back, not a copy, where nothing has to change, and
 * never edits it. A value that is malformed passes: reporting it is the outgoing check's business.
 * `context` is there for results only.
 */
export type Conversion = (
  value: unknown,
  context: ResultContext | undefined,
  revision: Revision,
) => unknown;
