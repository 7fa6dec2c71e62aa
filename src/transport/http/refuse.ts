/** Answers of the transport itself: errors that no request of the core was made for, and nothing. */
import type { FastifyReply } from 'fastify';
import { NEWEST, NEWEST_LEGACY, type Era, type Revision } from '../../../generated/revisions.js';
import { RpcError } from '../../protocol/errors.js';
import type { JSONRPCRequest, RequestId } from '../../protocol/jsonrpc.js';
import { errorReply } from '../../server/reply.js';
import type { Accepted } from './headers.js';

export const JSON_TYPE = 'application/json';

/**
 * Without an id the error belongs to the HTTP exchange and to no request, so it is of no session's
 * revision; the newest spells it, which has errors without one.
 */
export function refuse(
  reply: FastifyReply,
  status: number,
  error: RpcError,
  about?: { readonly id: RequestId | undefined; readonly revision: Revision },
): void {
  const revision = about?.id === undefined ? NEWEST : about.revision;
  sendJson(reply, status, errorReply(revision, about?.id, error).text);
}

/** `text` is a frame as it goes on the wire. */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  void reply.code(status).header('content-type', JSON_TYPE).send(text);
}

/** A notification or a response that was taken. */
export function acceptSilently(reply: FastifyReply): void {
  void reply.code(202).send();
}

/** The server ends. `request` is the one that is not served, where it is a single one. */
export function refuseForDraining(
  reply: FastifyReply,
  request?: { readonly id: RequestId; readonly era: Era },
): void {
  void reply.header('connection', 'close');
  const error = new RpcError('internal', 'The server is shutting down');
  const revision = request?.era === 'legacy' ? NEWEST_LEGACY : NEWEST;
  refuse(reply, 503, error, { id: request?.id, revision });
}

const LISTEN = 'subscriptions/listen';

/** The one method whose reply alone, at the very end, would be of no use. True if it was refused. */
export function refusedForLackOfStream(
  { id, method }: JSONRPCRequest,
  { reply, accepts }: { readonly reply: FastifyReply; readonly accepts: Accepted },
  revision: Revision,
): boolean {
  if (accepts.sse || method !== LISTEN) return false;
  const message = `${LISTEN} is answered by a stream: Accept has to admit text/event-stream`;
  refuse(reply, 406, new RpcError('invalidRequest', message), { id, revision });
  return true;
}
