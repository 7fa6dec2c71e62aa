#!/usr/bin/env node
/** The command `mcpx`. */
import { Command } from 'commander';
import { ConfigProblem } from '../config/problem.js';
import { checkCommand } from './check-command.js';
import { mayBeCutOff } from './closed-output.js';
import { diffCommand } from './diff-command.js';
import { matrixCommand } from './matrix-command.js';
import { probeCommand } from './probe-command.js';
import { questionsCommand } from './questions-command.js';
import { serveCommand } from './serve-command.js';
import { downgradeCommand, upgradeCommand } from './translate-commands.js';
import { validateCommand } from './validate-command.js';
import { version } from './version.js';

const program = new Command('mcpx')
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

mayBeCutOff(program);

try {
  await program.parseAsync();
} catch (error) {
  // What the user can mend is said in a line; anything else is a fault of ours and keeps its stack.
  const text = error instanceof ConfigProblem ? error.message : (error as Error).stack;
  process.stderr.write(`mcpx: ${text}\n`);
  process.exit(1);
}
