/** What changed between two revisions, message by message, as plain data. */
import type { Method, ObjectNode, Property, Sender, TypeNode } from '../model.js';
import { methodsOf } from '../methods.js';
import type { Member, Places, Sighting } from '../places/places.js';
import { typeText } from './type-text.js';

export interface RevisionDiff {
  from: string;
  to: string;
  methods: MethodChange[];
  /** Of methods that both have; only those in which something changed. */
  messages: MessageDiff[];
  constants: FieldChange[];
}

export interface MethodChange {
  method: string;
  change: 'added' | 'removed' | 'changed';
  /** In words: `request of the client`. */
  was?: string;
  now?: string;
}

export interface MessageDiff {
  method: string;
  part: 'request' | 'notification' | 'result';
  senders: Sender[];
  changes: FieldChange[];
}

export interface FieldChange {
  /** `tools[].icons`; `content[](AudioContent)` inside one member of a union. */
  path: string;
  kind: 'added' | 'removed' | 'optionality' | 'type' | 'union' | 'constant';
  was?: string;
  now?: string;
}

export function diffRevisions(places: Places, from: string, to: string): RevisionDiff {
  const older = new Map(methodsIn(places, from).map((method) => [method.method, method]));
  const newer = new Map(methodsIn(places, to).map((method) => [method.method, method]));
  const names = [...new Set([...older.keys(), ...newer.keys()])].sort();
  const messages: MessageDiff[] = [];
  for (const name of names) {
    const was = older.get(name);
    const now = newer.get(name);
    if (was !== undefined && now !== undefined)
      messages.push(...messageDiffs(places, from, to, was, now));
  }
  return {
    from,
    to,
    methods: names.flatMap((name) => methodChange(name, older.get(name), newer.get(name))),
    messages: messages.filter(({ changes }) => changes.length > 0),
    constants: constantChanges(places, from, to),
  };
}

function methodsIn(places: Places, revision: string): Method[] {
  const model = places.models[revision];
  if (model === undefined) throw new Error(`no model of revision ${revision}`);
  return methodsOf(model);
}

function methodChange(name: string, was?: Method, now?: Method): MethodChange[] {
  const before = was && methodText(was);
  const after = now && methodText(now);
  if (before === after) return [];
  if (before === undefined) return [{ method: name, change: 'added', now: after }];
  if (after === undefined) return [{ method: name, change: 'removed', was: before }];
  return [{ method: name, change: 'changed', was: before, now: after }];
}

export function methodText({ kind, senders }: Method): string {
  const who = senders.map((sender) => `the ${sender}`).join(' or ');
  return kind === 'inputRequest' ? 'question inside a result' : `${kind} of ${who}`;
}

function messageDiffs(
  places: Places,
  from: string,
  to: string,
  was: Method,
  now: Method,
): MessageDiff[] {
  const diff = new Walk(places);
  const { method, senders } = now;
  const params = diff.between(paramsOf(places, from, was), paramsOf(places, to, now));
  const part = now.kind === 'notification' ? 'notification' : 'request';
  const messages: MessageDiff[] = [{ method, part, senders, changes: params }];
  if (was.result !== undefined && now.result !== undefined) {
    const answered = senders.map((sender): Sender => (sender === 'client' ? 'server' : 'client'));
    const changes = diff.between(
      definition(places, from, was.result),
      definition(places, to, now.result),
    );
    messages.push({ method, part: 'result', senders: answered, changes });
  }
  return messages;
}

function definition(places: Places, revision: string, name: string): Sighting {
  const type = places.models[revision]?.definitions[name]?.type;
  if (type === undefined) throw new Error(`${revision} has no ${name}`);
  return { revision, type };
}

const NOTHING: TypeNode = { kind: 'object', properties: {} };

function paramsOf(places: Places, revision: string, method: Method): Sighting {
  const { type } = definition(places, revision, method.definition);
  const params = (type as ObjectNode).properties['params'];
  return { revision, type: params?.type ?? NOTHING };
}

class Walk {
  #changes: FieldChange[] = [];
  readonly #open = new Set<TypeNode>();

  constructor(private readonly places: Places) {}

  between(was: Sighting, now: Sighting): FieldChange[] {
    this.#changes = [];
    this.#walk('', was, now);
    return this.#changes;
  }

