/** Why a command could not be started, with what was looked for and where. */
import { existsSync } from 'node:fs';
import type { StdioTarget } from './options.js';

export function startFault(
  { command, env, cwd }: Pick<StdioTarget, 'command' | 'env' | 'cwd'>,
  error: NodeJS.ErrnoException,
): string {
  if (cwd !== undefined && !existsSync(cwd)) return `there is no folder ${cwd} to start it in`;
  if (error.code === 'EACCES') return `it may not be executed (${error.message})`;
  if (error.code !== 'ENOENT') return error.message;
  if (/[/\\]/.test(command)) return `there is no such file (${error.message})`;
  const path = pathOf(env) ?? pathOf(process.env) ?? '';
  return `there is no such command in any folder of PATH: ${path}`;
}

/** Windows writes it in any case. */
function pathOf(env: NodeJS.ProcessEnv): string | undefined {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH');
  return name === undefined ? undefined : env[name];
}
