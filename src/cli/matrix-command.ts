/** `mcpx matrix`: which field exists in which revision. */
import { Command } from 'commander';
import { matrixAsMarkdown, matrixAsText, matrixOf } from '../audit/matrix-text.js';
import { formatOption, messageOption, printJson } from './arguments.js';

interface Flags {
  message?: string;
  format: 'text' | 'md' | 'json';
}

export function matrixCommand(): Command {
  return new Command('matrix')
    .description('Every field against every revision.')
    .addOption(messageOption())
    .addOption(formatOption('text', 'md', 'json'))
    .addHelpText('after', HELP)
    .action(({ message, format }: Flags) => {
      const data = matrixOf(message);
      if (format === 'json') printJson(data);
      else process.stdout.write(format === 'md' ? matrixAsMarkdown(data) : matrixAsText(data));
    });
}

const HELP = `
req: required, opt: optional, -: the revision does not have it. A * marks a type that is not the one in
the last column, which is the latest.

Examples:
  mcpx matrix --message tools/list
  mcpx matrix --format json | jq '.definitions.Tool.fields | keys'`;
