/** `mcpx diff`: what changed between two revisions, and what the edge does about it. */
import { Argument, Command, Option } from 'commander';
import type { Sender } from '../../generated/methods.js';
import type { Revision } from '../../generated/revisions.js';
import { changesBetween } from '../audit/changes.js';
import { changesAsMarkdown, changesAsText } from '../audit/changes-text.js';
import { formatOption, messageOption, printJson, revisionArgument } from './arguments.js';

interface Flags {
  message?: string;
  sentBy?: Sender;
  format: 'text' | 'md' | 'json';
}

export function diffCommand(): Command {
  return new Command('diff')
    .description('What changed between two revisions, and what the edge does about it.')
    .addArgument(new Argument('<from>', 'a revision').argParser(revisionArgument))
    .addArgument(new Argument('<to>', 'another one').argParser(revisionArgument))
    .addOption(messageOption())
    .addOption(
      new Option('--sent-by <role>', 'only messages of this sender').choices(['server', 'client']),
    )
    .addOption(formatOption('text', 'md', 'json'))
    .addHelpText('after', HELP)
    .action((from: Revision, to: Revision, { message, sentBy, format }: Flags) => {
      const changes = changesBetween(from, to, {
        ...(message !== undefined && { method: message }),
        ...(sentBy !== undefined && { sender: sentBy }),
      });
      if (format === 'json') printJson(changes);
      else
        process.stdout.write(format === 'md' ? changesAsMarkdown(changes) : changesAsText(changes));
    });
}

const HELP = `
Each change says what a peer of the older revision gets of it: kept, dropped, converted, refused, never
sent; with the reason, and the conversion's name in src/edge/conversions.

Examples:
  mcpx diff 2025-06-18 2025-11-25
  mcpx diff 2025-11-25 2026-07-28 --message tools/call
  mcpx diff 2024-11-05 2026-07-28 --sent-by server --format md > changes.md`;
