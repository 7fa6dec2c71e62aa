/** A modern upstream misses headers, or has found them to disagree with the body. */
import type { ErrorObject } from '../../edge/contract.js';
import { liftedError } from '../../edge/errors.js';
import { ERROR_KINDS, type RpcError } from '../../protocol/errors.js';

export class HeadersRefused extends Error {
  override readonly name = 'HeadersRefused';

  constructor(readonly refusal: RpcError) {
    super(refusal.message);
  }
}

/** For `tools/call`, whose headers the list of tools decides. */
export function liftHeadersRefused(error: ErrorObject): Error {
  const lifted = liftedError('tools/call', error);
  return error.code === ERROR_KINDS.headerMismatch.modern ? new HeadersRefused(lifted) : lifted;
}
