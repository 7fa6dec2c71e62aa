/** The configuration file: JSON with comments, the servers and the settings side by side. */
import { readFile } from 'node:fs/promises';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { ConfigProblem, shown } from './problem.js';
import { readServers, type Servers } from './servers.js';
import { settingsFromFile, type Settings } from './settings.js';

export interface FileConfig extends Servers {
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
  const { mcpServers = {}, ...rest } = value as Record<string, unknown>;
  const groups = Object.entries(rest).filter(([key]) => !OF_HOSTS.has(key));
  try {
    return {
      ...readServers(mcpServers, env),
      settings: settingsFromFile(Object.fromEntries(groups)),
    };
  } catch (error) {
    if (error instanceof ConfigProblem) throw new ConfigProblem(name, error.message);
    throw error;
  }
}
