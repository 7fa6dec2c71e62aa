/** What a frame is: who sends it to whom, as far as it says itself. */
import { METHODS, type Sender } from '../../generated/methods.js';
import type { Revision } from '../../generated/revisions.js';
import type { Outgoing } from '../edge/contract.js';
import { sortFrame } from '../protocol/jsonrpc.js';

export interface Told {
  readonly revision: Revision;
  /** Of a response: the method it answers. */
  readonly method?: string;
  readonly sender?: Sender;
}

/** Throws where the method that a result answers has to be told and is not. */
export function outgoingOf({ revision, method, sender }: Told, frame: unknown): Outgoing {
  const sorted = sortFrame(frame);
  if (sorted.kind === 'invalid') {
    return { revision, sender: sender ?? 'server', kind: 'request', method };
  }
  if (sorted.kind !== 'response') {
    const own = sorted.frame.method;
    const senders = METHODS[revision][own]?.senders ?? [];
    return { revision, sender: sender ?? senders[0] ?? 'server', kind: sorted.kind, method: own };
  }
  if ('error' in sorted.frame) {
    return { revision, sender: sender ?? 'server', kind: 'error', method };
  }
  if (method === undefined) {
    throw new Error('method is missing: a result is judged by the method it answers');
  }
  const asks = METHODS[revision][method]?.senders[0] ?? 'client';
  const answers = asks === 'client' ? 'server' : 'client';
  return { revision, sender: sender ?? answers, kind: 'result', method };
}
