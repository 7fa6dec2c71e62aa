/**
 * Walks one message type, as all revisions have it, and gives the shapes of the projection for one
 * revision, and beside them what the projection loses.
 */
import type { Member, ObjectSighting, Place, Places, Sighting } from '../places/places.js';
import { OPAQUE } from '../places/places.js';
import type { ObjectNode, TypeNode } from '../model.js';
import type { Change } from './changes.js';
import { narrowing } from './narrowing.js';
import type { ShapeId } from './table.js';

export type Draft =
  | { kind: 'object'; drop: string[]; fields: Record<string, ShapeId> }
  | { kind: 'array'; items: ShapeId }
  | { kind: 'record'; values: ShapeId }
  | {
      kind: 'union';
      discriminator: string;
      cases: Record<string, ShapeId | null>;
      /** Where the value may be a list of members, too. */
      items?: ShapeId;
    };

export type Loss = Omit<Change, 'messages' | 'revision'>;

export class Shapes {
  readonly drafts = new Map<ShapeId, Draft>();
  /** What is lost directly at a shape. */
  readonly losses = new Map<ShapeId, Loss[]>();

  constructor(
    private readonly places: Places,
    private readonly revision: string,
  ) {}

  /** Shape of a value that every revision in `sightings` describes; null if nothing can change in it. */
  of(sightings: readonly Sighting[], hint: string): ShapeId | null {
    const newest = sightings.at(-1);
    if (newest === undefined) return null;
    const members = sightings.flatMap((sighting) => this.places.members(sighting));
    const basis = members.filter(({ revision }) => revision === newest.revision);
    const objects = basis.filter(isObjectMember);
    const lists = members.flatMap(({ revision, type }) =>
      type.kind === 'array' ? [{ revision, type: type.items }] : [],
    );
    const id = this.#idOf(newest, objects, hint);
    if (this.drafts.has(id)) return id;
    // Several of one revision: the members of a merged union have a property of this name each.
    const merged = sightings.filter(({ revision }) => revision === newest.revision).length > 1;
    if (objects.length === 0) {
      return basis.some(({ type }) => type.kind === 'array') ? this.#list(hint, lists) : null;
    }
    if (objects.length === 1 && basis.every(isObjectMember)) {
      return this.#object(id, objects, members);
    }
    if (!merged) this.#lostMembers(id, objects, members);
    return this.#union(id, objects, members, basis.some(isList) ? lists : []);
  }

