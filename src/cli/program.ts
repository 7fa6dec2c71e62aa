/** The command `mcpx` with all of its subcommands, not yet given any arguments. */
import { Command } from 'commander';
import { checkCommand } from './check-command.js';
import { diffCommand } from './diff-command.js';
import { matrixCommand } from './matrix-command.js';
import { probeCommand } from './probe-command.js';
import { questionsCommand } from './questions-command.js';
import { serveCommand } from './serve-command.js';
import { downgradeCommand, upgradeCommand } from './translate-commands.js';
import { validateCommand } from './validate-command.js';
import { version } from './version.js';

export function createProgram(): Command {
  return new Command('mcpx')
    .description('One MCP server for every MCP client, of any protocol revision.')
    .version(version())
    .showHelpAfterError('Try: mcpx --help')
    .addCommand(serveCommand())
    .addCommand(checkCommand())
    .addCommand(diffCommand())
    .addCommand(matrixCommand())
    .addCommand(validateCommand())
    .addCommand(downgradeCommand())
    .addCommand(upgradeCommand())
    .addCommand(probeCommand())
    .addCommand(questionsCommand());
}
