/** Where files go that can be lost without harm. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export function cacheFile(name: string): string {
  return join(cacheFolder(process.env), 'mcpx', name);
}

function cacheFolder({ XDG_CACHE_HOME: xdg, LOCALAPPDATA: local }: NodeJS.ProcessEnv): string {
  if (xdg !== undefined && xdg !== '') return xdg;
  if (process.platform === 'win32' && local !== undefined) return local;
  return process.platform === 'darwin'
    ? join(homedir(), 'Library', 'Caches')
    : join(homedir(), '.cache');
}
