/** The legacy era: sessions, their GET stream and their end; and POSTs without a session. */
import type { FastifyReply } from 'fastify';
import type { Revision } from '../../../generated/revisions.js';
import { RpcError, unsupportedVersion } from '../../protocol/errors.js';
import type { JSONRPCRequest, Sorted } from '../../protocol/jsonrpc.js';
import type { Pending } from '../../server/contract.js';
import { HEADERLESS, LEGACY_REVISIONS, isRevision } from '../../server/era.js';
import { batchFault, serveBatch } from '../batch.js';
import type { HttpContext } from './context.js';
import type { Accepted, RequestHeaders } from './headers.js';
import { PostAnswer, postRequest } from './post-answer.js';
import { acceptSilently, refuse, refusedForLackOfStream } from './refuse.js';
import { parseEventId, replay } from './session-stream.js';
import type { Session } from './sessions.js';
import { SseStream } from './sse.js';

/** A request over HTTP that is no POST, or the part of one that does not depend on its body. */
export interface LegacyRequest {
  readonly reply: FastifyReply;
  readonly headers: RequestHeaders;
  readonly accepts: Accepted;
}

const SESSION_REPLY_HEADER = 'Mcp-Session-Id';

export function serveLegacy(http: HttpContext, sorted: Sorted, request: LegacyRequest): void {
  const session = sessionOf(http, request, sorted);
  if (session === 'refused') return;
  const { reply } = request;
  const revision = session?.revision ?? HEADERLESS;
  const post = postRequest(request, 'legacy', session);
  switch (sorted.kind) {
    case 'request':
      if (session === undefined && sorted.frame.method === 'initialize') {
        initialize(http, sorted.frame, request);
      } else if (!refusedForLackOfStream(sorted.frame, request, revision)) {
        const answer = new PostAnswer(http, post);
        answer.answer(http.core.request(sorted.frame, answer));
      }
      return;
    case 'notification':
      if (refusedVersion(request)) return;
      http.core.notification(sorted.frame, new PostAnswer(http, post));
      acceptSilently(reply);
      return;
    case 'response':
      if (refusedVersion(request)) return;
      if (http.core.response(sorted.frame, new PostAnswer(http, post))) acceptSilently(reply);
      else refuse(reply, 400, new RpcError('invalidRequest', 'No request waits for this response'));
      return;
    case 'invalid': {
      http.core.diagnostics.note('invalid-message', { reason: sorted.reason });
      const error = new RpcError('invalidRequest', sorted.reason);
      refuse(reply, 400, error, { id: sorted.id, revision });
    }
  }
}

/** The session lives if the handshake succeeds, and the client learns of it with the answer. */
function initialize(http: HttpContext, frame: JSONRPCRequest, request: LegacyRequest): void {
  const session = http.sessions.open();
  if (session === undefined) {
    const error = new RpcError('internal', 'Too many sessions');
    refuse(request.reply, 503, error, { id: frame.id, revision: HEADERLESS });
    return;
  }
  const answer = new PostAnswer(http, postRequest(request, 'legacy', session));
  answer.answer(http.core.request(frame, answer), (outcome) => {
    if (outcome?.errorCode === undefined) {
      request.reply.header(SESSION_REPLY_HEADER, session.id);
    } else {
      session.close();
    }
  });
}

export function serveLegacyBatch(
  http: HttpContext,
  elements: readonly unknown[],
  request: LegacyRequest,
): void {
  const session = sessionOf(http, request);
  if (session === 'refused' || refusedVersion(request)) return;
  const revision = session?.revision ?? statelessRevision(request.headers);
  const reason = batchFault(elements, revision, http.settings.maxBatch);
  if (reason !== undefined) {
    http.core.diagnostics.note('batch-refused', { reason });
    refuse(request.reply, 400, new RpcError('invalidRequest', reason));
    return;
  }
  const answer = new PostAnswer(http, postRequest(request, 'legacy', session, true));
  const started: Pending[] = [];
  const replies = serveBatch(http.core, elements, answer, revision, (pending) =>
    started.push(pending),
  );
  answer.answer({
    id: '',
    reply: replies.then((text) => (text === undefined ? undefined : { text })),
    cancel: (why) => started.forEach((pending) => pending.cancel(why)),
    endStream: () => started.forEach((pending) => pending.endStream?.()),
  });
}

