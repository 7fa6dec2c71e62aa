/**
 * The model as revisions are compared: what they say in different ways is said in one.
 *
 * - An intersection of objects is the object with the properties of all.
 * - `_meta` of params stands in `Request` and `Notification` up to 2025-06-18 and is inherited by what
 *   redeclares `params`; from 2025-11-25 each params type says so itself.
 * - What only the prose of a revision reserves is declared like the rest.
 */
import type { Definition, Model, ObjectNode, Property, TypeNode } from '../model.js';

interface ProseField {
  revision: string;
  /** Whose `_meta` it is. */
  of: 'params and results';
  key: string;
  type: string;
}

/** 2025-11-25, basic/utilities/tasks, Associating task-related messages. */
const PROSE_FIELDS: readonly ProseField[] = [
  {
    revision: '2025-11-25',
    of: 'params and results',
    key: 'io.modelcontextprotocol/related-task',
    type: 'RelatedTaskMetadata',
  },
];

/** A new model; no object node of it is shared, so each stands for one place. */
export function normalModel(source: Model): Model {
  const model = structuredClone(source);
  for (const definition of Object.values(model.definitions)) {
    definition.type = flat(definition.type, model);
  }
  inheritParamsMeta(model);
  for (const field of PROSE_FIELDS) {
    if (field.revision === model.source) addToMeta(model, field);
  }
  // Flattening copies references to nodes; from here on each place has its own.
  return JSON.parse(JSON.stringify(model)) as Model;
}

function flat(node: TypeNode, model: Model): TypeNode {
  switch (node.kind) {
    case 'object':
      return {
        ...node,
        properties: mapValues(node.properties, (property) => ({
          ...property,
          type: flat(property.type, model),
        })),
        ...(node.index !== undefined && { index: flat(node.index, model) }),
      };
    case 'array':
      return { ...node, items: flat(node.items, model) };
    case 'union':
      return { ...node, members: node.members.map((member) => flat(member, model)) };
    case 'intersection':
      return flatIntersection(node.members, model);
    default:
      return node;
  }
}

/** Stays an intersection where a member is something else than an object. */
function flatIntersection(members: readonly TypeNode[], model: Model): TypeNode {
  const objects = members.map((member) => objectOf(flat(member, model), model));
  if (!objects.every((object) => object !== undefined)) {
    return { kind: 'intersection', members: members.map((member) => flat(member, model)) };
  }
  const index = objects.find((object) => object.index !== undefined)?.index;
  const properties = Object.assign({}, ...objects.map((object) => object.properties)) as Record<
    string,
    Property
  >;
  return { kind: 'object', properties: sorted(properties), ...(index !== undefined && { index }) };
}

function objectOf(node: TypeNode, model: Model): ObjectNode | undefined {
  if (node.kind === 'object') return node;
  if (node.kind !== 'ref') return undefined;
  const target = model.definitions[node.name];
  return target && objectOf(flat(target.type, model), model);
}

function inheritParamsMeta(model: Model): void {
  for (const base of ['Request', 'Notification']) {
    const inherited = metaOfParams(model.definitions[base]);
    if (inherited === undefined) continue;
    for (const definition of Object.values(model.definitions)) {
      const params = paramsOf(definition);
      if (!definition.name.endsWith(base) || params === undefined) continue;
      params.properties = sorted({ _meta: structuredClone(inherited), ...params.properties });
    }
  }
}

function metaOfParams(definition: Definition | undefined): Property | undefined {
  return definition && paramsOf(definition)?.properties['_meta'];
}

function paramsOf({ type }: Definition): ObjectNode | undefined {
  const params = type.kind === 'object' ? type.properties['params']?.type : undefined;
  return params?.kind === 'object' ? params : undefined;
}

function addToMeta(model: Model, { key, type }: ProseField): void {
  for (const { name, type: node } of Object.values(model.definitions)) {
    if (node.kind !== 'object' || !/(Params|Result)$/.test(name)) continue;
    const meta = node.properties['_meta']?.type;
    if (meta?.kind !== 'object') continue;
    meta.properties = sorted({
      ...meta.properties,
      [key]: { optional: true, type: { kind: 'ref', name: type } },
    });
  }
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
