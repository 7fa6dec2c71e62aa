/** The HTTP status of a JSON-RPC reply: in the modern era a function of the error code alone. */
import type { Era } from '../../../generated/revisions.js';
import { ERROR_KINDS, type RpcErrorKind } from '../../protocol/errors.js';
import type { Reply } from '../../server/contract.js';

const BAD_REQUEST: readonly RpcErrorKind[] = [
  'parseError',
  'invalidRequest',
  'invalidParams',
  'headerMismatch',
  'missingCapability',
  'unsupportedVersion',
];

const MODERN: ReadonlyMap<number, number> = new Map([
  ...BAD_REQUEST.map((kind) => [ERROR_KINDS[kind].modern, 400] as const),
  [ERROR_KINDS.methodNotFound.modern, 404],
]);

/** Legacy clients read 404 as a lost session, and other errors as no answer at all. */
const LEGACY: ReadonlyMap<number, number> = new Map([[ERROR_KINDS.unsupportedVersion.legacy, 400]]);

export function statusOf({ errorCode, overloaded }: Reply, era: Era): number {
  if (overloaded === true) return 503;
  if (errorCode === undefined) return 200;
  return (era === 'modern' ? MODERN : LEGACY).get(errorCode) ?? 200;
}
