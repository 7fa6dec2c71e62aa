/** Another configuration for an mcpx that serves: what of it takes effect, and what has to wait. */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { SETTINGS, SETTING_KEYS, type SettingKey, type Settings } from '../config/settings.js';
import type { Mount, Remounting } from '../server/contract.js';

export interface TakingUp {
  /** Those that mcpx was started with. */
  readonly settings: Settings;
  /** What has to change for the configuration to be served, which is taken to be done. */
  change(config: Config): Remounting;
  remount(change: Remounting): Promise<void>;
  /** Settings that are read whenever they are needed. */
  adjust(settings: Settings): void;
  readonly logger: Logger;
}

export function takeUp(serving: TakingUp, config: Config): void {
  const change = serving.change(config);
  serving.adjust(config.settings);
  serving.logger.info(namesOf(change), 'configuration taken up');
  const waiting = waitForRestart(serving.settings, config.settings);
  if (waiting.length > 0) serving.logger.warn(`needs a restart: ${waiting.join(', ')}`);
  void serving.remount(change);
}

function namesOf(change: Remounting): Record<'removed' | 'changed' | 'added', string[]> {
  const names = (mounts: readonly Mount[]): string[] =>
    mounts.map(({ backend }) => backend.namespace);
  const [gone, come] = [names(change.removed), names(change.added)];
  return {
    removed: gone.filter((name) => !come.includes(name)),
    changed: come.filter((name) => gone.includes(name)),
    added: come.filter((name) => !gone.includes(name)),
  };
}

/** Settings that are other ones than those in force, and stay so. */
function waitForRestart(inForce: Settings, wanted: Settings): SettingKey[] {
  return SETTING_KEYS.filter(
    (key) => !SETTINGS[key].live && !isDeepStrictEqual(inForce[key], wanted[key]),
  );
}
