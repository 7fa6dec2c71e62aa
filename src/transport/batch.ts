/** JSON-RPC batches: one frame with several messages, in the one revision that has them. */
import { FACTS } from '../../generated/facts.js';
import type { Revision } from '../../generated/revisions.js';
import type { Core, Exchange, Pending } from '../server/contract.js';
import { errorReply } from '../server/reply.js';
import { RpcError } from '../protocol/errors.js';
import { sortFrame } from '../protocol/jsonrpc.js';

/**
 * Why the array is refused as a whole, or undefined. One without any message in it is among them: no
 * element of it could be answered by itself, and the sender is not to take silence for success.
 */
export function batchFault(
  elements: readonly unknown[],
  revision: Revision,
  maxBatch: number,
): string | undefined {
  if (!FACTS[revision].batching) return `${revision} has no batches: send one message at a time`;
  if (elements.length === 0) return 'a batch needs at least one message';
  if (elements.length > maxBatch) return `a batch may have ${maxBatch} messages at most`;
  let reason: string | undefined;
  for (const [at, element] of elements.entries()) {
    const sorted = sortFrame(element);
    if (sorted.kind !== 'invalid' || sorted.id !== undefined) return undefined;
    reason ??= `/${at}: ${sorted.reason}`;
  }
  return `no element of the batch is a message: ${reason ?? ''}`;
}

/**
 * Serves the elements side by side. Resolves to the array of their replies as text, or to undefined
 * where none is owed. `exchange` has to say `batched`. Elements that are no message are answered if they
 * have an id, for a batch is of a revision that has no error without one. `started` gets every request.
 */
export async function serveBatch(
  core: Core,
  elements: readonly unknown[],
  exchange: Exchange,
  revision: Revision,
  started?: (pending: Pending) => void,
): Promise<string | undefined> {
  const replies = await Promise.all(
    elements.map(async (element) => {
      const sorted = sortFrame(element);
      switch (sorted.kind) {
        case 'request': {
          const pending = core.request(sorted.frame, exchange);
          started?.(pending);
          return (await pending.reply)?.text;
        }
        case 'notification':
          core.notification(sorted.frame, exchange);
          return undefined;
        case 'response':
          core.response(sorted.frame, exchange);
          return undefined;
        case 'invalid': {
          if (sorted.id === undefined) {
            core.diagnostics.note('invalid-message', { reason: sorted.reason });
            return undefined;
          }
          const error = new RpcError('invalidRequest', sorted.reason);
          return errorReply(revision, sorted.id, error).text;
        }
      }
    }),
  );
  const texts = replies.filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`;
}
