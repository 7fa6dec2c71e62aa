/** Requests against the schema of the peer's revision. */
import { RECEIVED } from '../../generated/validators.js';
import type { Revision } from '../../generated/revisions.js';
import { faultsOf } from '../edge/faults.js';
import { invalidParams } from '../protocol/errors.js';
import { plainNumbers } from '../protocol/json.js';
import type { JSONRPCRequest } from '../protocol/jsonrpc.js';

/** Throws `RpcError` `invalidParams` with the pointer of what is wrong. A method the revision lacks passes. */
export function checkRequest(revision: Revision, frame: JSONRPCRequest): void {
  const validate = RECEIVED[revision].requests[frame.method];
  if (validate === undefined || validate(plainNumbers(frame))) return;
  const [fault] = faultsOf(validate.errors ?? []);
  const pointer = fault?.pointer === '' ? '/params' : (fault?.pointer ?? '/params');
  throw invalidParams(`Invalid request: ${pointer} ${fault?.message ?? 'is not valid'}`, {
    pointer,
  });
}
