/** Which handler answers which method, and to whom the method exists. */
import { METHODS } from '../../../generated/methods.js';
import { REVISIONS, type Revision } from '../../../generated/revisions.js';
import type { Peer } from '../../protocol/peer.js';
import type { MethodFamily, MethodHandler } from '../serving.js';
import { completion } from './completion.js';
import { lifecycle } from './lifecycle.js';
import { logging } from './logging.js';
import { prompts } from './prompts.js';
import { resources } from './resources.js';
import { subscriptions } from './subscriptions.js';
import { tasks } from './tasks.js';
import { tools } from './tools.js';

const families: readonly MethodFamily[] = [
  lifecycle,
  tools,
  prompts,
  resources,
  completion,
  logging,
  subscriptions,
  tasks,
];

const handlers: ReadonlyMap<string, MethodHandler> = new Map(
  families.flatMap((family) => Object.entries(family)),
);

/** Requests that clients send, by revision. */
const requests: ReadonlyMap<Revision, ReadonlySet<string>> = new Map(
  REVISIONS.map(({ revision }) => {
    const methods = Object.entries(METHODS[revision]).filter(
      ([, { kind, senders }]) => kind === 'request' && senders.includes('client'),
    );
    return [revision, new Set(methods.map(([method]) => method))];
  }),
);

/** Undefined: to this peer there is no such method. */
export function handlerFor(method: string, peer: Peer): MethodHandler | undefined {
  const handler = handlers.get(method);
  if (handler === undefined) return undefined;
  if (requests.get(peer.revision)?.has(method) === true) return handler;
  return peer.era === 'legacy' && handler.harmlessToLegacy === true ? handler : undefined;
}
