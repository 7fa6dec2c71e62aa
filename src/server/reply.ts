/** Frames to a client as text: replies, errors, notifications, each spelled for a revision. */
import type { Revision } from '../../generated/revisions.js';
import type { Edge, ResultContext } from '../edge/contract.js';
import { edgeFor } from '../edge/edge.js';
import { encode, encodeResult } from '../edge/outgoing.js';
import type { RpcError } from '../protocol/errors.js';
import { JSONRPC_VERSION, type RequestId } from '../protocol/jsonrpc.js';
import type { Reply } from './contract.js';

/** The result of a request as text that was prepared and checked before, for one revision. */
export class PreparedResult {
  constructor(readonly text: string) {}
}

/** `result` of the newest shape as prepared text. Throws where the revision cannot carry it. */
export function prepareResult(
  edge: Edge,
  method: string,
  result: object,
  context: ResultContext,
): PreparedResult {
  const outgoing = { revision: edge.revision, sender: 'server', kind: 'result', method } as const;
  return new PreparedResult(encodeResult(outgoing, edge.result(method, result, context)));
}

export function resultReply(id: RequestId, { text }: PreparedResult): Reply {
  return { text: `{"jsonrpc":"2.0","id":${idText(id)},"result":${text}}` };
}

/** Without an id only where the one to answer with could not be read. */
export function errorReply(
  revision: Revision,
  id: RequestId | undefined,
  error: RpcError,
  method?: string,
): Reply {
  const object = edgeFor(revision).error(error);
  const frame = { jsonrpc: JSONRPC_VERSION, ...(id === undefined ? {} : { id }), error: object };
  const text = encode({ revision, sender: 'server', kind: 'error', method }, frame);
  return { text, errorCode: object.code };
}

/** Undefined where the revision has no such notification, or cannot say this one. */
export function notificationText(
  edge: Edge,
  method: string,
  params: object | undefined,
): string | undefined {
  const sent = edge.notification(method, params);
  if (sent === undefined) return undefined;
  const outgoing = {
    revision: edge.revision,
    sender: 'server',
    kind: 'notification',
    method,
  } as const;
  const frame =
    sent.params === undefined
      ? { jsonrpc: JSONRPC_VERSION, method }
      : { jsonrpc: JSONRPC_VERSION, method, params: sent.params };
  return encode(outgoing, frame);
}

/** A raw number prints as its literal. */
function idText(id: RequestId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id);
}