  #list(id: ShapeId, items: readonly Sighting[]): ShapeId | null {
    const inner = this.of(items, `${id}[]`);
    if (inner === null) return null;
    this.drafts.set(id, { kind: 'array', items: inner });
    return id;
  }

  #union(
    id: ShapeId,
    objects: readonly ObjectMember[],
    members: readonly Member[],
    lists: readonly Sighting[],
  ): ShapeId {
    const discriminator = objects.length > 1 ? discriminatorOf(objects) : undefined;
    if (discriminator === undefined && lists.length === 0) {
      return this.#object(id, objects, members);
    }
    const draft: Draft = { kind: 'union', discriminator: discriminator ?? 'type', cases: {} };
    this.drafts.set(id, draft);
    if (lists.length > 0) {
      const items = this.of(lists, `${id}[]`);
      if (items !== null) draft.items = items;
    }
    for (const [constant, group] of grouped(objects, draft.discriminator)) {
      const name = group.length === 1 ? this.#pathOf(group[0]) : `${id}/${constant}`;
      draft.cases[constant] = this.#object(name, group, ofSamePlaces(this.places, group, members));
    }
    return id;
  }

  /** One object, or the members of a union that cannot be told apart: what none of them may have goes. */
  #object(id: ShapeId, basis: readonly ObjectMember[], members: readonly Member[]): ShapeId {
    if (this.drafts.has(id)) return id;
    const places = [...new Set(basis.map(({ type }) => this.places.placeOf(type)))];
    const own = [
      ...places.flatMap((place) => place.in(this.revision).map(({ type }) => type)),
      ...members
        .filter(isObjectMember)
        .flatMap((m) => (m.revision === this.revision ? m.type : [])),
    ];
    if (places.length === 1 && isRecord(places[0]) && own.length > 0) {
      return this.#record(id, places[0].objects);
    }
    const declared = new Set(own.flatMap((type) => Object.keys(type.properties)));
    const draft: Draft = { kind: 'object', drop: [], fields: {} };
    this.drafts.set(id, draft);
    // A member that the revision lacks altogether is for a conversion: nothing here is known of it.
    if (own.length === 0) return id;
    const opaque = OPAQUE.has(id);
    if (!opaque) {
      draft.drop = [...new Set(places.flatMap((place) => [...place.properties()]))]
        .filter((property) => !declared.has(property) && !isEnvelope(property, basis))
        .sort();
    }
    for (const property of draft.drop) {
      for (const loss of lostFields(this.places, places, property)) this.#lose(id, loss);
    }
    this.#required(id, places, own);
    for (const property of [...declared].sort()) {
      const sightings = this.#property(places, property);
      if (opaque) this.#stated(id, places, property);
      else this.#narrowed(id, `${id}.${property}`, sightings);
      const inner = this.of(sightings, `${id}.${property}`);
      if (inner === null) continue;
      if (opaque) this.#hoist(id, inner);
      else draft.fields[property] = inner;
    }
    return id;
  }

  #record(id: ShapeId, objects: readonly ObjectSighting[]): ShapeId {
    const values = objects.flatMap(({ revision, type }) =>
      type.index === undefined ? [] : [{ revision, type: type.index }],
    );
    const draft: Draft = { kind: 'object', drop: [], fields: {} };
    this.drafts.set(id, draft);
    this.#narrowed(id, `${id}.*`, this.#ordered(values));
    const inner = this.of(this.#ordered(values), `${id}.*`);
    if (inner !== null) this.drafts.set(id, { kind: 'record', values: inner });
    return id;
  }

  /** An author's schema says what it likes; a revision that declares a keyword says how. */
  #stated(id: ShapeId, places: readonly Place[], property: string): void {
    const newest = this.places.revisions.at(-1) ?? '';
    if (places.some((place) => place.declared(newest).has(property))) return;
    this.#lose(id, { kind: 'type', at: `${id}.${property}`, detail: 'any → declared' });
  }

  /** What is lost inside an author's schema is the business of whoever converts the whole of it. */
  #hoist(id: ShapeId, inner: ShapeId): void {
    for (const loss of this.losses.get(inner) ?? []) this.#lose(id, loss);
  }

  #property(places: readonly Place[], property: string): Sighting[] {
    return this.#ordered(
      places.flatMap((place) =>
        place.objects.flatMap(({ revision, type }) => {
          const found = type.properties[property];
          return found === undefined ? [] : [{ revision, type: found.type }];
        }),
      ),
    );
  }

  #ordered(sightings: readonly Sighting[]): Sighting[] {
    return this.places.revisions.flatMap((revision) =>
      sightings.filter((sighting) => sighting.revision === revision),
    );
  }

  #idOf(newest: Sighting, objects: readonly ObjectMember[], hint: string): ShapeId {
    if (newest.type.kind === 'ref' && objects.length !== 1) {
      return this.places.logicalName(newest.revision, newest.type.name);
    }
    return objects.length === 1 && newest.type.kind !== 'union' ? this.#pathOf(objects[0]) : hint;
  }

  #pathOf(object: ObjectMember | undefined): string {
    if (object === undefined) return '';
    return this.places.pathOf(object.type);
  }

  #lostMembers(id: ShapeId, objects: readonly ObjectMember[], members: readonly Member[]): void {
    const here = members.filter(({ revision }) => revision === this.revision);
    if (here.length === 0) return;
    const own = new Set(here.filter(isObjectMember).map(({ type }) => this.places.placeOf(type)));
    for (const object of objects) {
      if (own.has(this.places.placeOf(object.type))) continue;
      const name = this.#pathOf(object);
      this.#lose(id, { kind: 'member', at: `${id}/${name}`, detail: `${name} is not one of it` });
    }
  }

  #required(id: ShapeId, places: readonly Place[], own: readonly ObjectNode[]): void {
    const newest = this.places.revisions.at(-1) ?? '';
    for (const [property, { optional }] of own.flatMap((type) => Object.entries(type.properties))) {
      if (optional) continue;
      const now = places.flatMap((place) =>
        place.in(newest).map(({ type }) => type.properties[property]),
      );
      if (now.length === 0 || now.some((found) => found !== undefined && !found.optional)) continue;
      const detail = now.some((found) => found !== undefined) ? 'optional' : 'absent';
      this.#lose(id, { kind: 'required', at: `${id}.${property}`, detail: `${detail} → required` });
    }
  }

  #narrowed(id: ShapeId, at: string, sightings: readonly Sighting[]): void {
    const basis = sightings.at(-1);
    const here = sightings.filter(({ revision }) => revision === this.revision);
    if (basis === undefined || here.length === 0) return;
    const members = (sighting: Sighting): TypeNode[] =>
      this.places.members(sighting).map(({ type }) => type);
    const detail = narrowing(members(basis), here.flatMap(members));
    if (detail !== undefined) this.#lose(id, { kind: 'type', at, detail });
  }

  #lose(id: ShapeId, loss: Loss): void {
    const known = this.losses.get(id) ?? [];
    if (!known.some(({ kind, at }) => kind === loss.kind && at === loss.at)) known.push(loss);
    this.losses.set(id, known);
  }
}

