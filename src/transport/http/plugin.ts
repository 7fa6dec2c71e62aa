/** Streamable HTTP as a plugin: for an application of somebody's own, and for mcpx's. */
import type { AddressInfo } from 'node:net';
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { RpcError } from '../../protocol/errors.js';
import type { Core } from '../../server/contract.js';
import { allowReading, answerPreflight, isPreflight } from './cors.js';
import { Endpoint } from './endpoint.js';
import { Guard } from './guard.js';
import { accepted } from './headers.js';
import { JSON_TYPE, refuse } from './refuse.js';
import { httpSettings, type HttpSettings } from './settings.js';

const ALLOWED = ['GET', 'POST', 'DELETE'];

/**
 * Mounts the endpoint at `path`. What it changes of Fastify (the parsing of bodies, how errors look)
 * holds for its own routes only. When the application closes, requests in flight get `grace`.
 * Throws an `Error` for settings that cannot be used.
 */
export function mcpHttp(core: Core, settings: Partial<HttpSettings> = {}): FastifyPluginCallback {
  return endpointPlugin(new Endpoint(core, httpSettings(settings)));
}

export function endpointPlugin(endpoint: Endpoint): FastifyPluginCallback {
  const { settings, core } = endpoint;
  const plugin: FastifyPluginCallback = (app, _options, done) => {
    const guard = new Guard(settings);
    let address: AddressInfo | undefined;
    app.addHook('onRequest', (request, reply, next) => {
      address ??= addressOf(app.server.address());
      const refusal = guard.check(request.headers, address);
      if (refusal === undefined) {
        allowReading(request, reply);
        next();
        return;
      }
      core.diagnostics.note('origin-refused', { reason: refusal.message });
      refuse(reply, 403, refusal);
    });
    app.addHook('preClose', () => endpoint.drain(settings.grace));
    app.setErrorHandler(refuseUnread(endpoint));

    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      JSON_TYPE,
      { parseAs: 'buffer', bodyLimit: settings.maxBody },
      (_request, body, parsed) => parsed(null, body),
    );

    const url = settings.path;
    app.post(url, { onRequest: [refuseUnacceptable, refuseEncoded] }, (request, reply) =>
      endpoint.post(request, reply),
    );
    app.get(url, { exposeHeadRoute: false }, (request, reply) => endpoint.get(request, reply));
    app.delete(url, (request, reply) => endpoint.delete(request, reply));
    const others = app.supportedMethods.filter((method) => !ALLOWED.includes(method));
    app.route({ method: others, url, onRequest: refuseMethod, handler: () => undefined });
    done();
  };
  return fastifyPlugin(plugin, { name: 'mcpx', fastify: '5.x', encapsulate: true });
}

function addressOf(address: AddressInfo | string | null): AddressInfo | undefined {
  return typeof address === 'object' && address !== null ? address : undefined;
}

function refuseUnacceptable(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const { json, sse } = accepted(request.headers.accept);
  if (json || sse) {
    next();
    return;
  }
  const message = 'Accept has to admit application/json, text/event-stream, or better both';
  refuse(reply, 406, new RpcError('invalidRequest', message, { header: 'Accept' }));
}

/** Taken as it is, a compressed body would look like one that is not JSON. */
function refuseEncoded(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') {
    next();
    return;
  }
  void reply.header('accept-encoding', 'identity');
  const message = `Content-Encoding is ${JSON.stringify(encoding)}; bodies have to be sent as they are`;
  refuse(reply, 415, new RpcError('invalidRequest', message, { header: 'Content-Encoding' }));
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply): void {
  if (isPreflight(request)) {
    answerPreflight(request, reply, ALLOWED);
    return;
  }
  const allow = ALLOWED.join(', ');
  void reply.header('allow', allow);
  refuse(reply, 405, new RpcError('invalidRequest', `${request.method} is none of ${allow}`));
}

/** What Fastify refuses before anybody has read it. */
function refuseUnread({ core, settings }: Endpoint) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    const status = error.statusCode ?? 500;
    core.diagnostics.note(status < 500 ? 'request-unreadable' : 'request-failed', { err: error });
    refuse(reply, status, refusalOf(status, error, settings));
  };
}

function refusalOf(status: number, error: FastifyError, { maxBody }: HttpSettings): RpcError {
  if (status === 413) {
    return new RpcError('invalidRequest', `The body may have ${maxBody} bytes at most`);
  }
  if (status === 415) {
    return new RpcError('invalidRequest', `Content-Type has to be ${JSON_TYPE}`);
  }
  if (status < 500) return new RpcError('invalidRequest', error.message);
  return new RpcError('internal', 'Internal error');
}
