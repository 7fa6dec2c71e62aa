/** Whether an older type takes every value of a newer one. Objects are compared property by property elsewhere. */
import type { TypeNode } from '../model.js';

/** In words what is not taken; undefined where everything is. Both are free of references and unions. */
export function narrowing(
  newer: readonly TypeNode[],
  older: readonly TypeNode[],
): string | undefined {
  const takes = kinds(older);
  if (takes.has('any')) return undefined;
  const missing = [...kinds(newer)].filter((kind) => !takes.has(kind) && !impliedBy(kind, takes));
  if (missing.length === 0) return undefined;
  return `${[...kinds(newer)].sort().join(' | ')} → ${[...takes].sort().join(' | ')}`;
}

function kinds(types: readonly TypeNode[]): Set<string> {
  return new Set(types.map(kindOf));
}

function kindOf(type: TypeNode): string {
  if (type.kind === 'literal') return JSON.stringify(type.value);
  // The pieces of an intersection are objects in these schemas.
  return type.kind === 'intersection' ? 'object' : type.kind;
}

function impliedBy(kind: string, takes: ReadonlySet<string>): boolean {
  if (kind === 'integer') return takes.has('number');
  if (kind.startsWith('"')) return takes.has('string');
  return false;
}
