/** The generated reports, read when they are first asked for. */
import { readFileSync, readdirSync } from 'node:fs';
import type { Sender } from '../../generated/methods.js';
import type { Revision } from '../../generated/revisions.js';

const FOLDER = new URL('../../generated/reports/', import.meta.url);

/** See codegen/reports/matrix.ts. */
export interface Matrix {
  revisions: Revision[];
  definitions: Record<string, DefinitionRow>;
  methods: Record<string, Lifetime & { in: Record<string, string> }>;
}

export interface Lifetime {
  since: Revision;
  /** First revision that no longer has it. */
  until?: Revision;
}

export interface DefinitionRow extends Lifetime {
  /** Where it is a message. */
  message?: { method: string; senders: Sender[] };
  /** Method → parts of it in which the definition occurs. */
  carriers: Record<string, Part[]>;
  fields: Record<string, FieldRow>;
}

export interface FieldRow extends Lifetime {
  in: Record<string, { required: boolean; type: string }>;
}

/** See codegen/diff/diff.ts. */
export interface Diff {
  methods: MethodChange[];
  messages: MessageChanges[];
  constants: FieldChange[];
}

export interface MethodChange {
  method: string;
  change: 'added' | 'removed' | 'changed';
  was?: string;
  now?: string;
  edge: Effect[];
}

export interface MessageChanges {
  method: string;
  part: Part;
  senders: Sender[];
  changes: FieldChange[];
}

export interface FieldChange {
  path: string;
  kind: 'added' | 'removed' | 'optionality' | 'type' | 'union' | 'constant';
  was?: string;
  now?: string;
  edge?: Effect[];
}

/** See codegen/diff/effects.ts. */
export interface Effect {
  peer: Revision;
  outcome: 'kept' | 'dropped' | 'converted' | 'refused' | 'never sent';
  conversion?: string;
  reason: string;
}

export type Part = 'request' | 'notification' | 'result';

/** See codegen/reports/peers.ts. */
export interface Losses {
  losses: Loss[];
}

export interface Loss {
  /** `Tool.icons`, `ContentBlock/AudioContent`, `tools/call`. */
  at: string;
  change: 'field' | 'member' | 'type' | 'required' | 'method';
  outcome: string;
  conversion?: string;
  reason: string;
  messages: { method: string; part: Part; sender: Sender }[];
}

/** File names, sorted. */
export function reportNames(): string[] {
  return readdirSync(FOLDER).sort();
}

/** Undefined where there is no such report. */
export function reportText(name: string): string | undefined {
  return reportNames().includes(name) ? readFileSync(new URL(name, FOLDER), 'utf8') : undefined;
}

const parsed = new Map<string, unknown>();

function report(name: string): unknown {
  if (!parsed.has(name)) parsed.set(name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));
  return parsed.get(name);
}

export function matrix(): Matrix {
  return report('matrix.json') as Matrix;
}

/** `from` has to be the older one. */
export function diff(from: Revision, to: Revision): Diff {
  return report(`diff-${from}-${to}.json`) as Diff;
}

export function losses(revision: Revision): Losses {
  return report(`client-${revision}.json`) as Losses;
}
