/** `mcpx check`: what `mcpx serve` would make of a configuration. */
import { Command, Option } from 'commander';
import { loadConfig } from '../config/config.js';
import { formatOption, printJson } from './arguments.js';
import { check, type Checked } from './check/check.js';
import { checkedAsText } from './check/report.js';

interface Flags {
  config: string;
  format: 'text' | 'json';
}

export function checkCommand(): Command {
  return new Command('check')
    .description('Says what would be served with a configuration, and what is wrong with it.')
    .addOption(
      new Option('--config <file>', 'the same that serve takes')
        .env('MCPX_CONFIG')
        .makeOptionMandatory(),
    )
    .addOption(formatOption('text', 'json'))
    .addHelpText('after', HELP)
    .action(run);
}

async function run({ config: file, format }: Flags): Promise<void> {
  const config = await loadConfig({ file, env: process.env, flags: {} });
  const checked = await check({ ...config, passthrough: [] });
  if (format === 'json') {
    printJson({ ...checked, remarks: config.remarks, warnings: config.warnings });
  } else {
    for (const warning of config.warnings) process.stdout.write(`${warning}\n`);
    for (const remark of config.remarks) process.stdout.write(`${remark}\n`);
    process.stdout.write(checkedAsText(checked));
  }
  process.exitCode = exitCode(checked, config.warnings);
}

function exitCode({ backends, collisions }: Checked, warnings: readonly string[]): number {
  if (backends.some(({ up }) => !up)) return 1;
  const told = backends.some(
    ({ findings, notes }) => notes.length > 0 || findings.some(({ kind }) => kind !== 'translated'),
  );
  return told || collisions.length > 0 || warnings.length > 0 ? 2 : 0;
}

const HELP = `
Every upstream is started, asked for its lists and ended again; no tool is called.

Exit code: 0 where all is well, 2 where something had to be repaired, renamed or left out, or stands in the
configuration twice, 1 where an upstream does not start or the configuration cannot be read: every
mistake in it is told, with line and column.

Examples:
  mcpx check --config ~/.mcp.json
  mcpx check --config mcp.json --format json`;
