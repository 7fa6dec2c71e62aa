/** `mcpx validate`: what is wrong with a message, or with a whole transcript. */
import { Argument, Command, Option } from 'commander';
import type { Revision } from '../../generated/revisions.js';
import { CHECKS } from '../audit/checks.js';
import { findingsAsText } from '../audit/findings-text.js';
import { asSarif } from '../audit/sarif.js';
import { validateText } from '../audit/validate.js';
import { ConfigProblem } from '../config/problem.js';
import { formatOption, methodArgument, printJson, revisionArgument } from './arguments.js';
import { readInput } from './input.js';
import { version } from './version.js';

interface Flags {
  revision?: Revision;
  as?: string;
  method?: string;
  strict?: true;
  format: 'text' | 'json' | 'sarif';
}

export function validateCommand(): Command {
  return new Command('validate')
    .description('Checks one message, an array of them, or a transcript (JSON Lines).')
    .addArgument(new Argument('<file>', 'a file, or - for standard input'))
    .addOption(
      new Option(
        '--revision <revision>',
        'judge by this one, where nothing was negotiated',
      ).argParser(revisionArgument),
    )
    .addOption(new Option('--as <type>', 'values of this definition, not messages'))
    .addOption(
      new Option('--method <method>', 'a result without its request answers this').argParser(
        methodArgument,
      ),
    )
    .option('--strict', 'treat warnings as errors')
    .addOption(formatOption('text', 'json', 'sarif'))
    .addHelpText('after', HELP)
    .action(run);
}

async function run(file: string, { strict, format, ...options }: Flags): Promise<void> {
  const text = await readInput(file);
  const results = await validateText(text, { ...options, strict: strict === true }).catch(
    (error: unknown) => {
      throw new ConfigProblem('validate', (error as Error).message);
    },
  );
  if (format === 'json') printJson(results);
  else if (format === 'sarif') printJson(asSarif(results, { file, version: version() }));
  else process.stdout.write(findingsAsText(file, results));
  const failed = results.some(({ findings }) => findings.some((one) => one.severity === 'error'));
  process.exitCode = failed ? 2 : 0;
}

const HELP = `
A line of a transcript is a message, or { "direction": "client-to-server", "headers": { }, "message": { } },
where direction may be server-to-client and headers may be left out. In arrays and transcripts the
negotiated revision is followed, and answers are judged by the requests before them.

Exit code: 0 where there are no errors, 2 where there are, 1 where nothing could be checked.

Checks: ${Object.keys(CHECKS).join(', ')}

Examples:
  mcpx validate --revision 2025-06-18 message.json
  mcpx validate --revision 2025-11-25 --method tools/list result.json
  mcpx validate --revision 2026-07-28 --as Tool --strict tool.json
  mcpx validate --format sarif session.jsonl > findings.sarif`;
