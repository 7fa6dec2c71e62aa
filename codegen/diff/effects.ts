/** What the edge does about a change between two revisions, by the decisions. */
import type { Decided } from '../decisions/decision.js';
import type { ChangeKind } from '../projection/changes.js';

export interface Effect {
  /** Revision of the peer that cannot be told as the newest shape tells it. */
  peer: string;
  outcome: 'kept' | 'dropped' | 'converted' | 'refused' | 'never sent';
  /** Function in src/edge/conversions; also of a refusal. */
  conversion?: string;
  reason: string;
}

/** A place in the newest shape, under every name by which a decision may call it. */
export interface Spot {
  names: readonly string[];
  method: string;
}

/** Conversions that refuse rather than rewrite are named so. */
const REFUSAL = 'refuse';

export class Effects {
  readonly #decided = new Map<string, Decided[]>();

  constructor(decided: readonly Decided[]) {
    for (const one of decided) {
      const key = keyOf(one.change.kind, one.change.revision);
      this.#decided.set(key, [...(this.#decided.get(key) ?? []), one]);
    }
  }

  /** The decision about the first of these kinds that there is one about; undefined if there is none. */
  of(peer: string, kinds: readonly ChangeKind[], spot: Spot): Effect | undefined {
    for (const kind of kinds) {
      const candidates = this.#decided.get(keyOf(kind, peer)) ?? [];
      const fitting = candidates.filter(({ change }) =>
        spot.names.some((name) =>
          kind === 'member' ? change.at.endsWith(`/${name}`) : change.at === name,
        ),
      );
      const here = fitting.find(({ change }) =>
        change.messages.some(({ method }) => method === spot.method),
      );
      // A member is named by what it is, not by where: elsewhere it is another matter.
      const found = here ?? (kind === 'member' ? undefined : fitting[0]);
      if (found !== undefined) return effectOf(peer, found);
    }
    return undefined;
  }
}

function effectOf(peer: string, { decision: { outcome, reason } }: Decided): Effect {
  if (typeof outcome !== 'string') {
    const refused = outcome.convert.startsWith(REFUSAL);
    return {
      peer,
      outcome: refused ? 'refused' : 'converted',
      conversion: outcome.convert,
      reason,
    };
  }
  if (outcome === 'drop') return { peer, outcome: 'dropped', reason };
  return { peer, outcome: outcome === 'pass' ? 'kept' : outcome, reason };
}

function keyOf(kind: ChangeKind, revision: string): string {
  return `${kind} ${revision}`;
}
