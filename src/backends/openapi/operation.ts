/** One operation of the document as a tool, with all that a call of it needs. */
import type { ToolAnnotations } from '../../../generated/newest/types.js';
import type { Tool } from '../backend.js';
import type { Credentials } from '../http/exchange.js';
import { bodyOf, bodySchema, type Body } from './body.js';
import type { JsonObject, OpenApiDocument } from './document.js';
import type { OpenApiTarget } from './options.js';
import { acceptOf, promisedOutput, successes } from './output.js';
import { argumentNames, parametersOf, type Parameter } from './parameters.js';
import type { References } from './references.js';
import type { JsonSchema, Note, SchemaBook } from './schema.js';
import { NO_CREDENTIALS, type Security } from './security.js';
import { encoded } from './serialize.js';
import { serverUrl } from './server-url.js';

/** As the document has it. */
export interface Listed {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  /** `GET /pets`, for people. */
  readonly label: string;
}

/** What all operations of a document share. */
export interface Surroundings {
  readonly document: OpenApiDocument;
  readonly target: OpenApiTarget;
  readonly references: References;
  readonly security: Security;
  readonly input: SchemaBook;
  readonly output: SchemaBook;
  readonly note: Note;
}

export interface Operation {
  readonly tool: Tool;
  readonly method: string;
  readonly path: string;
  readonly server: URL;
  readonly accept: string;
  /** By the name of the argument. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly body: { readonly argument: string; readonly body: Body } | undefined;
  readonly credentials: Credentials;
  readonly lacksCredentials: boolean;
  readonly outputLeftOut: boolean;
}

/** Throws an `Error` that says why the operation cannot be a tool. */
export function importOperation(listed: Listed, name: string, all: Surroundings): Operation {
  const { method, path, pathItem, operation, label } = listed;
  const { references, note, security, document, target } = all;
  const secrets = security.for(operation);
  const credentials = withHeaders(secrets ?? NO_CREDENTIALS, target.headers ?? {});
  const parameters = parametersOf(pathItem, operation, path, references, note, label).filter(
    (parameter) => !isSupplied(parameter, credentials),
  );
  let body = bodyOf(operation, references, note, label);
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
    note(label, `has a body, which ${method} cannot; left out`);
    body = undefined;
  }
  const names = argumentNames(parameters);
  const named = new Map(parameters.map((parameter, at) => [names.names[at] ?? '', parameter]));
  const withBody = body === undefined ? undefined : { argument: names.body, body };
  const described = successes(operation, references);
  const promised = promisedOutput(described, all.output, label);
  const tool: Tool = {
    name,
    ...titleAndDescription(listed),
    inputSchema: inputSchema(named, withBody, all.input, label) as Tool['inputSchema'],
    annotations: annotationsOf(method),
  };
  if (promised !== undefined && promised !== 'tooLarge') tool.outputSchema = promised;
  return {
    tool,
    method,
    path,
    server: serverUrl(document, target, operation, pathItem),
    accept: acceptOf(described),
    parameters: named,
    body: withBody,
    credentials,
    lacksCredentials: secrets === undefined && credentials.headers['authorization'] === undefined,
    outputLeftOut: promised === 'tooLarge',
  };
}

function withHeaders(
  secrets: Credentials,
  configured: Readonly<Record<string, string>>,
): Credentials {
  const lower = Object.entries(configured).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = Object.fromEntries(lower) as Record<string, string>;
  return { ...secrets, headers: { ...headers, ...secrets.headers } };
}

/** What the configuration says, a client has no say in. */
function isSupplied({ name, in: place }: Parameter, by: Credentials): boolean {
  const start = `${encoded(name)}=`;
  if (place === 'header') return Object.hasOwn(by.headers, name.toLowerCase());
  if (place === 'query') return by.query.some((pair) => pair.startsWith(start));
  return place === 'cookie' && by.cookies.some((pair) => pair.startsWith(start));
}

function inputSchema(
  parameters: ReadonlyMap<string, Parameter>,
  body: Operation['body'],
  book: SchemaBook,
  label: string,
): JsonSchema {
  const uses = new Set<string>();
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [argument, parameter] of parameters) {
    const part = book.part(parameter.schema, `${label} parameter ${parameter.name}`, uses);
    const schema = typeof part === 'boolean' ? {} : part;
    const { description = schema['description'] } = parameter;
    const renamed =
      argument === parameter.name ? '' : `${parameter.in} parameter ${parameter.name}`;
    const told = [renamed, description].filter((text) => text !== '' && text !== undefined);
    properties[argument] = told.length === 0 ? schema : { ...schema, description: told.join(': ') };
    if (parameter.required) required.push(argument);
  }
  if (body !== undefined) {
    properties[body.argument] = bodySchema(body.body, book, `${label} body`, uses);
    if (body.body.required) required.push(body.argument);
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...book.definitions(uses),
  };
}

function titleAndDescription({ operation, label }: Listed): Pick<Tool, 'title' | 'description'> {
  const { summary, description, deprecated } = operation;
  const title = typeof summary === 'string' && summary !== '' ? summary : undefined;
  const parts = [
    deprecated === true ? 'Deprecated.' : undefined,
    title,
    typeof description === 'string' && description !== title ? description : undefined,
    label,
  ];
  const text = parts.filter((part) => part !== undefined && part !== '').join('\n\n');
  return title === undefined ? { description: text } : { title, description: text };
}

/** What HTTP says of its methods (RFC 9110, 9.2). POST may do anything, so nothing is said of it. */
function annotationsOf(method: string): ToolAnnotations {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return { readOnlyHint: true };
  const idempotentHint = method === 'PUT' || method === 'DELETE';
  return method === 'POST'
    ? { readOnlyHint: false }
    : { readOnlyHint: false, destructiveHint: true, idempotentHint };
}

export function operationIdOf(operation: JsonObject): string | undefined {
  const id = operation['operationId'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

export function tagsOf(operation: JsonObject): string[] {
  const { tags } = operation;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}
