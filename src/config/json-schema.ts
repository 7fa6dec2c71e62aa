/** The configuration file as a JSON Schema, for editors: what the readers beside it take. */
import { SETTINGS, SETTING_KEYS, expectedOf, leastOf, variableOf } from './settings.js';
import { ACCEPTED, type Kind } from './units.js';

export type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };
const TEXTS: Schema = { type: 'array', items: TEXT };
const NAMED_TEXTS: Schema = { type: 'object', additionalProperties: TEXT };

const KINDS: Readonly<Record<Kind, Schema>> = {
  duration: { type: ['string', 'number'] },
  size: { type: ['string', 'number'] },
  count: { type: ['integer', 'string'] },
  switch: { type: ['boolean', 'string'] },
  list: { anyOf: [TEXTS, TEXT] },
  origins: { anyOf: [TEXTS, TEXT] },
  text: TEXT,
};

const TIMEOUT = described(
  KINDS.duration,
  `how long a call may take, pool.callTimeout unless given: ${ACCEPTED.duration}`,
);
const LARGEST_ANSWER = described(KINDS.size, `largest answer, 8MiB unless given: ${ACCEPTED.size}`);

function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

function named(schema: Schema, description: string): Schema {
  return { type: 'object', additionalProperties: schema, description };
}

/** Hosts keep more there than mcpx reads, so nothing is refused for being there. */
export const SERVER: Schema = {
  type: 'object',
  properties: {
    command: described(TEXT, 'the process to start'),
    args: described(TEXTS, 'its arguments'),
    env: described(NAMED_TEXTS, 'added to the environment of mcpx itself'),
    cwd: described(TEXT, 'the folder to start it in'),
    url: described(TEXT, 'an http or https URL, in place of a command'),
    headers: described(NAMED_TEXTS, 'sent with each HTTP request'),
    type: described(TEXT, '"sse" for a server that has only the transport of 2024-11-05'),
    disabled: described({ type: 'boolean' }, 'left out'),
    allow: described(TEXTS, 'names of the tools to offer, * for any characters'),
    deny: described(TEXTS, 'names of tools not to offer, stronger than allow'),
    rename: described(NAMED_TEXTS, "from the server's name of a tool to the one to offer"),
    maxMessage: described(
      KINDS.size,
      `largest message of the server, upstream.maxMessage unless given: ${ACCEPTED.size}`,
    ),
  },
  anyOf: [
    { required: ['command'] },
    { required: ['url'] },
    { required: ['httpUrl'] },
    { required: ['serverUrl'] },
    { required: ['disabled'] },
    { required: ['enabled'] },
  ],
};

const SELECTORS: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { operationId: TEXT, tag: TEXT, path: TEXT, method: TEXT },
    additionalProperties: false,
    minProperties: 1,
  },
};

export const API: Schema = {
  type: 'object',
  properties: {
    document: described(
      TEXT,
      'OpenAPI 3.0 or 3.1: a path, from the folder of this file, or an http or https URL',
    ),
    baseUrl: described(TEXT, 'takes the place of every server that the document names'),
    serverVariables: described(NAMED_TEXTS, "values for the variables of the document's servers"),
    auth: named(
      {
        anyOf: [
          TEXT,
          {
            type: 'object',
            properties: { username: TEXT, password: TEXT },
            required: ['username', 'password'],
            additionalProperties: false,
          },
        ],
      },
      'a secret for each security scheme: a text, or a username and a password',
    ),
    headers: described(NAMED_TEXTS, 'sent with every call'),
    include: described(
      SELECTORS,
      'the operations to offer, by operationId, tag, path and method, * for any characters',
    ),
    exclude: described(SELECTORS, 'operations not to offer, stronger than include'),
    timeout: TIMEOUT,
    maxResponse: LARGEST_ANSWER,
  },
  required: ['document'],
  additionalProperties: false,
};

export const ADAPTER: Schema = {
  type: 'object',
  properties: {
    title: described(TEXT, 'of the tool, for people'),
    description: described(TEXT, 'of the tool, for the model'),
    inputSchema: described(
      { type: 'object' },
      'a JSON Schema, every placeholder one of its properties; no arguments unless given',
    ),
    outputSchema: described(
      { type: 'object' },
      'a JSON Schema; the answer has to be JSON that fits it',
    ),
    annotations: described({ type: 'object' }, 'of the tool, as in MCP'),
    timeout: TIMEOUT,
    maxOutput: LARGEST_ANSWER,
    command: described(TEXT, 'a process for each call, without a shell'),
    args: described(
      { type: 'array', items: { anyOf: [TEXT, TEXTS] } },
      'its arguments; a group of texts is left out where an argument in it is not given',
    ),
    stdin: described(TEXT, 'what the process reads'),
    env: described(NAMED_TEXTS, 'added to the environment of mcpx itself'),
    cwd: described(TEXT, 'the folder to start it in'),
    url: described(TEXT, 'an HTTP request for each call, in place of a command'),
    method: described(TEXT, 'POST where there is a body and GET where there is none, unless given'),
    headers: described(NAMED_TEXTS, 'sent with the request'),
    body: { description: 'a text is sent as it is, anything else as JSON' },
  },
  oneOf: [{ required: ['command'] }, { required: ['url'] }],
  additionalProperties: false,
};

const SERVERS = named(SERVER, 'MCP servers by their namespaces, as MCP hosts write them');

export function configSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of mcpx',
    description: '${NAME} and ${NAME:-default} stand for variables of the environment.',
    type: 'object',
    properties: {
      mcpServers: SERVERS,
      servers: described(SERVERS, 'The same, as some editors write it.'),
      context_servers: described(SERVERS, 'The same, as some editors write it.'),
      openapi: named(API, 'OpenAPI documents by their namespaces'),
      adapters: named(
        named(ADAPTER, 'tools by their names'),
        'command lines and HTTP calls as tools, by namespaces',
      ),
      ...settingGroups(),
    },
  };
}

function settingGroups(): Record<string, Schema> {
  const groups: Record<string, Record<string, Schema>> = {};
  for (const key of SETTING_KEYS) {
    const [group = '', name = ''] = key.split('.');
    const { kind, help, default: value } = SETTINGS[key];
    const description = `${help}: ${expectedOf(key)}. Also ${variableOf(key)}.`;
    const minimum = leastOf(key);
    (groups[group] ??= {})[name] = {
      ...KINDS[kind],
      ...(minimum !== undefined && { minimum }),
      default: value,
      description,
    };
  }
  return Object.fromEntries(
    Object.entries(groups).map(([group, properties]) => [
      group,
      { type: 'object', properties, additionalProperties: false },
    ]),
  );
}
