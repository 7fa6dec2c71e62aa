/** Requests over HTTP that come before there is anything to answer them with. */
import type { FastifyInstance } from 'fastify';
import { DEFAULT_HTTP_SETTINGS } from '../transport/http/settings.js';

/**
 * Has requests to the endpoint wait until the function it gives is called, as those on stdio wait in
 * the pipe. Everything else, `/v1` above all, is answered meanwhile.
 */
export function waitingRoom(app: FastifyInstance): () => void {
  let isOpen = false;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  app.addHook('preHandler', (request, reply, next) => {
    if (isOpen || request.routeOptions.url !== DEFAULT_HTTP_SETTINGS.path) {
      next();
      return;
    }
    void opened.then(() => {
      // Whoever has gone meanwhile wants nothing any more.
      if (!reply.raw.destroyed) next();
    });
  });
  return () => {
    isOpen = true;
    open();
  };
}
