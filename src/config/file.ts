/** The configuration file: JSON with comments, the servers and the settings side by side. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isObject } from '../protocol/jsonrpc.js';
import { readAdapters, type ConfiguredAdapters } from './adapters.js';
import { readDocument } from './document.js';
import { readApis, type ConfiguredApi } from './openapi.js';
import { ConfigProblem, pointerTo, refuse, shown } from './problem.js';
import { Reading } from './reading.js';
import { readServers, type ConfiguredServer } from './servers.js';
import { settingsFromFile, type Settings } from './settings.js';

export interface FileConfig {
  readonly servers: readonly ConfiguredServer[];
  readonly apis: readonly ConfiguredApi[];
  readonly adapters: readonly ConfiguredAdapters[];
  readonly settings: Partial<Settings>;
  /** What was passed over and may well be meant so, in words for the log. */
  readonly remarks: readonly string[];
  /** What was passed over and is hardly meant so, with line and column. */
  readonly warnings: readonly string[];
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
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new ConfigProblem(path, `cannot be read: ${(error as Error).message}`);
  }
  return parseConfig(textOf(bytes, path), path, env);
}

/** What some shells and editors write in front of UTF-16, in either order of its bytes. */
const UTF_16: ReadonlySet<number> = new Set([0xfeff, 0xfffe]);

function textOf(bytes: Buffer, path: string): string {
  if (bytes.length >= 2 && UTF_16.has(bytes.readUInt16BE(0))) {
    throw new ConfigProblem(path, 'is UTF-16; UTF-8 is expected');
  }
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  throw new ConfigProblem(`${path}:${line}`, 'is not UTF-8: save the file in that encoding');
}

/** Throws `ConfigProblem` with every mistake, each with `name`, line and column in front. */
export function parseConfig(text: string, name: string, env: NodeJS.ProcessEnv): FileConfig {
  const reading = new Reading(env);
  const document = readDocument(text, name, reading);
  if (document === undefined) {
    refuse(reading.mistakes);
    throw new ConfigProblem(name, 'is empty; an object is expected');
  }
  const located = reading.mistakes.splice(0);
  const config = readConfig(document.value, name, reading);
  refuse([
    ...located,
    ...reading.mistakes.map(({ where, what }) => {
      const place = `${name}:${document.placeOf(where)}`;
      return { where: where === '' ? place : `${place}: ${where}`, what };
    }),
  ]);
  const { remarks, warnings } = reading;
  return { ...config, remarks, warnings };
}

/** Editors have names of their own for the first. */
const SERVERS = ['mcpServers', 'servers', 'context_servers'];
const OURS: ReadonlySet<string> = new Set([...SERVERS, 'openapi', 'adapters']);

function readConfig(
  value: unknown,
  name: string,
  reading: Reading,
): Omit<FileConfig, 'remarks' | 'warnings'> {
  if (!isObject(value)) {
    reading.mistake('', `${shown(value)} is not an object`);
    return { servers: [], apis: [], adapters: [], settings: {} };
  }
  const [key = 'mcpServers', ...others] = SERVERS.filter((one) => value[one] !== undefined);
  for (const other of others)
    reading.warnings.push(`/${other} is passed over, for there is /${key}`);
  const { [key]: servers = {}, openapi = {}, adapters = {} } = value;
  const groups = Object.entries(value).filter(([one]) => !OF_HOSTS.has(one) && !OURS.has(one));
  const read = {
    servers: readServers(servers, key, reading),
    apis: readApis(openapi, name, reading),
    adapters: readAdapters(adapters, reading),
  };
  checkNamespaces(key, read, reading);
  return { ...read, settings: settingsFromFile(Object.fromEntries(groups), reading) };
}

const NAMESPACE = /^[A-Za-z0-9_.-]+$/;

/** The first part of `mcpx://artifacts/…`, of the tools of `/v1`, and of the fixed ones. */
const OWN_NAMESPACES: ReadonlySet<string> = new Set(['artifacts', 'v1', 'mcpx']);

function checkNamespaces(
  key: string,
  { servers, apis, adapters }: Pick<FileConfig, 'servers' | 'apis' | 'adapters'>,
  reading: Reading,
): void {
  const owners = new Map<string, string>();
  for (const [section, configured] of Object.entries({ [key]: servers, openapi: apis, adapters })) {
    for (const { namespace } of configured) {
      const where = pointerTo(section, namespace);
      const owner = owners.get(namespace);
      if (OWN_NAMESPACES.has(namespace)) {
        reading.mistake(where, 'mcpx itself has the name: choose another');
      } else if (!NAMESPACE.test(namespace)) {
        reading.mistake(where, 'a name is made of letters, digits, "_", "-" and "."');
      } else if (owner !== undefined) {
        reading.mistake(where, `${owner} has the same name already`);
      }
      owners.set(namespace, owner ?? section);
    }
  }
}
