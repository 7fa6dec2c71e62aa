/** The operations as an OpenAPI document (3.1). */
import { EVENT } from './events.js';
import { METRICS_TYPE } from './metrics.js';
import { TEXT, objectOf, pathParameters, type Operation } from './operation.js';
import { OPERATIONS } from './operations.js';

export const PREFIX = '/v1';
export const PROBLEM_TYPE = 'application/problem+json';

const JSON_TYPE = 'application/json';

/** Refusals that any operation may meet, before it is looked at. */
const ALWAYS: Readonly<Record<number, string>> = {
  401: 'The token is missing or wrong',
  403: 'The request does not come from where it may',
};

export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    const item = (paths[PREFIX + operation.path] ??= {});
    item[operation.method.toLowerCase()] = described(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'mcpx',
      version,
      description:
        'What can be asked of a running mcpx. Without a token it answers this machine alone.',
    },
    // The second: no token is configured.
    security: [{ token: [] }, {}],
    paths: { ...paths, ...BESIDE },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Problem: objectOf({
          title: TEXT,
          status: { type: 'integer' },
          detail: { ...TEXT, description: 'What is wrong' },
        }),
      },
    },
  };
}

function described({ id, path, method, summary, description, ...rest }: Operation): object {
  const { input, output, answers = {}, refusals = {} } = rest;
  const inPath = pathParameters(path);
  const others = Object.keys(input.properties).filter((name) => !inPath.includes(name));
  const required = input.required ?? [];
  const parameter = (name: string, where: 'path' | 'query'): object => {
    const { description: about, ...schema } = input.properties[name] ?? {};
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(about !== undefined && { description: about }),
      schema,
    };
  };
  const query = method === 'GET' ? others : [];
  const body = method === 'POST' ? others : [];
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...query.map((name) => parameter(name, 'query')),
  ];
  const wrong: Record<number, string> = others.length > 0 ? { 400: WRONG_INPUT } : {};
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body.length > 0 && { requestBody: bodyOf(body, input.properties, required) }),
    responses: {
      200: answered('Done', output),
      ...mapped(answers, (why) => answered(why, output)),
      ...mapped({ ...ALWAYS, ...wrong, ...refusals }, problem),
    },
  };
}

function mapped(
  statuses: Readonly<Record<number, string>>,
  response: (why: string) => object,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(statuses).map(([status, why]) => [status, response(why)]),
  );
}

const WRONG_INPUT = 'A parameter or the body is not what it should be';

function bodyOf(
  names: readonly string[],
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): object {
  const needed = names.filter((name) => required.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
  return { required: needed.length > 0, content: { [JSON_TYPE]: { schema } } };
}

function answered(description: string, schema: object): object {
  return { description, content: { [JSON_TYPE]: { schema } } };
}

function problem(description: string): object {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description, content: { [PROBLEM_TYPE]: { schema } } };
}

/** What answers with something else than JSON, or is this document. */
const BESIDE = {
  [`${PREFIX}/events`]: {
    get: {
      operationId: 'watch_events',
      summary: 'What happens from now on',
      description: 'Each event is JSON in the data of one server-sent event.',
      responses: {
        200: { description: 'A stream', content: { 'text/event-stream': { schema: EVENT } } },
        ...mapped(ALWAYS, problem),
        503: problem('There are too many streams'),
      },
    },
  },
  [`${PREFIX}/metrics`]: {
    get: {
      operationId: 'get_metrics',
      summary: 'What was counted, for Prometheus',
      responses: {
        200: { description: 'Text', content: { [METRICS_TYPE]: { schema: TEXT } } },
        ...mapped(ALWAYS, problem),
      },
    },
  },
  [`${PREFIX}/openapi.json`]: {
    get: {
      operationId: 'get_openapi',
      summary: 'This document',
      responses: { 200: answered('OpenAPI 3.1', { type: 'object' }) },
    },
  },
};
