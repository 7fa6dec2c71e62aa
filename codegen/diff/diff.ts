/** What changed between two revisions, message by message, as plain data. */
import type { Method, ObjectNode, Property, Sender, TypeNode } from '../model.js';
import { methodsOf } from '../methods.js';
import { OPAQUE, type Member, type Places, type Sighting } from '../places/places.js';
import type { Effect, Effects, Spot } from './effects.js';
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
  edge?: Effect[];
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
  /** What the edge does about it, for peers of either revision. */
  edge?: Effect[];
}

/** With `effects`, each change says what the edge does about it. */
export function diffRevisions(
  places: Places,
  from: string,
  to: string,
  effects?: Effects,
): RevisionDiff {
  const older = new Map(methodsIn(places, from).map((method) => [method.method, method]));
  const newer = new Map(methodsIn(places, to).map((method) => [method.method, method]));
  const names = [...new Set([...older.keys(), ...newer.keys()])].sort();
  const messages: MessageDiff[] = [];
  for (const name of names) {
    const was = older.get(name);
    const now = newer.get(name);
    if (was !== undefined && now !== undefined)
      messages.push(...messageDiffs(places, from, to, was, now, effects));
  }
  return {
    from,
    to,
    methods: names
      .flatMap((name) => methodChange(name, older.get(name), newer.get(name)))
      .map((change) => ({ ...change, ...(effects && methodEffects(effects, change, from, to)) })),
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

function methodEffects(
  effects: Effects,
  { method, change }: MethodChange,
  from: string,
  to: string,
): { edge: Effect[] } {
  if (change === 'removed') return { edge: [{ peer: to, ...GONE }] };
  const decided = effects.of(from, ['method'], { names: [method], method });
  return { edge: [decided ?? { peer: from, ...ASKED }] };
}

const GONE = {
  outcome: 'never sent',
  reason: 'A method of another revision; a peer that sends it is told that it does not exist.',
} as const;
const ASKED = {
  outcome: 'kept',
  reason: 'Sent in the form that the revision has for it.',
} as const;

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
  effects: Effects | undefined,
): MessageDiff[] {
  const { method, senders } = now;
  const diff = new Walk(places, from, to, method, effects);
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

  constructor(
    private readonly places: Places,
    private readonly from: string,
    private readonly to: string,
    private readonly method: string,
    private readonly effects: Effects | undefined,
  ) {}

  between(was: Sighting, now: Sighting): FieldChange[] {
    this.#changes = [];
    this.#walk('', was, now, []);
    return this.#changes;
  }

  /** `names`: what decisions may call the place at `path`. */
  #found(change: FieldChange, names: readonly string[]): void {
    const spot = { names, method: this.method };
    const edge = this.effects && this.#edge(this.effects, change, spot);
    this.#changes.push({ ...change, ...(edge && { edge }) });
  }

  #edge(effects: Effects, { kind, now, was }: FieldChange, spot: Spot): Effect[] {
    const { from, to } = this;
    switch (kind) {
      case 'added':
        return [effects.of(from, ['field', 'type'], spot) ?? { peer: from, ...AS_IT_IS }];
      case 'removed': {
        const absent = isAuthors(spot.names) ? AUTHORS : NOT_MADE;
        const lost = effects.of(to, ['field'], spot) ?? { peer: to, ...absent };
        const owed = effects.of(from, ['required'], spot);
        return owed === undefined ? [lost] : [owed, lost];
      }
      case 'optionality':
        return [effects.of(from, ['required'], spot) ?? { peer: from, ...AS_IT_IS }];
      case 'union': {
        const names = [now ?? was ?? ''].map((name) => name.replace(/ .*/, ''));
        const peer = now === undefined ? to : from;
        return [effects.of(peer, ['member'], { ...spot, names }) ?? { peer, ...AS_IT_IS }];
      }
      case 'type':
      case 'constant': {
        const decided = [from, to].flatMap((peer) => effects.of(peer, ['type'], spot) ?? []);
        return decided.length > 0 ? decided : [{ peer: from, ...AS_IT_IS }];
      }
    }
  }

  #walk(path: string, was: Sighting, now: Sighting, names: readonly string[]): void {
    if (this.#open.has(now.type)) return;
    this.#open.add(now.type);
    const before = this.places.members(was);
    const after = this.places.members(now);
    this.#leaves(path, before, after, names);
    this.#objects(path, before.filter(isObject), after.filter(isObject), names);
    const items = [before, after].map((members) =>
      members.find(({ type }) => type.kind === 'array'),
    );
    const [older, newer] = items.map((member) => member && itemsOf(member));
    if (older !== undefined && newer !== undefined) this.#walk(`${path}[]`, older, newer, names);
    this.#open.delete(now.type);
  }

  /** Everything that is no object: kinds of values, constants, lists where there was one. */
  #leaves(
    path: string,
    before: readonly Member[],
    after: readonly Member[],
    names: readonly string[],
  ): void {
    const was = leafText(before);
    const now = leafText(after);
    if (was === now) return;
    const constants = [...before, ...after].every(({ type }) => type.kind === 'literal');
    const text = (leaf: string, members: readonly Member[]): string =>
      leaf || members.map(memberName).join(' | ');
    this.#found(
      {
        path,
        kind: constants ? 'constant' : 'type',
        was: text(was, before),
        now: text(now, after),
      },
      names,
    );
  }

  #objects(
    path: string,
    before: readonly ObjectMember[],
    after: readonly ObjectMember[],
    names: readonly string[],
  ): void {
    const left = new Set(before);
    const several = before.length > 1 || after.length > 1;
    for (const member of after) {
      const place = this.places.placeOf(member.type);
      const other =
        before.find((candidate) => this.places.placeOf(candidate.type) === place) ??
        (several ? undefined : before[0]);
      if (other === undefined) {
        if (before.length > 0) this.#found({ path, kind: 'union', now: memberName(member) }, names);
        continue;
      }
      left.delete(other);
      this.#properties(several ? `${path}(${memberName(member)})` : path, other, member);
    }
    for (const member of left) {
      if (after.length > 0) this.#found({ path, kind: 'union', was: memberName(member) }, names);
    }
  }

  #properties(path: string, was: ObjectMember, now: ObjectMember): void {
    const properties = new Set([
      ...Object.keys(was.type.properties),
      ...Object.keys(now.type.properties),
    ]);
    for (const name of [...properties].sort()) {
      const names = this.#names([was, now], name);
      const before = was.type.properties[name];
      const after = now.type.properties[name];
      const at = path === '' ? name : `${path}.${name}`;
      if (before === undefined && after !== undefined) {
        this.#found({ path: at, kind: 'added', now: propertyText(after) }, names);
      } else if (after === undefined && before !== undefined) {
        this.#found({ path: at, kind: 'removed', was: propertyText(before) }, names);
      } else if (before !== undefined && after !== undefined) {
        if (before.optional !== after.optional) {
          this.#found(
            { path: at, kind: 'optionality', was: presence(before), now: presence(after) },
            names,
          );
        }
        this.#walk(
          at,
          { revision: was.revision, type: before.type },
          { revision: now.revision, type: after.type },
          names,
        );
      }
    }
    if (was.type.index !== undefined && now.type.index !== undefined) {
      this.#walk(
        `${path}.*`,
        { revision: was.revision, type: was.type.index },
        { revision: now.revision, type: now.type.index },
        this.#names([was, now], '*'),
      );
    }
  }

  #names(objects: readonly ObjectMember[], property: string): string[] {
    const paths = objects.flatMap(({ type }) =>
      this.places.placeOf(type).objects.map(({ path }) => `${path}.${property}`),
    );
    return [...new Set(paths)];
  }
}

function isAuthors(names: readonly string[]): boolean {
  return names.some((name) => OPAQUE.has(name.split('.').slice(0, 2).join('.')));
}

const AS_IT_IS = { outcome: 'kept', reason: 'Arrives as the newest shape has it.' } as const;
const AUTHORS = {
  outcome: 'kept',
  reason: "An author's JSON Schema; it may have any keyword.",
} as const;
const NOT_MADE = { outcome: 'never sent', reason: 'The newest shape has no such field.' } as const;

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
