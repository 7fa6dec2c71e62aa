/** What every child process of mcpx is started with and ended by. */
import type { ChildProcess } from 'node:child_process';

/** Settings of mcpx itself, and perhaps secrets: none of a child's business. */
const OWN_VARIABLES = 'MCPX_';

export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith(OWN_VARIABLES)),
  );
}

/** To the whole group, where there are groups: what a launcher started has to end with it. */
export function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It has ended in the meantime.
  }
}
