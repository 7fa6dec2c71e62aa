/** `mcpx matrix | head`: a reader that has enough is no failure of the command that writes. */
import type { Command } from 'commander';

/** For commands that print and are done. One that serves looks after its output itself. */
export function mayBeCutOff(program: Command): void {
  program.hook('preAction', (_program, command) => {
    if (command.name() === 'serve') return;
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  });
}
