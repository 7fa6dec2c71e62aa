/** `mcpx downgrade` and `mcpx upgrade`: what a peer of another revision would receive. */
import { Argument, Command, Option } from 'commander';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { stepsAsText, translateText, type TranslatedLine } from '../audit/translate-text.js';
import { ConfigProblem } from '../config/problem.js';
import { formatOption, methodArgument, printJson, revisionArgument } from './arguments.js';
import { readInput } from './input.js';

interface Flags {
  from: Revision;
  to: Revision;
  method?: string;
  explain?: true;
  format: 'text' | 'json';
}

export function downgradeCommand(): Command {
  return translateCommand(
    'downgrade',
    'What a client or an upstream of an older revision receives.',
  )
    .addOption(
      revisionOption('--to <revision>', 'the revision that receives').makeOptionMandatory(),
    )
    .addOption(revisionOption('--from <revision>', 'the revision of the messages').default(NEWEST))
    .addHelpText(
      'after',
      `
A result needs its request before it, in an array or a transcript, or --method.

Examples:
  mcpx downgrade --to 2024-11-05 --method tools/call result.json
  mcpx downgrade --to 2025-06-18 --explain session.jsonl`,
    );
}

export function upgradeCommand(): Command {
  return translateCommand('upgrade', 'What is made of a message of an older revision.')
    .addOption(
      revisionOption('--from <revision>', 'the revision of the messages').makeOptionMandatory(),
    )
    .addOption(revisionOption('--to <revision>', 'the revision that receives').default(NEWEST))
    .addHelpText(
      'after',
      `
Examples:
  mcpx upgrade --from 2024-11-05 --method tools/list --explain result.json
  mcpx upgrade --from 2025-06-18 session.jsonl`,
    );
}

function translateCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addArgument(new Argument('<file>', 'a message, an array or JSON Lines; - for standard input'))
    .addOption(
      new Option('--method <method>', 'a result without its request answers this').argParser(
        methodArgument,
      ),
    )
    .option('--explain', 'say which row of the table or which conversion did each change')
    .addOption(formatOption('text', 'json'))
    .action(run);
}

function revisionOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(revisionArgument);
}

async function run(file: string, { explain, format, ...options }: Flags): Promise<void> {
  const text = await readInput(file);
  let lines: TranslatedLine[];
  try {
    lines = translateText(text, options);
  } catch (error) {
    throw new ConfigProblem(file, (error as Error).message);
  }
  if (format === 'json') {
    printJson(
      lines.map(({ frame, refused, steps }) => ({ frame, refused, ...(explain && { steps }) })),
    );
    return;
  }
  for (const line of lines) process.stdout.write(asText(line, explain === true));
}

function asText({ frame, refused, steps }: TranslatedLine, explain: boolean): string {
  const said = frame === undefined ? `nothing: ${refused ?? ''}` : JSON.stringify(frame, null, 2);
  return `${said}\n${explain ? stepsAsText(steps) : ''}`;
}
