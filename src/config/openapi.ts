/** `openapi`: OpenAPI documents by the namespace of their tools. */
import { dirname, resolve } from 'node:path';
import type { OpenApiTarget, Secret, Selector } from '../backends/openapi/options.js';
import { Fields, given } from './fields.js';
import { pointerTo } from './problem.js';
import type { Reading } from './reading.js';

export interface ConfiguredApi {
  readonly namespace: string;
  readonly target: OpenApiTarget;
}

const ACCEPTED = [
  ...['document', 'baseUrl', 'serverVariables', 'auth', 'headers', 'include', 'exclude'],
  ...['timeout', 'maxResponse'],
];
const SELECTOR = ['operationId', 'tag', 'path', 'method'];

/** `file`: the configuration file; a document with a relative path is looked for beside it. */
export function readApis(value: unknown, file: string, reading: Reading): ConfiguredApi[] {
  const apis = Fields.of(value, pointerTo('openapi'), reading);
  const read = apis?.keys.map((namespace) => {
    const fields = apis.inner(namespace, ACCEPTED);
    if (fields === undefined) return undefined;
    const document = fields.url('document', (path) => resolve(dirname(file), path));
    if (document === undefined) {
      reading.mistake(fields.where, 'needs a document: a path, or an http or https URL');
      return undefined;
    }
    const target: OpenApiTarget = given({
      document,
      baseUrl: fields.url('baseUrl'),
      serverVariables: fields.texts('serverVariables'),
      auth: fields.has('auth') ? secretsOf(fields.inner('auth'), reading) : undefined,
      headers: fields.texts('headers'),
      include: selectorsOf(fields, 'include', reading),
      exclude: selectorsOf(fields, 'exclude', reading),
      timeout: fields.duration('timeout'),
      maxResponse: fields.size('maxResponse'),
    });
    return { namespace, target };
  });
  return read?.filter((api) => api !== undefined) ?? [];
}

function secretsOf(auth: Fields | undefined, reading: Reading): Record<string, Secret> {
  const secrets = auth?.keys.map((scheme): [string, Secret] => {
    if (typeof auth.raw(scheme) === 'string') return [scheme, auth.text(scheme) ?? ''];
    const pair = auth.inner(scheme, ['username', 'password']);
    const username = pair?.text('username');
    const password = pair?.text('password');
    if (username !== undefined && password !== undefined) return [scheme, { username, password }];
    reading.mistake(auth.at(scheme), 'a secret is a text, or a username and a password');
    return [scheme, ''];
  });
  return Object.fromEntries(secrets ?? []);
}

function selectorsOf(
  fields: Fields,
  key: 'include' | 'exclude',
  reading: Reading,
): Selector[] | undefined {
  return fields.list(key)?.map((item, at) => {
    const selector = Fields.of(item, fields.at(key, String(at)), reading, SELECTOR);
    if (selector?.keys.length === 0) {
      reading.mistake(selector.where, `needs one of ${SELECTOR.join(', ')}`);
    }
    return Object.fromEntries(selector?.keys.map((name) => [name, selector.text(name)]) ?? []);
  });
}
