/** Draft and decisions → the finished table: conversions in their places, what never changes left out. */
import { childrenOf, type Drafted } from '../projection/table-of.js';
import type { Draft } from '../projection/shapes.js';
import type { ProjectionTable, Shape, ShapeId } from '../projection/table.js';
import type { Decided } from './decision.js';

/** Throws where a decision binds a conversion to a shape that the revision does not have. */
export function bindDecisions(drafted: Drafted, decided: readonly Decided[]): ProjectionTable {
  const conversions = conversionsOf(drafted, decided);
  const effective = effectiveShapes(drafted.drafts, conversions);
  const kept = (id: ShapeId | null | undefined): ShapeId | null =>
    id !== null && id !== undefined && effective.has(id) ? id : null;
  const table: ProjectionTable = {
    revision: drafted.revision,
    results: {},
    requests: {},
    notifications: {},
    shapes: {},
  };
  for (const { carrier, shape } of drafted.roots) {
    table[`${carrier.part}s`][carrier.method] = kept(shape);
  }
  for (const id of [...effective].sort()) {
    const draft = drafted.drafts.get(id);
    if (draft === undefined) continue;
    const convert = conversions.get(id);
    table.shapes[id] = { ...finished(draft, kept), ...(convert !== undefined && { convert }) };
  }
  return table;
}

function conversionsOf(
  { revision, drafts }: Drafted,
  decided: readonly Decided[],
): Map<ShapeId, string[]> {
  const bound = new Map<ShapeId, string[]>();
  for (const { decision } of decided) {
    const { outcome } = decision;
    if (typeof outcome === 'string') continue;
    if (!drafts.has(outcome.on)) {
      throw new Error(
        `codegen/decisions/table.ts binds ${outcome.convert} to ${outcome.on}, which ${revision} does not have`,
      );
    }
    const names = bound.get(outcome.on) ?? [];
    if (!names.includes(outcome.convert)) bound.set(outcome.on, [...names, outcome.convert]);
  }
  return bound;
}

/** Shapes in which something changes, here or below. */
function effectiveShapes(
  drafts: ReadonlyMap<ShapeId, Draft>,
  conversions: ReadonlyMap<ShapeId, readonly string[]>,
): Set<ShapeId> {
  const effective = new Set<ShapeId>(conversions.keys());
  for (const [id, draft] of drafts) {
    if (draft.kind === 'object' && draft.drop.length > 0) effective.add(id);
  }
  for (let before = -1; before !== effective.size;) {
    before = effective.size;
    for (const [id, draft] of drafts) {
      if (childrenOf(draft).some((child) => child !== null && effective.has(child))) {
        effective.add(id);
      }
    }
  }
  return effective;
}

function finished(draft: Draft, kept: (id: ShapeId | null | undefined) => ShapeId | null): Shape {
  switch (draft.kind) {
    case 'object': {
      const fields = Object.entries(draft.fields).filter(([, id]) => kept(id) !== null);
      return { kind: 'object', drop: draft.drop, fields: Object.fromEntries(fields) };
    }
    case 'array':
      return draft;
    case 'record':
      return draft;
    case 'union': {
      const cases = Object.entries(draft.cases).map(([constant, id]) => [constant, kept(id)]);
      const items = kept(draft.items);
      return {
        kind: 'union',
        discriminator: draft.discriminator,
        cases: Object.fromEntries(cases) as Record<string, ShapeId | null>,
        ...(items !== null && { items }),
      };
    }
  }
}
