/** `openapi`: OpenAPI documents by the namespace of their tools. */
import { dirname, resolve } from 'node:path';
import type { OpenApiTarget, Secret, Selector } from '../backends/openapi/options.js';
import { Fields, given } from './fields.js';
import { ConfigProblem, pointerTo, shown } from './problem.js';

export interface ConfiguredApi {
  readonly namespace: string;
  readonly target: OpenApiTarget;
}

const ACCEPTED = [
  ...['document', 'baseUrl', 'serverVariables', 'auth', 'headers', 'include', 'exclude'],
  ...['timeout', 'maxResponse'],
];
const SELECTOR = ['operationId', 'tag', 'path', 'method'];
const WEB = /^https?:\/\//i;

/** `file`: the configuration file; a document with a relative path is looked for beside it. */
export function readApis(value: unknown, file: string, env: NodeJS.ProcessEnv): ConfiguredApi[] {
  const apis = new Fields(value, pointerTo('openapi'), env);
  return apis.keys.map((namespace) => {
    const fields = apis.inner(namespace, ACCEPTED);
    const document = fields.text('document');
    if (document === undefined) {
      throw new ConfigProblem(fields.where, 'needs a document: a path, or an http or https URL');
    }
    const target: OpenApiTarget = given({
      document: WEB.test(document)
        ? urlAt(document, fields.at('document'))
        : beside(file, document),
      baseUrl: baseUrlOf(fields),
      serverVariables: fields.texts('serverVariables'),
      auth: fields.has('auth') ? secretsOf(fields.inner('auth')) : undefined,
      headers: fields.texts('headers'),
      include: selectorsOf(fields, 'include', env),
      exclude: selectorsOf(fields, 'exclude', env),
      timeout: fields.duration('timeout'),
      maxResponse: fields.size('maxResponse'),
    });
    return { namespace, target };
  });
}

function beside(file: string, path: string): string {
  return resolve(dirname(file), path);
}

function baseUrlOf(fields: Fields): string | undefined {
  const url = fields.text('baseUrl');
  return url === undefined ? undefined : urlAt(url, fields.at('baseUrl'));
}

function urlAt(text: string, where: string): string {
  if (WEB.test(text) && URL.canParse(text)) return text;
  throw new ConfigProblem(where, `${shown(text)} is not an http or https URL`);
}

function secretsOf(auth: Fields): Record<string, Secret> {
  return Object.fromEntries(
    auth.keys.map((scheme): [string, Secret] => {
      if (typeof auth.raw(scheme) === 'string') return [scheme, auth.text(scheme) ?? ''];
      const pair = auth.inner(scheme, ['username', 'password']);
      const username = pair.text('username');
      const password = pair.text('password');
      if (username === undefined || password === undefined) {
        const expected = 'a text, or a username and a password';
        throw new ConfigProblem(pair.where, `a secret is ${expected}`);
      }
      return [scheme, { username, password }];
    }),
  );
}

function selectorsOf(
  fields: Fields,
  key: 'include' | 'exclude',
  env: NodeJS.ProcessEnv,
): Selector[] | undefined {
  return fields.list(key)?.map((item, at) => {
    const selector = new Fields(item, fields.at(key, String(at)), env, SELECTOR);
    if (selector.keys.length === 0) {
      throw new ConfigProblem(selector.where, `needs one of ${SELECTOR.join(', ')}`);
    }
    const texts = selector.keys.map((name) => [name, selector.text(name)] as const);
    return Object.fromEntries(texts);
  });
}
