/** The default of a setting as a person would write it. */
import { SETTINGS, type SettingKey } from './settings.js';
import { amountText } from './units.js';

/** `8MiB`, `2s`, `true`; `none` where nothing is set. */
export function defaultText(key: SettingKey): string {
  const { kind, default: value } = SETTINGS[key];
  if (kind === 'list' || kind === 'origins' || kind === 'text') return 'none';
  return typeof value === 'number' ? amountText(kind, value) : String(value);
}
