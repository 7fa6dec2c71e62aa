/** What the tool of an operation is called: within what every model provider takes, and unique. */
import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;
const DIGITS = 8;
const OUTSIDE_NAME = /[^A-Za-z0-9_.-]+/g;

/** `operation` is its method and path, `GET /pets/{id}`; without an id the name is made of it. */
export function operationName(operationId: string | undefined, operation: string): string {
  const plain = plainName(operationId, operation);
  if (plain === '') return withDigest('operation', operation);
  return plain.length <= MAX_LENGTH ? plain : withDigest(plain, operation);
}

/** The name as it would be, had it any length and no namesake. */
export function plainName(operationId: string | undefined, operation: string): string {
  const base = operationId ?? operation.toLowerCase();
  return base.replace(OUTSIDE_NAME, '_').replace(/^_+|_+$/g, '');
}

/** The names in the same order, each once: the first keeps what it wants, others add their digest. */
export function uniqueNames(
  wanted: readonly { readonly name: string; readonly operation: string }[],
): string[] {
  const first = new Set(wanted.map(({ name }) => name));
  const given = new Set<string>();
  return wanted.map(({ name, operation }) => {
    let unique = name;
    // A digest could be what another operation is called; that one was there first.
    for (let salt = operation; given.has(unique); salt += '!') {
      const candidate = withDigest(name, salt);
      unique = first.has(candidate) ? unique : candidate;
    }
    given.add(unique);
    return unique;
  });
}

function withDigest(name: string, operation: string): string {
  const digest = createHash('sha256').update(operation).digest('hex').slice(0, DIGITS);
  return `${name.slice(0, MAX_LENGTH - DIGITS - 1)}_${digest}`;
}
