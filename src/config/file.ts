/** The configuration file: JSON with comments, the servers and the settings side by side. */
import { readFile } from 'node:fs/promises';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { ConfigProblem, pointerTo, shown } from './problem.js';
import { readAdapters, type ConfiguredAdapters } from './adapters.js';
import { readApis, type ConfiguredApi } from './openapi.js';
import { readServers, type Servers } from './servers.js';
import { settingsFromFile, type Settings } from './settings.js';

export interface FileConfig extends Servers {
  readonly apis: readonly ConfiguredApi[];
  readonly adapters: readonly ConfiguredAdapters[];
  readonly settings: Partial<Settings>;
}

/** What hosts keep beside the servers, for themselves. */
const OF_HOSTS: ReadonlySet<string> = new Set([
  '$schema',
  'inputs',
  'globalShortcut',
  'preferences',
]);

/** Rejects with `ConfigProblem`. */
export async function readConfigFile(path: string, env: NodeJS.ProcessEnv): Promise<FileConfig> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigProblem(path, `cannot be read: ${(error as Error).message}`);
  }
  return parseConfig(text, path, env);
}

/** Throws `ConfigProblem`, with `name` in front. */
export function parseConfig(text: string, name: string, env: NodeJS.ProcessEnv): FileConfig {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new ConfigProblem(`${name}:${line}`, `is not JSON: ${printParseErrorCode(first.error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigProblem(name, `${shown(value)} is not an object`);
  }
  const {
    mcpServers,
    servers,
    context_servers: contextServers,
    openapi = {},
    adapters = {},
    ...rest
  } = value as Record<string, unknown>;
  const groups = Object.entries(rest).filter(([key]) => !OF_HOSTS.has(key));
  try {
    const read = {
      // Editors have names of their own for the same.
      ...readServers(mcpServers ?? servers ?? contextServers ?? {}, env),
      apis: readApis(openapi, name, env),
      adapters: readAdapters(adapters, env),
    };
    checkNamespaces(read);
    return {
      ...read,
      settings: settingsFromFile(Object.fromEntries(groups)),
    };
  } catch (error) {
    if (error instanceof ConfigProblem) throw new ConfigProblem(name, error.message);
    throw error;
  }
}

const NAMESPACE = /^[A-Za-z0-9_.-]+$/;

/** The first part of `mcpx://artifacts/…`, of the tools of `/v1`, and of the fixed ones. */
const OWN_NAMESPACES: ReadonlySet<string> = new Set(['artifacts', 'v1', 'mcpx']);

function checkNamespaces({ servers, apis, adapters }: Omit<FileConfig, 'settings'>): void {
  const owners = new Map(servers.map(({ namespace }) => [namespace, 'mcpServers']));
  const named = { mcpServers: servers, openapi: apis, adapters };
  for (const [key, configured] of Object.entries(named)) {
    for (const { namespace } of configured) {
      if (OWN_NAMESPACES.has(namespace)) {
        throw new ConfigProblem(
          pointerTo(key, namespace),
          'mcpx itself has the name: choose another',
        );
      }
    }
  }
  for (const [key, configured] of Object.entries({ openapi: apis, adapters })) {
    for (const { namespace } of configured) {
      const where = pointerTo(key, namespace);
      if (!NAMESPACE.test(namespace)) {
        throw new ConfigProblem(where, 'a name is made of letters, digits, "_", "-" and "."');
      }
      const owner = owners.get(namespace);
      if (owner !== undefined) throw new ConfigProblem(where, `${owner} has the same name already`);
      owners.set(namespace, key);
    }
  }
}
