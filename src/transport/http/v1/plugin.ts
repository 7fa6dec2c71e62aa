/** mcpx's own operations over HTTP, under `/v1`. */
import { isUtf8 } from 'node:buffer';
import type { AddressInfo } from 'node:net';
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { schemaFault } from '../../../backends/json-schema.js';
import { METRICS_TYPE, metricsText } from '../../../operations/metrics.js';
import {
  Refused,
  inputSchema,
  type Arguments,
  type House,
  type Operation,
} from '../../../operations/operation.js';
import { PREFIX, openApiDocument } from '../../../operations/openapi.js';
import { OPERATIONS } from '../../../operations/operations.js';
import { parseJson, stringifyJson } from '../../../protocol/json.js';
import { isObject } from '../../../protocol/jsonrpc.js';
import { JSON_TYPE } from '../refuse.js';
import type { SseSettings } from '../sse.js';
import { Admission, type AdmissionSettings } from './admission.js';
import { EventStreams } from './event-streams.js';
import { problem } from './problem.js';

export interface OperationsSettings extends AdmissionSettings, SseSettings {
  /** Longest body of a request, in bytes. */
  readonly maxBody: number;
}

/** Mounts the operations. What it changes of Fastify holds for its own routes only. */
export function operationsHttp(house: House, settings: OperationsSettings): FastifyPluginCallback {
  return (app, _options, done) => {
    void app.register(
      (v1, _prefixed, mounted) => {
        mount(v1, house, settings);
        mounted();
      },
      { prefix: PREFIX },
    );
    done();
  };
}

function mount(app: FastifyInstance, house: House, settings: OperationsSettings): void {
  const { diagnostics } = house.core;
  const admission = new Admission(settings);
  let address: AddressInfo | undefined;
  app.addHook('onRequest', (request, reply, next) => {
    address ??= app.server.address() as AddressInfo;
    const refusal = admission.check(request, address);
    void reply.header('cache-control', 'no-store');
    if (refusal === undefined) {
      next();
      return;
    }
    diagnostics.note('operation-refused', { url: request.url, reason: refusal.message });
    if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer');
    problem(reply, refusal);
  });
  app.setNotFoundHandler((request, reply) =>
    problem(reply, new Refused(404, `There is no ${request.method} ${request.url}`)),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Refused) {
      problem(reply, error);
      return;
    }
    const status = error.statusCode ?? 500;
    diagnostics.note('operation-failed', { url: request.url, err: error });
    problem(reply, new Refused(status, status < 500 ? error.message : 'Internal error'));
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    JSON_TYPE,
    { parseAs: 'buffer', bodyLimit: settings.maxBody },
    (_request, body, parsed) => {
      try {
        parsed(null, parseBody(body as Buffer));
      } catch (error) {
        parsed(error as Error);
      }
    },
  );

  for (const operation of OPERATIONS) addRoute(app, house, operation);
  addOthers(app, house, settings);
}

function addRoute(app: FastifyInstance, house: House, operation: Operation): void {
  const { method, input, path } = operation;
  const schema = inputSchema(input);
  const url = path.replace(/\{(\w+)\}/g, ':$1');
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const args = argumentsOf(request);
      const fault = schemaFault(schema, args);
      if (fault !== undefined) throw new Refused(400, fault);
      const { status = 200, body } = await operation.run(house, args, signalOf(reply));
      return reply.code(status).header('content-type', JSON_TYPE).send(stringifyJson(body));
    },
  });
}

function addOthers(app: FastifyInstance, house: House, settings: OperationsSettings): void {
  const streams = new EventStreams(house, settings);
  app.addHook('preClose', (done) => {
    streams.endAll();
    done();
  });
  app.get('/events', { exposeHeadRoute: false }, (_request, reply) => streams.open(reply));
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', METRICS_TYPE).send(await metricsText(house)),
  );
  const document = JSON.stringify(openApiDocument(house.info.version));
  app.get('/openapi.json', (_request, reply) =>
    reply.header('content-type', JSON_TYPE).send(document),
  );
}

/** Of the path, the query and the body; a name stands for one thing only, wherever it is said. */
function argumentsOf({ params, query, body }: FastifyRequest): Arguments {
  return { ...(query as object), ...(body as object | null), ...(params as object) };
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new Refused(400, 'The body is not UTF-8');
  let body: unknown;
  try {
    body = parseJson(bytes.toString());
  } catch {
    throw new Refused(400, 'The body is not JSON');
  }
  if (!isObject(body)) throw new Refused(400, 'The body is not a JSON object');
  return body;
}

/** Aborted when the client goes away before it is answered. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Refused(499, 'The client went away'));
  });
  return controller.signal;
}
