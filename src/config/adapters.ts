/** `adapters`: command lines and HTTP calls as tools, by namespace and by name. */
import { checkAdapters } from '../backends/adapters/backend.js';
import type { Adapter } from '../backends/adapters/options.js';
import { Fields, given } from './fields.js';
import { ConfigProblem, pointerTo, shown } from './problem.js';

export interface ConfiguredAdapters {
  readonly namespace: string;
  readonly adapters: Readonly<Record<string, Adapter>>;
}

const TOOL = [
  ...['title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
  ...['timeout', 'maxOutput'],
];
const COMMAND = ['command', 'args', 'stdin', 'env', 'cwd'];
const HTTP = ['url', 'method', 'headers', 'body'];

/** Throws `ConfigProblem`, also for an adapter that could never run. */
export function readAdapters(value: unknown, env: NodeJS.ProcessEnv): ConfiguredAdapters[] {
  const namespaces = new Fields(value, pointerTo('adapters'), env);
  return namespaces.keys.map((namespace) => {
    const tools = new Fields(namespaces.raw(namespace), namespaces.at(namespace), verbatim(env));
    const adapters: Record<string, Adapter> = {};
    for (const name of tools.keys) {
      adapters[name] = adapterAt(tools, name);
      try {
        checkAdapters({ [name]: adapters[name] });
      } catch (error) {
        throw new ConfigProblem(tools.at(name), (error as Error).message);
      }
    }
    return { namespace, adapters };
  });
}

/** Texts are templates: a brace in the value of a variable is a brace, and opens no placeholder. */
function verbatim(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.replace(/[{}]/g, '$&$&')]),
  );
}

function adapterAt(tools: Fields, name: string): Adapter {
  const isHttp = tools.inner(name).has('url');
  const fields = tools.inner(name, [...TOOL, ...(isHttp ? HTTP : COMMAND)]);
  const tool = {
    title: fields.text('title'),
    description: fields.text('description'),
    inputSchema: fields.object('inputSchema'),
    outputSchema: fields.object('outputSchema'),
    annotations: fields.object('annotations'),
    timeout: fields.duration('timeout'),
    maxOutput: fields.size('maxOutput'),
  };
  const url = fields.text('url');
  if (url !== undefined) {
    const headers = fields.texts('headers') ?? {};
    const body = bodyOf(fields, fields.raw('body'), fields.at('body'));
    return given({
      kind: 'http' as const,
      ...tool,
      url,
      method: fields.text('method'),
      headers,
      body,
    });
  }
  const command = fields.text('command');
  if (command === undefined || command === '') {
    throw new ConfigProblem(fields.where, 'needs a command (a process) or a url (HTTP)');
  }
  return given({
    kind: 'command' as const,
    ...tool,
    command,
    args: argsOf(fields),
    stdin: fields.text('stdin'),
    env: fields.texts('env') ?? {},
    cwd: fields.text('cwd'),
  });
}

function argsOf(fields: Fields): (string | string[])[] {
  return (fields.list('args') ?? []).map((arg, at) => {
    const where = fields.at('args', String(at));
    if (typeof arg === 'string') return fields.textOf(arg, where);
    if (Array.isArray(arg)) {
      return arg.map((part, index) => fields.textOf(part, `${where}/${index}`));
    }
    throw new ConfigProblem(where, `${shown(arg)} is not a text, nor a group of texts`);
  });
}

/** JSON as it is, but for the references to the environment in its texts. */
function bodyOf(fields: Fields, body: unknown, where: string): unknown {
  if (typeof body === 'string') return fields.textOf(body, where);
  if (Array.isArray(body)) return body.map((item, at) => bodyOf(fields, item, `${where}/${at}`));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, item]) => [key, bodyOf(fields, item, where + pointerTo(key))]),
  );
}