type ObjectMember = Member & { type: ObjectNode };

function isObjectMember(member: Member): member is ObjectMember {
  return member.type.kind === 'object';
}

function isList({ type }: Member): boolean {
  return type.kind === 'array';
}

/** Keys are an author's: no revision declares any. */
function isRecord(place: Place | undefined): place is Place {
  return place?.objects.every(({ type }) => Object.keys(type.properties).length === 0) ?? false;
}

function isEnvelope(property: string, objects: readonly ObjectMember[]): boolean {
  if (property !== 'jsonrpc' && property !== 'id') return false;
  return objects.some(({ type }) => type.properties['method']?.type.kind === 'literal');
}

/** A property that every member requires and in which no two constants stand for different shapes. */
function discriminatorOf(objects: readonly ObjectMember[]): string | undefined {
  const [first] = objects;
  if (first === undefined) return undefined;
  return Object.keys(first.type.properties).find(
    (property) =>
      property !== 'resultType' &&
      objects.every(({ type }) => {
        const found = type.properties[property];
        return found !== undefined && !found.optional && constantsOf(found.type) !== undefined;
      }) &&
      new Set(objects.flatMap(({ type }) => constantsOf(type.properties[property]?.type))).size > 1,
  );
}

function constantsOf(type: TypeNode | undefined): string[] | undefined {
  if (type?.kind === 'literal') return [String(type.value)];
  if (type?.kind !== 'union') return undefined;
  const constants = type.members.map((member) =>
    member.kind === 'literal' ? String(member.value) : undefined,
  );
  return constants.every((constant) => constant !== undefined) ? constants : undefined;
}

function grouped(
  objects: readonly ObjectMember[],
  discriminator: string,
): Map<string, ObjectMember[]> {
  const groups = new Map<string, ObjectMember[]>();
  for (const object of objects) {
    for (const constant of constantsOf(object.type.properties[discriminator]?.type) ?? []) {
      groups.set(constant, [...(groups.get(constant) ?? []), object]);
    }
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Members of other revisions that stand where those of the group do. */
function ofSamePlaces(
  places: Places,
  group: readonly ObjectMember[],
  members: readonly Member[],
): Member[] {
  const own = new Set(group.map(({ type }) => places.placeOf(type)));
  return members.filter((member) => isObjectMember(member) && own.has(places.placeOf(member.type)));
}

/** One for each definition that has the property, under its latest path. */
function lostFields(places: Places, at: readonly Place[], property: string): Loss[] {
  return at.flatMap((place): Loss[] => {
    const [latest] = place.objects
      .filter(({ type }) => property in type.properties)
      .sort((a, b) => places.revisions.indexOf(b.revision) - places.revisions.indexOf(a.revision));
    if (latest === undefined) return [];
    return [{ kind: 'field', at: `${latest.path}.${property}`, detail: 'is not defined' }];
  });
}
