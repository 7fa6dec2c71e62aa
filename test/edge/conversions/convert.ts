import type { ResultContext } from '../../../src/edge/contract.js';
import { CONVERSIONS } from '../../../src/edge/conversions/index.js';
import { NEWEST_LEGACY, type Revision } from '../../../generated/revisions.js';
import { deepFreeze } from '../../support/freeze.js';

/** Runs a conversion on a frozen value: editing it in place would throw. */
export function convert(
  name: string,
  value: unknown,
  context?: Partial<ResultContext>,
  revision: Revision = NEWEST_LEGACY,
): unknown {
  const conversion = CONVERSIONS[name];
  if (conversion === undefined) throw new Error(`no conversion ${name}`);
  const full = { serverInfo: { name: 'mcpx', version: '1' }, ...context };
  return conversion(deepFreeze(value), full, revision);
}
