/** The projection for one revision: every message type that mcpx sends, in either role. */
import type { ObjectNode, Sender } from '../model.js';
import { methodsWithExtensions } from '../emit/facts-of-revisions.js';
import type { Places, Sighting } from '../places/places.js';
import { SAME_ANSWER } from '../places/logical-names.js';
import type { Sources } from '../sources.js';
import type { Carrier, Change } from './changes.js';
import { Shapes, type Draft } from './shapes.js';
import type { ShapeId } from './table.js';

export interface Drafted {
  revision: string;
  roots: Root[];
  drafts: ReadonlyMap<ShapeId, Draft>;
  changes: Change[];
}

export interface Root {
  carrier: Carrier;
  shape: ShapeId | null;
}

/** Shapes before conversions are bound to them, and everything that a decision has to be made about. */
export function draftProjection(sources: Sources, places: Places, revision: string): Drafted {
  const shapes = new Shapes(places, revision);
  const roots = rootsOf(sources, places, revision, shapes);
  const changes = [
    ...shapeChanges(revision, shapes, roots),
    ...methodChanges(sources, places, revision),
  ];
  return { revision, roots, drafts: shapes.drafts, changes: changes.sort(byPlace) };
}

function rootsOf(sources: Sources, places: Places, revision: string, shapes: Shapes): Root[] {
  const roots: Root[] = [];
  for (const method of methodsWithExtensions(sources, revision)) {
    const part = method.kind === 'notification' ? 'notification' : 'request';
    const params = shapes.of(
      paramsOf(places, places.logicalName(revision, method.definition)),
      `${method.definition}Params`,
    );
    for (const sender of method.senders) {
      roots.push({ carrier: { method: method.method, part, sender }, shape: params });
      if (method.result === undefined) continue;
      const name = places.logicalName(revision, method.result);
      const shape = shapes.of(resultsOf(places, name), name);
      const answers: Sender = sender === 'client' ? 'server' : 'client';
      roots.push({ carrier: { method: method.method, part: 'result', sender: answers }, shape });
    }
  }
  return roots;
}

function paramsOf(places: Places, definition: string): Sighting[] {
  return places.sightings(definition).flatMap(({ revision, type }) => {
    const params = (type as ObjectNode).properties['params'];
    return params === undefined ? [] : [{ revision, type: params.type }];
  });
}

/** Where a revision lets a request be answered with a question, the result may be either. */
function resultsOf(places: Places, definition: string): Sighting[] {
  const plain = places.sightings(definition);
  const response = places.sightings(`${definition}Response`);
  const either = response.flatMap(({ revision, type }) => {
    const result = (type as ObjectNode).properties['result'];
    return result?.type.kind === 'union' ? [{ revision, type: result.type }] : [];
  });
  return plain.map((sighting) => {
    return either.find(({ revision }) => revision === sighting.revision) ?? sighting;
  });
}

function shapeChanges(revision: string, shapes: Shapes, roots: readonly Root[]): Change[] {
  const changes = new Map<string, Change>();
  for (const { carrier, shape } of roots) {
    for (const id of reachable(shape, shapes.drafts)) {
      for (const loss of shapes.losses.get(id) ?? []) {
        const key = `${loss.kind} ${loss.at}`;
        const change = changes.get(key) ?? { ...loss, revision, messages: [] };
        change.messages.push(carrier);
        changes.set(key, change);
      }
    }
  }
  return [...changes.values()];
}

export function reachable(root: ShapeId | null, drafts: ReadonlyMap<ShapeId, Draft>): Set<ShapeId> {
  const found = new Set<ShapeId>();
  const visit = (id: ShapeId | null): void => {
    if (id === null || found.has(id)) return;
    found.add(id);
    const draft = drafts.get(id);
    if (draft !== undefined) for (const child of childrenOf(draft)) visit(child);
  };
  visit(root);
  return found;
}

export function childrenOf(draft: Draft): (ShapeId | null)[] {
  switch (draft.kind) {
    case 'object':
      return Object.values(draft.fields);
    case 'array':
      return [draft.items];
    case 'record':
      return [draft.values];
    case 'union':
      return [...Object.values(draft.cases), draft.items ?? null];
  }
}

/** What the newest revision's peers say to each other and those of this one cannot. */
function methodChanges(sources: Sources, places: Places, revision: string): Change[] {
  const newest = places.revisions.at(-1) ?? '';
  const here = new Map(methodsWithExtensions(sources, revision).map((m) => [m.method, m]));
  return methodsWithExtensions(sources, newest).flatMap(({ method, kind, senders }) => {
    const known = here.get(method);
    return senders
      .filter((sender) => known?.senders.includes(sender) !== true)
      .map((sender): Change => {
        const other = SAME_ANSWER.find(({ now }) => now === method)?.then;
        return {
          kind: 'method',
          at: method,
          revision,
          detail: other === undefined ? 'does not exist' : `does not exist; ${other} does`,
          messages: [
            { method, part: kind === 'notification' ? 'notification' : 'request', sender },
          ],
        };
      });
  });
}

function byPlace(a: Change, b: Change): number {
  return `${a.kind} ${a.at}` < `${b.kind} ${b.at}` ? -1 : 1;
}
