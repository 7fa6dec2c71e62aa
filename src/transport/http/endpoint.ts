/** One address for both eras: reads what came, and hands it to the era it belongs to. */
import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NEWEST, type Era } from '../../../generated/revisions.js';
import { RpcError } from '../../protocol/errors.js';
import { parseJson } from '../../protocol/json.js';
import { isObject, sortFrame, type RequestId } from '../../protocol/jsonrpc.js';
import { speaksModern } from '../../server/classify.js';
import type { Core } from '../../server/contract.js';
import { namesModernEra } from '../../server/era.js';
import type { HttpContext } from './context.js';
import { RequestHeaders, accepted } from './headers.js';
import { InFlight } from './in-flight.js';
import { endSession, openStream, serveLegacy, serveLegacyBatch } from './legacy.js';
import { serveModern } from './modern.js';
import { postRequest } from './post-answer.js';
import { refuse, refuseForDraining } from './refuse.js';
import { Sessions } from './sessions.js';
import type { HttpSettings } from './settings.js';

export class Endpoint implements HttpContext {
  readonly sessions: Sessions;
  readonly inFlight = new InFlight();

  constructor(
    readonly core: Core,
    readonly settings: HttpSettings,
  ) {
    this.sessions = new Sessions(core, settings);
  }

  /** `request.body` holds the bytes, as they came. */
  post(request: FastifyRequest, reply: FastifyReply): void {
    let value: unknown;
    try {
      value = parseBody(request.body as Buffer | undefined);
      // A stream would keep the bytes for as long as it lasts.
      request.body = undefined;
    } catch (error) {
      const message = `Parse error: ${(error as Error).message}`;
      this.core.diagnostics.note('invalid-message', { reason: message });
      refuse(reply, 400, new RpcError('parseError', message));
      return;
    }
    const headers = new RequestHeaders(request.headers);
    const of = { reply, headers, accepts: accepted(request.headers.accept) };
    if (Array.isArray(value)) {
      if (this.#refusedForDraining(reply)) return;
      if (isModern(undefined, headers)) refuseModernBatch(reply);
      else serveLegacyBatch(this, value, of);
      return;
    }
    const sorted = sortFrame(value);
    const era = isModern(value, headers) ? 'modern' : 'legacy';
    if (
      sorted.kind === 'request' &&
      this.#refusedForDraining(reply, { id: sorted.frame.id, era })
    ) {
      return;
    }
    if (era === 'modern') serveModern(this, sorted, postRequest(of, era));
    else serveLegacy(this, sorted, of);
  }

  get(request: FastifyRequest, reply: FastifyReply): void {
    const headers = new RequestHeaders(request.headers);
    if (this.#refusedForDraining(reply) || refusedToModern('GET', reply, headers)) return;
    openStream(this, { reply, headers, accepts: accepted(request.headers.accept) });
  }

  delete(request: FastifyRequest, reply: FastifyReply): void {
    const headers = new RequestHeaders(request.headers);
    if (refusedToModern('DELETE', reply, headers)) return;
    endSession(this, { reply, headers, accepts: accepted(request.headers.accept) });
  }

  /** Takes no more requests, answers those in flight or cancels them after `graceMs`, ends the sessions. */
  async drain(graceMs: number): Promise<void> {
    await this.inFlight.drain(graceMs);
    this.sessions.closeAll();
  }

  /** Responses and cancellations still come through: requests in flight may wait for them. */
  #refusedForDraining(reply: FastifyReply, request?: { id: RequestId; era: Era }): boolean {
    if (!this.inFlight.draining) return false;
    this.core.diagnostics.note('overloaded', { why: 'shutting down' });
    refuseForDraining(reply, request);
    return true;
  }
}

function parseBody(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) throw new Error('the body is empty');
  if (!isUtf8(body)) throw new Error('the body is not UTF-8');
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    throw new Error('the body is not JSON');
  }
}

function isModern(value: unknown, { protocolVersion }: RequestHeaders): boolean {
  const { method, params } = isObject(value) ? value : {};
  return speaksModern({ method, params: isObject(params) ? params : undefined }, protocolVersion);
}

function refuseModernBatch(reply: FastifyReply): void {
  const message = `${NEWEST} has no batches: one message a POST`;
  refuse(reply, 400, new RpcError('invalidRequest', message));
}

/** The modern era has POST alone. */
function refusedToModern(
  method: string,
  reply: FastifyReply,
  { protocolVersion }: RequestHeaders,
): boolean {
  if (protocolVersion === undefined || !namesModernEra(protocolVersion)) return false;
  void reply.header('allow', 'POST');
  const message = `${method} is not part of ${protocolVersion}; there is POST alone`;
  refuse(reply, 405, new RpcError('invalidRequest', message));
  return true;
}
