/** Streamable HTTP on a port of its own. */
import type { AddressInfo } from 'node:net';
import { LogController, fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import type { Core } from '../../server/contract.js';
import { Endpoint } from './endpoint.js';
import { refuseMalformedUrl } from './malformed-url.js';
import { endpointPlugin } from './plugin.js';
import { httpSettings, type HttpSettings } from './settings.js';

export interface HttpServer {
  /** For routes beside the endpoint; they have to be there before `listen`. */
  readonly app: FastifyInstance;
  /** Resolves to the URL of the endpoint. Rejects where the address cannot be had. */
  listen(): Promise<{ url: string }>;
  /**
   * Refuses new requests with 503, ends listen streams in good order, lets the other requests in flight
   * end up to `graceMs` (`grace` unless given) and then cancels them, and closes the connections.
   */
  close(graceMs?: number): Promise<void>;
}

/** For the last bytes to reach clients that read slowly, after everything is answered. */
const FLUSH_MS = 1000;

/** Throws an `Error` for settings that cannot be used. The core stays open: it may serve others. */
export function createHttpServer(
  core: Core,
  given: Partial<HttpSettings> = {},
  { logger }: { logger?: FastifyBaseLogger } = {},
): HttpServer {
  const settings = httpSettings(given);
  const endpoint = new Endpoint(core, settings);
  const app = createApp(settings, core.diagnostics, logger);
  app.server.maxConnections = settings.maxConnections;
  app.server.on('drop', () => core.diagnostics.note('connection-dropped'));
  void app.register(endpointPlugin(endpoint));
  return {
    app,
    async listen() {
      await app.listen({ host: settings.host, port: settings.port });
      return { url: urlOf(app.server.address() as AddressInfo, settings) };
    },
    async close(graceMs = settings.grace) {
      await endpoint.drain(graceMs);
      const cut = setTimeout(() => app.server.closeAllConnections(), FLUSH_MS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

function createApp(
  settings: HttpSettings,
  diagnostics: Diagnostics,
  logger: FastifyBaseLogger | undefined,
): FastifyInstance {
  const { maxHeaders, requestTimeout, maxBody } = settings;
  return fastify({
    ...(logger === undefined ? { logger: false } : { loggerInstance: warningsOf(logger) }),
    // Two lines a request would cost more than the request.
    logController: new LogController({ disableRequestLogging: true }),
    // So would a logger for each.
    childLoggerFactory: (whole) => whole,
    frameworkErrors: refuseMalformedUrl(diagnostics),
    bodyLimit: maxBody,
    requestTimeout,
    forceCloseConnections: 'idle',
    // Names of tools may be long; what is longer than the headers may be does not come this far.
    routerOptions: { maxParamLength: maxHeaders },
    http: {
      maxHeaderSize: maxHeaders,
      headersTimeout: requestTimeout,
      // Node looks for requests that take too long at this interval.
      connectionsCheckingInterval: Math.max(50, Math.min(5000, requestTimeout / 4)),
    },
  });
}

const BELOW_WARNINGS: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);

/** All that Fastify would tell beside them is where it listens, which `listen` resolves to. */
function warningsOf(logger: FastifyBaseLogger): FastifyBaseLogger {
  return BELOW_WARNINGS.has(logger.level) ? logger.child({}, { level: 'warn' }) : logger;
}

function urlOf({ address, family, port }: AddressInfo, { path }: HttpSettings): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}${path}`;
}