/** GET: the stream of what belongs to no request, or one that broke, from where it did. */
export function openStream(http: HttpContext, request: LegacyRequest): void {
  const { reply, headers, accepts } = request;
  if (refusedVersion(request)) return;
  if (headers.session === undefined) {
    void reply.header('allow', 'POST');
    refuse(reply, 405, new RpcError('invalidRequest', 'GET opens the stream of a session only'));
    return;
  }
  const session = sessionOf(http, request);
  if (session === 'refused' || session === undefined) return;
  if (!accepts.sse) {
    const message = 'GET is answered by a stream: Accept has to admit text/event-stream';
    refuse(reply, 406, new RpcError('invalidRequest', message));
  } else if (headers.lastEventId !== undefined && session.resumable) {
    resume(http, session, headers.lastEventId, reply);
  } else if (session.notifications.attached) {
    refuse(reply, 409, new RpcError('invalidRequest', 'The session has its stream open already'));
  } else {
    session.notifications.attach(openSse(http, reply));
  }
}

function resume(
  http: HttpContext,
  session: Session,
  lastEventId: string,
  reply: FastifyReply,
): void {
  const last = parseEventId(lastEventId);
  const lasting = last === undefined ? undefined : session.stream(last.stream);
  if (last !== undefined && lasting !== undefined) {
    if (session.replayable(last.stream, last.number) === undefined) {
      http.core.diagnostics.note('events-forgotten', { lastEventId });
    }
    lasting.attach(openSse(http, reply), last.number);
    return;
  }
  const missed = last && session.replayable(last.stream, last.number);
  if (missed === undefined) {
    http.core.diagnostics.note('events-forgotten', { lastEventId });
    const message = `Last-Event-ID ${JSON.stringify(lastEventId)} is not known, or not any more`;
    refuse(reply, 400, new RpcError('invalidRequest', message));
  } else if (missed.length === 0) {
    // The stream is over and the client has all of it. This status is what ends its attempts.
    void reply.code(204).send();
  } else {
    const connection = openSse(http, reply);
    replay(connection, missed, true);
    connection.end();
  }
}

function openSse(http: HttpContext, reply: FastifyReply): SseStream {
  const connection = new SseStream(reply, http.settings, http.core.diagnostics);
  connection.flush();
  return connection;
}

/** DELETE: the client is done with its session. */
export function endSession(http: HttpContext, request: LegacyRequest): void {
  const { reply, headers } = request;
  if (refusedVersion(request)) return;
  if (headers.session === undefined) {
    const message = `DELETE needs the header ${SESSION_REPLY_HEADER}`;
    refuse(reply, 400, new RpcError('invalidRequest', message));
    return;
  }
  const session = sessionOf(http, request);
  if (session === 'refused' || session === undefined) return;
  session.close();
  void reply.code(204).send();
}

/** The session that the request names, if it names one; an unknown one is answered for. */
function sessionOf(
  http: HttpContext,
  { reply, headers }: LegacyRequest,
  sorted?: Sorted,
): Session | undefined | 'refused' {
  if (headers.session === undefined) return undefined;
  const session = http.sessions.find(headers.session);
  if (session !== undefined) return session;
  const id = sorted?.kind === 'request' ? sorted.frame.id : undefined;
  const error = new RpcError('invalidRequest', `The session in ${SESSION_REPLY_HEADER} is over`);
  refuse(reply, 404, error, { id, revision: HEADERLESS });
  return 'refused';
}

/** Requests are judged by the core, which answers with their id; this is for all else. */
function refusedVersion({ reply, headers }: LegacyRequest): boolean {
  const version = headers.protocolVersion;
  if (version === undefined || (LEGACY_REVISIONS as readonly string[]).includes(version)) {
    return false;
  }
  refuse(reply, 400, unsupportedVersion(version, LEGACY_REVISIONS));
  return true;
}

function statelessRevision({ protocolVersion }: RequestHeaders): Revision {
  return isRevision(protocolVersion) ? protocolVersion : HEADERLESS;
}