  #walk(path: string, was: Sighting, now: Sighting): void {
    if (this.#open.has(now.type)) return;
    this.#open.add(now.type);
    const before = this.places.members(was);
    const after = this.places.members(now);
    this.#leaves(path, before, after);
    this.#objects(path, before.filter(isObject), after.filter(isObject));
    const items = [before, after].map((members) =>
      members.find(({ type }) => type.kind === 'array'),
    );
    const [older, newer] = items.map((member) => member && itemsOf(member));
    if (older !== undefined && newer !== undefined) this.#walk(`${path}[]`, older, newer);
    this.#open.delete(now.type);
  }

  /** Everything that is no object: kinds of values, constants, lists where there was one. */
  #leaves(path: string, before: readonly Member[], after: readonly Member[]): void {
    const was = leafText(before);
    const now = leafText(after);
    if (was === now) return;
    const constants = [...before, ...after].every(({ type }) => type.kind === 'literal');
    const text = (leaf: string, members: readonly Member[]): string =>
      leaf || members.map(memberName).join(' | ');
    this.#changes.push({
      path,
      kind: constants ? 'constant' : 'type',
      was: text(was, before),
      now: text(now, after),
    });
  }

  #objects(path: string, before: readonly ObjectMember[], after: readonly ObjectMember[]): void {
    const left = new Set(before);
    const several = before.length > 1 || after.length > 1;
    for (const member of after) {
      const place = this.places.placeOf(member.type);
      const other =
        before.find((candidate) => this.places.placeOf(candidate.type) === place) ??
        (several ? undefined : before[0]);
      if (other === undefined) {
        if (before.length > 0) this.#changes.push({ path, kind: 'union', now: memberName(member) });
        continue;
      }
      left.delete(other);
      this.#properties(several ? `${path}(${memberName(member)})` : path, other, member);
    }
    for (const member of left) {
      if (after.length > 0) this.#changes.push({ path, kind: 'union', was: memberName(member) });
    }
  }

  #properties(path: string, was: ObjectMember, now: ObjectMember): void {
    const names = new Set([
      ...Object.keys(was.type.properties),
      ...Object.keys(now.type.properties),
    ]);
    for (const name of [...names].sort()) {
      const before = was.type.properties[name];
      const after = now.type.properties[name];
      const at = path === '' ? name : `${path}.${name}`;
      if (before === undefined && after !== undefined) {
        this.#changes.push({ path: at, kind: 'added', now: propertyText(after) });
      } else if (after === undefined && before !== undefined) {
        this.#changes.push({ path: at, kind: 'removed', was: propertyText(before) });
      } else if (before !== undefined && after !== undefined) {
        if (before.optional !== after.optional) {
          this.#changes.push({
            path: at,
            kind: 'optionality',
            was: presence(before),
            now: presence(after),
          });
        }
        this.#walk(
          at,
          { revision: was.revision, type: before.type },
          { revision: now.revision, type: after.type },
        );
      }
    }
    if (was.type.index !== undefined && now.type.index !== undefined) {
      this.#walk(
        `${path}.*`,
        { revision: was.revision, type: was.type.index },
        { revision: now.revision, type: now.type.index },
      );
    }
  }
}

type ObjectMember = Member & { type: ObjectNode };

function isObject(member: Member): member is ObjectMember {
  return member.type.kind === 'object';
}

function itemsOf({ revision, type }: Member): Sighting | undefined {
  return type.kind === 'array' ? { revision, type: type.items } : undefined;
}

function leafText(members: readonly Member[]): string {
  const texts = members
    .filter((member) => !isObject(member))
    .map(({ type }) => (type.kind === 'array' ? 'list' : typeText(type)));
  return [...new Set(texts)].sort().join(' | ');
}

function memberName({ name, type }: Member): string {
  return name ?? typeText(type);
}

function presence({ optional }: Property): string {
  return optional ? 'optional' : 'required';
}

function propertyText(property: Property): string {
  return `${presence(property)} ${typeText(property.type)}`;
}

function constantChanges(places: Places, from: string, to: string): FieldChange[] {
  const was = places.models[from]?.constants ?? {};
  const now = places.models[to]?.constants ?? {};
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].sort().flatMap((name) => {
    if (was[name] === now[name]) return [];
    return [
      {
        path: name,
        kind: 'constant' as const,
        ...(name in was && { was: JSON.stringify(was[name]) }),
        ...(name in now && { now: JSON.stringify(now[name]) }),
      },
    ];
  });
}
