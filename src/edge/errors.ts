/** The one error class ↔ the codes of a revision. */
import { CONSTANTS } from '../../generated/constants.js';
import { REVISIONS, eraOf, type Revision } from '../../generated/revisions.js';
import { ERROR_KINDS, RpcError, type ErrorKind, type RpcErrorKind } from '../protocol/errors.js';
import type { ErrorObject } from './contract.js';

const CODES: ReadonlyMap<Revision, ReadonlySet<unknown>> = new Map(
  REVISIONS.map(({ revision }) => [revision, new Set(Object.values(CONSTANTS[revision]))]),
);

/** The error as a peer of `revision` may see it. */
export function errorObject(error: RpcError, revision: Revision): ErrorObject {
  const code =
    error.kind === 'relayed' && error.relayedCode !== undefined
      ? relayable(error.relayedCode, revision)
      : codeOf(error.kind, revision);
  const { message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

function codeOf(kind: RpcErrorKind, revision: Revision): number {
  const { constant, ...codes }: ErrorKind = ERROR_KINDS[kind];
  const own = constant === undefined ? undefined : CONSTANTS[revision][constant];
  return typeof own === 'number' ? own : codes[eraOf(revision)];
}

/**
 * A code that some revision defines, but not this one, would say something else here, or nothing; in
 * the modern era so would every other of the range that JSON-RPC leaves to servers (2026-07-28,
 * basic). What is left of such an error is that the upstream failed, and its words.
 */
function relayable(code: number, revision: Revision): number {
  if (CODES.get(revision)?.has(code) === true) return code;
  const defined = [...CODES.values()].some((codes) => codes.has(code));
  const forbidden = eraOf(revision) === 'modern' && code >= -32099 && code <= -32000;
  return defined || forbidden ? ERROR_KINDS.internal.modern : code;
}

/** Codes that mean the same from an upstream as from mcpx. The rest is relayed as it is. */
const LIFTED: ReadonlyMap<number, RpcErrorKind> = new Map([
  [ERROR_KINDS.methodNotFound.modern, 'methodNotFound'],
  [ERROR_KINDS.invalidParams.modern, 'invalidParams'],
  [ERROR_KINDS.internal.modern, 'internal'],
  // mcpx declares to an upstream what its client declared to mcpx, so this is true of the client too.
  [ERROR_KINDS.missingCapability.modern, 'missingCapability'],
  // Between mcpx and the upstream; the client sent no such header and named no such version.
  [ERROR_KINDS.headerMismatch.modern, 'internal'],
  [ERROR_KINDS.unsupportedVersion.modern, 'internal'],
]);

/** Where a resource is asked for, an upstream of either era may answer with either code. */
const READ = 'resources/read';
const { modern, legacy } = ERROR_KINDS.resourceNotFound;
const NOT_FOUND: readonly number[] = [modern, legacy];

export function liftedError(method: string, error: ErrorObject): RpcError {
  const { code, message, data } = error;
  if (method === READ && NOT_FOUND.includes(code)) {
    return new RpcError('resourceNotFound', message, data);
  }
  const kind = LIFTED.get(code);
  return kind === undefined
    ? new RpcError('relayed', message, data, code)
    : new RpcError(kind, message, data);
}
