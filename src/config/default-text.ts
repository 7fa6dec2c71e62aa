/** The default of a setting as a person would write it. */
import { SETTINGS, type SettingKey } from './settings.js';

/** `8MiB`, `2s`, `true`; `none` where nothing is set. */
export function defaultText(key: SettingKey): string {
  const { kind, default: value } = SETTINGS[key];
  if (kind === 'list' || kind === 'origins' || kind === 'text') return 'none';
  if (kind === 'duration') return duration(value);
  if (kind === 'size') return size(value);
  return String(value);
}

function duration(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}min`;
  return ms >= 1000 ? `${ms / 1000}s` : `${ms}ms`;
}

function size(bytes: number): string {
  return bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2}MiB` : `${bytes / 1024}KiB`;
}
