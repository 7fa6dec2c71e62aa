/** Which messages a definition occurs in, over all revisions. */
import { methodsWithExtensions } from '../emit/facts-of-revisions.js';
import type { TypeNode } from '../model.js';
import type { Places } from '../places/places.js';
import type { Sources } from '../sources.js';

/** Method → parts: `request`, `notification`, `result`. */
export type Carriers = Record<string, string[]>;

/** By logical name of the definition. */
export function carriersOf(sources: Sources, places: Places): Map<string, Carriers> {
  const found = new Map<string, Map<string, Set<string>>>();
  const add = (definition: string, method: string, part: string): void => {
    const methods = found.get(definition) ?? new Map<string, Set<string>>();
    methods.set(method, (methods.get(method) ?? new Set()).add(part));
    found.set(definition, methods);
  };
  for (const revision of places.revisions) {
    for (const { method, kind, definition, result } of methodsWithExtensions(sources, revision)) {
      const part = kind === 'notification' ? 'notification' : 'request';
      for (const name of reachedFrom(definition, revision, places)) {
        add(places.logicalName(revision, name), method, part);
      }
      for (const name of result === undefined ? [] : reachedFrom(result, revision, places)) {
        add(places.logicalName(revision, name), method, 'result');
      }
    }
  }
  return new Map([...found].map(([name, methods]) => [name, plain(methods)]));
}

function reachedFrom(root: string, revision: string, places: Places): Set<string> {
  const definitions = places.models[revision]?.definitions ?? {};
  const reached = new Set<string>();
  const walk = (type: TypeNode): void => {
    switch (type.kind) {
      case 'ref':
        visit(type.name);
        return;
      case 'array':
        walk(type.items);
        return;
      case 'object':
        for (const property of Object.values(type.properties)) walk(property.type);
        if (type.index !== undefined) walk(type.index);
        return;
      case 'union':
      case 'intersection':
        type.members.forEach(walk);
    }
  };
  const visit = (name: string): void => {
    const definition = definitions[name];
    if (definition === undefined || reached.has(name)) return;
    reached.add(name);
    walk(definition.type);
  };
  visit(root);
  return reached;
}

function plain(methods: ReadonlyMap<string, ReadonlySet<string>>): Carriers {
  return Object.fromEntries(
    [...methods]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([method, parts]) => [method, [...parts].sort()]),
  );
}
