/** What every child process of mcpx is started with and ended by. */
import type { ChildProcess } from 'node:child_process';

/** Settings of mcpx itself, and perhaps secrets: none of a child's business. */
const OWN_VARIABLES = 'MCPX_';

export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith(OWN_VARIABLES)),
  );
}

/**
 * To the whole group, where there are groups: what a launcher started has to end with it. False where
 * nobody is left to hear it.
 */
export function signalGroup(child: ChildProcess, name: NodeJS.Signals): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.platform === 'win32' ? child.kill(name) : process.kill(-child.pid, name);
  } catch {
    // It has ended in the meantime.
    return false;
  }
}
