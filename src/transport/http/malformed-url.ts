/** A URL that no route can be found for, as it cannot be decoded: hooks and handlers never see it. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PREFIX } from '../../operations/openapi.js';
import { Refused } from '../../operations/operation.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import { refuse } from './refuse.js';
import { problem } from './v1/problem.js';

/** In the form that the rest of the answers under that path have. */
export function refuseMalformedUrl(diagnostics: Diagnostics) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { url } = request;
    diagnostics.note('request-unreadable', { url, err: error });
    const message = `The path ${JSON.stringify(url)} is no URL: behind a % two hexadecimal digits are expected, and UTF-8`;
    void reply.header('cache-control', 'no-store');
    if (url.startsWith(PREFIX)) problem(reply, new Refused(400, message));
    else refuse(reply, 400, new RpcError('invalidRequest', message));
  };
}
