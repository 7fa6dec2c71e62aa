/** Everything the user has said, from the weakest source to the strongest: file, environment, flags. */
import { readConfigFile } from './file.js';
import type { ConfiguredServer } from './servers.js';
import { DEFAULTS, settingsFromEnvironment, type Settings } from './settings.js';

export interface Config {
  readonly servers: readonly ConfiguredServer[];
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
  const { servers, remarks, settings } =
    file === undefined
      ? { servers: [], remarks: [], settings: {} }
      : await readConfigFile(file, env);
  return {
    servers,
    remarks,
    settings: { ...DEFAULTS, ...settings, ...settingsFromEnvironment(env), ...flags },
  };
}
