/**
 * Which object of one revision stands where which object of another one stands.
 *
 * Definitions of the same (logical) name are walked side by side, so that an inline object of an older
 * revision meets the named one that replaced it. Objects that met form a *place*. What some revision
 * declares at a place and another one does not is *foreign* there.
 */
import type { Model, ObjectNode, TypeNode } from '../model.js';
import { extensionsOf, type Sources } from '../sources.js';
import { logicalName } from './logical-names.js';
import { normalModel } from './normal.js';

/** One type as one revision has it. */
export interface Sighting {
  revision: string;
  type: TypeNode;
}

/** What a reference or a union comes down to. */
export interface Member {
  revision: string;
  /** The definition it was named by, if any. */
  name: string | undefined;
  type: TypeNode;
}

export interface ObjectSighting extends Sighting {
  type: ObjectNode;
  /** `Tool`, `Tool.annotations`. */
  path: string;
}

export class Place {
  readonly objects: ObjectSighting[] = [];
  /** Declared where another revision has a union, one member of which is here. */
  readonly beside = new Map<ObjectNode, Set<string>>();

  /** Every property that any revision declares here. */
  properties(): Set<string> {
    return new Set(this.objects.flatMap(({ type }) => Object.keys(type.properties)));
  }

  declared(revision: string): Set<string> {
    return new Set(this.in(revision).flatMap(({ type }) => Object.keys(type.properties)));
  }

  in(revision: string): ObjectSighting[] {
    return this.objects.filter((object) => object.revision === revision);
  }
}

/** Envelope of a message: JSON-RPC's business, in every revision alike. */
const ENVELOPE = ['jsonrpc', 'id'];

/** Author's JSON Schemas: nothing in them is the protocol's, whatever keyword it declares. */
export const OPAQUE: ReadonlySet<string> = new Set(['Tool.inputSchema', 'Tool.outputSchema']);

export class Places {
  /** Normal models by revision; an extension's definitions stand with those of its revision. */
  readonly models: Readonly<Record<string, Model>>;
  /** Oldest first. */
  readonly revisions: readonly string[];
  readonly #places = new Map<ObjectNode, Place>();
  readonly #paths = new Map<ObjectNode, ObjectSighting>();
  readonly #extensions = new Map<string, string>();
  readonly #met = new Set<string>();
  readonly #numbers = new Map<TypeNode, number>();

