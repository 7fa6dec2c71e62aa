/** Which methods a revision has, of which kind, and who sends them: read off its role unions. */
import type { Method, Model, ObjectNode, Sender, TypeNode } from './model.js';

interface Role {
  union: string;
  kind: Method['kind'];
  sender: Sender;
}

const ROLES: readonly Role[] = [
  { union: 'ClientRequest', kind: 'request', sender: 'client' },
  { union: 'ServerRequest', kind: 'request', sender: 'server' },
  { union: 'InputRequest', kind: 'inputRequest', sender: 'server' },
  { union: 'ClientNotification', kind: 'notification', sender: 'client' },
  { union: 'ServerNotification', kind: 'notification', sender: 'server' },
];

/** Sorted by method. */
export function methodsOf(model: Model): Method[] {
  const found = new Map<string, Method>();
  for (const role of ROLES) {
    const union = model.definitions[role.union];
    if (!union) continue;
    for (const name of referencedNames(union.type, model)) add(found, name, role, model);
  }
  return [...found.values()].sort(byMethod);
}

/**
 * An extension has no role unions: every `…Request` it declares is a client's, every `…Notification`
 * a server's.
 */
export function extensionMethodsOf(model: Model): Method[] {
  const found = new Map<string, Method>();
  for (const name of Object.keys(model.definitions)) {
    if (name.endsWith('Request'))
      add(found, name, { union: '', kind: 'request', sender: 'client' }, model);
    if (name.endsWith('Notification')) {
      add(found, name, { union: '', kind: 'notification', sender: 'server' }, model);
    }
  }
  return [...found.values()].sort(byMethod);
}

function add(found: Map<string, Method>, definition: string, role: Role, model: Model): void {
  const method = methodName(definition, model);
  const known = found.get(method);
  if (known) {
    if (!known.senders.includes(role.sender))
      known.senders = [...known.senders, role.sender].sort();
    return;
  }
  const result = role.kind === 'notification' ? undefined : resultOf(definition, model);
  found.set(method, {
    method,
    kind: role.kind,
    definition,
    ...(result !== undefined && { result }),
    senders: [role.sender],
  });
}

/** `XRequest` is answered with `XResult`, or with the empty result where there is no such definition. */
function resultOf(definition: string, model: Model): string {
  const result = definition.replace(/Request$/, 'Result');
  return result in model.definitions ? result : 'EmptyResult';
}

/** Names of the object definitions a union leads to; aliases of unions are followed. */
function referencedNames(node: TypeNode, model: Model): string[] {
  if (node.kind === 'union')
    return node.members.flatMap((member) => referencedNames(member, model));
  if (node.kind !== 'ref') return [];
  const target = model.definitions[node.name];
  return target?.type.kind === 'union' ? referencedNames(target.type, model) : [node.name];
}

function methodName(definition: string, model: Model): string {
  const type = model.definitions[definition]?.type;
  const method = type && propertyOf(type, 'method', model);
  if (method?.kind !== 'literal') {
    throw new Error(`${model.source}: ${definition} has no constant method`);
  }
  return String(method.value);
}

function propertyOf(node: TypeNode, name: string, model: Model): TypeNode | undefined {
  if (node.kind === 'object') return (node satisfies ObjectNode).properties[name]?.type;
  if (node.kind === 'ref') {
    const target = model.definitions[node.name];
    return target && propertyOf(target.type, name, model);
  }
  if (node.kind !== 'intersection') return undefined;
  const found = node.members.map((member) => propertyOf(member, name, model));
  return found.find((type) => type?.kind === 'literal') ?? found.find(Boolean);
}

function byMethod(a: Method, b: Method): number {
  return a.method < b.method ? -1 : 1;
}
