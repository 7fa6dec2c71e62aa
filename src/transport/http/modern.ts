/** POSTs of the modern era: each stands for itself (2026-07-28, basic/transports/streamable-http). */
import { NEWEST } from '../../../generated/revisions.js';
import { RpcError } from '../../protocol/errors.js';
import type { Sorted } from '../../protocol/jsonrpc.js';
import type { HttpContext } from './context.js';
import { PostAnswer, type PostRequest } from './post-answer.js';
import { acceptSilently, refuse, refusedForLackOfStream } from './refuse.js';

export function serveModern(http: HttpContext, sorted: Sorted, request: PostRequest): void {
  const { reply } = request;
  switch (sorted.kind) {
    case 'request': {
      const { frame } = sorted;
      if (refusedForLackOfStream(frame, request, NEWEST)) return;
      const answer = new PostAnswer(http, request);
      answer.answer(http.core.request(frame, answer));
      return;
    }
    case 'notification':
      http.core.notification(sorted.frame, new PostAnswer(http, request));
      acceptSilently(reply);
      return;
    case 'response': {
      http.core.diagnostics.note('response-unexpected');
      const message = 'No request waits for a response: a modern server sends none';
      refuse(reply, 400, new RpcError('invalidRequest', message));
      return;
    }
    case 'invalid': {
      http.core.diagnostics.note('invalid-message', { reason: sorted.reason });
      const error = new RpcError('invalidRequest', sorted.reason);
      refuse(reply, 400, error, { id: sorted.id, revision: NEWEST });
    }
  }
}