  constructor(sources: Sources) {
    this.revisions = sources.revisions.map(({ revision }) => revision);
    this.models = Object.fromEntries(
      this.revisions.map((revision) => [revision, this.#whole(sources, revision)]),
    );
    for (const revision of this.revisions) this.#register(revision);
    for (const name of this.#logicalNames()) this.#meet(this.sightings(name));
  }

  /** The definition of this logical name, in every revision that has it. */
  sightings(name: string): Sighting[] {
    return this.revisions.flatMap((revision) =>
      Object.values(this.#model(revision).definitions)
        .filter((definition) => this.logicalName(revision, definition.name) === name)
        .map(({ type }) => ({ revision, type })),
    );
  }

  logicalName(revision: string, name: string): string {
    const extension = this.#extensions.get(`${revision} ${name}`);
    return extension === undefined ? logicalName(revision, name) : `${extension}/${name}`;
  }

  placeOf(object: ObjectNode): Place {
    const place = this.#places.get(object);
    if (place === undefined) throw new Error('an object that stands in no model');
    return place;
  }

  pathOf(object: ObjectNode): string {
    return this.#paths.get(object)?.path ?? '';
  }

  /** What no message of the revision may have at this object. Sorted. */
  foreign(revision: string, object: ObjectNode): string[] {
    const place = this.placeOf(object);
    if (place.objects.some(({ path }) => OPAQUE.has(path))) return [];
    const declared = place.declared(revision);
    const envelope = object.properties['method']?.type.kind === 'literal' ? ENVELOPE : [];
    const known = [...place.properties(), ...(place.beside.get(object) ?? [])];
    return [...new Set(known)]
      .filter((property) => !declared.has(property) && !envelope.includes(property))
      .sort();
  }

  /** Members of unions, targets of references. */
  members({ revision, type }: Sighting, name?: string): Member[] {
    if (type.kind === 'union') {
      return type.members.flatMap((member) => this.members({ revision, type: member }, name));
    }
    if (type.kind !== 'ref') return [{ revision, type, name }];
    const target = this.#model(revision).definitions[type.name];
    return target === undefined ? [] : this.members({ revision, type: target.type }, type.name);
  }

  #model(revision: string): Model {
    const model = this.models[revision];
    if (model === undefined) throw new Error(`no model of revision ${revision}`);
    return model;
  }

  #whole(sources: Sources, revision: string): Model {
    const core = sources.models[revision];
    if (core === undefined) throw new Error(`no model of revision ${revision}`);
    const whole = { ...core, definitions: { ...core.definitions } };
    for (const { source } of extensionsOf(sources, revision)) {
      for (const definition of Object.values(sources.extensionModels[source]?.definitions ?? {})) {
        // Of its own for each revision: a type is known by what it is, not by what it says.
        whole.definitions[definition.name] = structuredClone(definition);
        this.#extensions.set(`${revision} ${definition.name}`, source);
      }
    }
    return normalModel(whole);
  }

  #register(revision: string): void {
    const walk = (type: TypeNode, path: string): void => {
      this.#numbers.set(type, this.#numbers.size);
      switch (type.kind) {
        case 'object': {
          const sighting = { revision, type, path };
          const place = new Place();
          place.objects.push(sighting);
          this.#places.set(type, place);
          this.#paths.set(type, sighting);
          for (const [name, property] of Object.entries(type.properties)) {
            walk(property.type, `${path}.${name}`);
          }
          if (type.index !== undefined) walk(type.index, `${path}.*`);
          return;
        }
        case 'array':
          walk(type.items, `${path}[]`);
          return;
        case 'union':
        case 'intersection':
          for (const member of type.members) walk(member, path);
      }
    };
    for (const { name, type } of Object.values(this.#model(revision).definitions)) {
      walk(type, this.logicalName(revision, name));
    }
  }

  #logicalNames(): string[] {
    const names = this.revisions.flatMap((revision) =>
      Object.keys(this.#model(revision).definitions).map((name) =>
        this.logicalName(revision, name),
      ),
    );
    return [...new Set(names)].sort();
  }

  /** Walks types that stand at the same place side by side. */
  #meet(sightings: readonly Sighting[]): void {
    const key = sightings.map(({ type }) => this.#numbers.get(type)).join();
    if (sightings.length < 2 || this.#met.has(key)) return;
    this.#met.add(key);
    const members = sightings.flatMap((sighting) => this.members(sighting));
    for (const objects of this.#matched(members)) this.#meetObjects(objects);
    const arrays = members.flatMap(({ revision, type }) =>
      type.kind === 'array' ? [{ revision, type: type.items }] : [],
    );
    this.#meet(arrays);
  }

  /** Members of unions that are the same: by name; a lone object meets the member it looks like most. */
  #matched(members: readonly Member[]): ObjectSighting[][] {
    const byRevision = new Map<string, (ObjectSighting & { name: string | undefined })[]>();
    for (const { revision, type, name } of members) {
      if (type.kind !== 'object') continue;
      const logical = name === undefined ? undefined : this.logicalName(revision, name);
      const list = byRevision.get(revision) ?? [];
      list.push({ revision, type, path: this.pathOf(type), name: logical });
      byRevision.set(revision, list);
    }
    const groups: (ObjectSighting & { name: string | undefined })[][] = [];
    // Newest first, and unions before lone objects: what others are matched against is there by then.
    const lists = [...byRevision.values()].reverse().sort((a, b) => b.length - a.length);
    for (const list of lists) {
      for (const object of list) {
        const named = groups.find((group) => group.some((o) => o.name === object.name && o.name));
        const group = named ?? (list.length === 1 ? mostAlike(groups, object) : undefined);
        if (group === undefined) groups.push([object]);
        else group.push(object);
        if (list.length === 1) this.#beside(object, groups, group);
      }
    }
    for (const list of lists) if (list.length > 1) this.#besideEachOther(list, groups);
    return groups;
  }

  /** Members that only other constants tell apart: what a missing one has is foreign to its likes. */
  #besideEachOther(
    list: readonly ObjectSighting[],
    groups: readonly (readonly ObjectSighting[])[],
  ): void {
    const missing = groups.filter((group) => !group.some((object) => list.includes(object))).flat();
    for (const object of list) {
      const like = list.filter((other) => shareConstant(object.type, other.type));
      const declared = new Set(like.flatMap(({ type }) => Object.keys(type.properties)));
      const names = missing
        .filter(({ type }) => shareConstant(object.type, type))
        .flatMap(({ type }) => Object.keys(type.properties))
        .filter((name) => !declared.has(name));
      if (names.length === 0) continue;
      const beside = this.placeOf(object.type).beside;
      beside.set(object.type, new Set([...(beside.get(object.type) ?? []), ...names]));
    }
  }

  #beside(
    object: ObjectSighting,
    groups: readonly (readonly ObjectSighting[])[],
    own: readonly ObjectSighting[] | undefined,
  ): void {
    const others = groups.filter((group) => group !== own && !group.includes(object));
    // A named definition stands at other places too, where those are not beside it.
    if (others.length === 0 || !object.path.includes('.')) return;
    const beside = this.placeOf(object.type).beside;
    const known = beside.get(object.type) ?? new Set<string>();
    for (const { type } of others.flat()) {
      for (const name of Object.keys(type.properties)) known.add(name);
    }
    beside.set(object.type, known);
  }

  #meetObjects(objects: readonly ObjectSighting[]): void {
    const [first, ...rest] = objects;
    if (first === undefined || rest.length === 0) return;
    for (const object of rest) this.#join(first.type, object.type);
    const names = new Set(objects.flatMap(({ type }) => Object.keys(type.properties)));
    for (const name of names) {
      this.#meet(
        objects.flatMap(({ revision, type }) => {
          const property = type.properties[name];
          return property === undefined ? [] : [{ revision, type: property.type }];
        }),
      );
    }
    this.#meet(
      objects.flatMap(({ revision, type }) =>
        type.index === undefined ? [] : [{ revision, type: type.index }],
      ),
    );
  }

  #join(a: ObjectNode, b: ObjectNode): void {
    const into = this.placeOf(a);
    const from = this.placeOf(b);
    if (into === from) return;
    for (const object of from.objects) {
      into.objects.push(object);
      this.#places.set(object.type, into);
    }
    for (const [object, names] of from.beside) into.beside.set(object, names);
  }
}

function shareConstant(a: ObjectNode, b: ObjectNode): boolean {
  return Object.entries(a.properties).some(([name, { type }]) => {
    const other = b.properties[name]?.type;
    return type.kind === 'literal' && other?.kind === 'literal' && type.value === other.value;
  });
}

function mostAlike<T extends ObjectSighting>(
  groups: T[][],
  { type }: ObjectSighting,
): T[] | undefined {
  const score = (group: readonly T[]): number =>
    Math.max(
      ...group.map(
        (other) => Object.keys(other.type.properties).filter((p) => p in type.properties).length,
      ),
    );
  return [...groups].sort((a, b) => score(b) - score(a))[0];
}
