/** `adapters`: command lines and HTTP calls as tools, by namespace and by name. */
import { checkAdapters } from '../backends/adapters/backend.js';
import type { Adapter } from '../backends/adapters/options.js';
import { isObject } from '../protocol/jsonrpc.js';
import { Fields, given } from './fields.js';
import { pointerTo, shown } from './problem.js';
import { Reading } from './reading.js';

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

/** A mistake is also an adapter that could never run. */
export function readAdapters(value: unknown, reading: Reading): ConfiguredAdapters[] {
  const namespaces = Fields.of(value, pointerTo('adapters'), reading);
  const verbatim = new Reading(withoutBraces(reading.env), reading.mistakes);
  const read = namespaces?.keys.map((namespace) => {
    const where = namespaces.at(namespace);
    const tools = Fields.of(namespaces.raw(namespace), where, verbatim);
    const named = tools?.keys.map((name) => [name, adapterAt(tools, name, verbatim)] as const);
    const adapters = named?.filter(
      (tool): tool is readonly [string, Adapter] => tool[1] !== undefined,
    );
    return { namespace, adapters: Object.fromEntries(adapters ?? []) };
  });
  return read ?? [];
}

/** Texts are templates: a brace in the value of a variable is a brace, and opens no placeholder. */
function withoutBraces(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.replace(/[{}]/g, '$&$&')]),
  );
}

function adapterAt(tools: Fields, name: string, reading: Reading): Adapter | undefined {
  const entry = tools.raw(name);
  const isHttp = isObject(entry) && entry['url'] !== undefined;
  const fields = tools.inner(name, [...TOOL, ...(isHttp ? HTTP : COMMAND)]);
  if (fields === undefined) return undefined;
  const before = reading.mistakes.length;
  const adapter = isHttp ? httpAdapter(fields) : commandAdapter(fields, reading);
  // Of one that was read in parts there is no more to say.
  if (adapter === undefined || reading.mistakes.length > before) return undefined;
  try {
    checkAdapters({ [name]: adapter });
  } catch (error) {
    reading.mistake(fields.where, (error as Error).message);
  }
  return adapter;
}

function toolOf(fields: Fields): Omit<Partial<Adapter>, 'kind'> {
  return {
    title: fields.text('title'),
    description: fields.text('description'),
    inputSchema: fields.object('inputSchema'),
    outputSchema: fields.object('outputSchema'),
    annotations: fields.object('annotations'),
    timeout: fields.duration('timeout'),
    maxOutput: fields.size('maxOutput'),
  };
}

function httpAdapter(fields: Fields): Adapter {
  return given({
    kind: 'http' as const,
    ...toolOf(fields),
    url: fields.text('url') ?? '',
    method: fields.text('method'),
    headers: fields.texts('headers') ?? {},
    body: bodyOf(fields, fields.raw('body'), fields.at('body')),
  });
}

function commandAdapter(fields: Fields, reading: Reading): Adapter | undefined {
  if (!fields.has('command') || fields.raw('command') === '') {
    reading.mistake(fields.where, 'needs a command (a process) or a url (HTTP)');
    return undefined;
  }
  return given({
    kind: 'command' as const,
    ...toolOf(fields),
    command: fields.text('command') ?? '',
    args: argsOf(fields, reading),
    stdin: fields.text('stdin'),
    env: fields.texts('env') ?? {},
    cwd: fields.text('cwd'),
  });
}

function argsOf(fields: Fields, reading: Reading): (string | string[])[] {
  return (fields.list('args') ?? []).map((arg, at) => {
    const where = fields.at('args', String(at));
    if (Array.isArray(arg)) {
      return arg.map((part, index) => fields.textOf(part, `${where}/${index}`));
    }
    if (typeof arg === 'string') return fields.textOf(arg, where);
    reading.mistake(where, `${shown(arg)} is not a text, nor a group of texts`);
    return '';
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
