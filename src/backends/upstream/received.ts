/**
 * What an upstream sent, checked before anything relies on it: as the newest shape, whatever the
 * upstream's revision, for that is what the rest of mcpx takes it for. Unknown fields pass.
 */
import { RECEIVED } from '../../../generated/validators.js';
import { NEWEST } from '../../../generated/revisions.js';
import { faultsOf } from '../../edge/faults.js';
import { plainNumbers } from '../../protocol/json.js';

/** What is wrong with a result of the method, in words; undefined if nothing is. */
export function resultFault(method: string, result: object): string | undefined {
  const validate = RECEIVED[NEWEST].results[method];
  if (validate === undefined) return undefined;
  const plain = plainNumbers(result);
  // Most have what they need as they are, and to copy one takes as long as to validate it.
  return validate(plain) ? undefined : faultOf(validate, { ...ENVELOPE, ...plain });
}

/** The same for a whole notification. */
export function notificationFault(frame: { method: string }): string | undefined {
  const validate = RECEIVED[NEWEST].notifications[frame.method];
  return validate === undefined ? undefined : faultOf(validate, plainNumbers(frame));
}

/** Without these no modern result is valid, and no legacy result has them. */
const ENVELOPE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

function faultOf(
  validate: (typeof RECEIVED)[typeof NEWEST]['error'],
  value: unknown,
): string | undefined {
  if (validate(value)) return undefined;
  const [fault] = faultsOf(validate.errors ?? []);
  return fault === undefined ? 'is not valid' : `${fault.pointer || '/'} ${fault.message}`;
}
