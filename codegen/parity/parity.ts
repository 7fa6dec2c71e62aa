/**
 * Parity with the official files, locked in `schemas/parity.json`: per definition, the hash of its
 * canonical JSON Schema, and a nominal hash of what a shape cannot show (which named members a union
 * lists, what an interface extends, literals that an open string absorbs).
 */
import { createHash } from 'node:crypto';
import type { Model } from '../model.js';
import { OVERRIDES } from '../overrides.js';
import { canonicalHash } from './canon.js';

export interface ParityEntry {
  /** SHA-256 of the canonical JSON Schema. */
  schema: string;
  /** SHA-256 of the definition in the model. */
  nominal: string;
}

export interface ParityException {
  source: string;
  definition: string;
  /** Canonical hash of the official JSON Schema, which loses to its own TypeScript. */
  official: string;
  /** Canonical hash of ours. */
  ours: string;
  reason: string;
}

export interface ParityLock {
  $comment: string;
  /** By source, by definition: what the official files say. */
  definitions: Record<string, Record<string, ParityEntry>>;
  exceptions: ParityException[];
}

/** Named where they are referred to, so that an exception does not spread to all that mentions it. */
const OPAQUE: ReadonlySet<string> = new Set(OVERRIDES.map((override) => override.definition));

export function schemaHash(definitions: Readonly<Record<string, unknown>>, name: string): string {
  return canonicalHash(definitions, name, { opaque: OPAQUE });
}

export function nominalHash(model: Model, name: string): string {
  return createHash('sha256').update(JSON.stringify(model.definitions[name])).digest('hex');
}
