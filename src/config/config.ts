/** Everything the user has said, from the weakest source to the strongest: file, environment, flags. */
import type { ConfiguredAdapters } from './adapters.js';
import { readConfigFile } from './file.js';
import type { ConfiguredApi } from './openapi.js';
import type { ConfiguredServer } from './servers.js';
import { DEFAULTS, settingsFromEnvironment, type Settings } from './settings.js';

export interface Config {
  readonly servers: readonly ConfiguredServer[];
  readonly apis: readonly ConfiguredApi[];
  readonly adapters: readonly ConfiguredAdapters[];
  readonly settings: Settings;
  /** What was passed over, in words for the log. */
  readonly remarks: readonly string[];
}

export interface ConfigSources {
  /** Path of the configuration file. */
  readonly file?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: Partial<Settings>;
}

/** Rejects with `ConfigProblem`, which names the place, what was given and what is accepted. */
export async function loadConfig({ file, env, flags }: ConfigSources): Promise<Config> {
  const { settings, ...rest } =
    file === undefined
      ? { servers: [], apis: [], adapters: [], remarks: [], settings: {} }
      : await readConfigFile(file, env);
  return {
    ...rest,
    settings: { ...DEFAULTS, ...settings, ...settingsFromEnvironment(env), ...flags },
  };
}
