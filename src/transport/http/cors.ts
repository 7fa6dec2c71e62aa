/**
 * What a browser wants to hear before it lets a page of an allowed origin read the answers (WHATWG
 * Fetch, CORS protocol). Origins that are not allowed never get as far as this.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a browser may remember what it was told, in seconds. */
const MAX_AGE = 600;

/** Headers of answers that a page may read. */
const EXPOSED = 'Mcp-Session-Id';

/** For a request that the guard has let pass. */
export function allowReading({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  if (origin === undefined) return;
  void reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', EXPOSED)
    .header('vary', 'Origin');
}

/** Whether an OPTIONS request is a browser's question, and not somebody's mistake. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  const { origin, 'access-control-request-method': wished } = headers;
  return method === 'OPTIONS' && origin !== undefined && wished !== undefined;
}

/** Headers are let through as they are asked for: those that mirror arguments have any name. */
export function answerPreflight(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): void {
  const wished = headers['access-control-request-headers'];
  if (wished !== undefined) void reply.header('access-control-allow-headers', wished);
  void reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-max-age', MAX_AGE)
    .code(204)
    .send();
}
