/**
 * Names under which backends' tools and prompts reach the client: within what the specification
 * allows (server/tools, tool names), unique, and the same on every start.
 */
import { createHash } from 'node:crypto';

/** What the specification allows; some hosts and models take fewer. */
export const DEFAULT_NAME_LENGTH = 128;
const FORBIDDEN = /[^A-Za-z0-9_.-]/g;
const DIGITS = 8;

/** `<namespace>_<name>`; what may not be in a name becomes `_`, an overlong one ends in its digest. */
export function namespacedName(namespace: string, name: string, limit: number): string {
  const plain = `${namespace}_${name}`.replace(FORBIDDEN, '_');
  return plain.length <= limit ? plain : withDigest(plain, namespace, name, limit);
}

/** For the second one that would have the same name. Depends on nothing but its own origin. */
export function withDigest(taken: string, namespace: string, name: string, limit: number): string {
  const digest = createHash('sha256').update(`${namespace}\0${name}`).digest('hex');
  const suffix = `_${digest.slice(0, DIGITS)}`;
  return taken.slice(0, Math.max(limit - suffix.length, 0)) + suffix;
}
