/** Everything the user has said, from the weakest source to the strongest: file, environment, flags. */
import { readConfigFile, type FileConfig } from './file.js';
import { ConfigProblem, refuse } from './problem.js';
import { Reading } from './reading.js';
import { DEFAULTS, settingsFromEnvironment, type Settings } from './settings.js';

export interface Config extends FileConfig {
  readonly settings: Settings;
}

export interface ConfigSources {
  /** Path of the configuration file. */
  readonly file?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: Partial<Settings>;
}

/** Rejects with `ConfigProblem`: every mistake, each with its place, what was given and what is accepted. */
export async function loadConfig({ file, env, flags }: ConfigSources): Promise<Config> {
  const reading = new Reading(env);
  const variables = settingsFromEnvironment(reading);
  const { settings, ...rest } =
    file === undefined ? NOTHING : await readConfigFile(file, env).catch(withThese(reading));
  refuse(reading.mistakes);
  return { ...rest, settings: { ...DEFAULTS, ...settings, ...variables, ...flags } };
}

const NOTHING: FileConfig = {
  ...{ servers: [], apis: [], adapters: [], settings: {} },
  ...{ remarks: [], warnings: [] },
};

/** Mistakes of the file come first, and those that were found elsewhere go with them. */
function withThese({ mistakes }: Reading): (error: unknown) => never {
  return (error) => {
    if (error instanceof ConfigProblem) refuse([...error.mistakes, ...mistakes]);
    throw error;
  };
}
