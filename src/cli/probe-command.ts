/** `mcpx probe`: a doctor for other people's servers. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { REVISIONS, type Revision } from '../../generated/revisions.js';
import { loadJudge } from '../audit/judge.js';
import type { OpenChannel } from '../backends/upstream/channel.js';
import { HttpChannel } from '../backends/upstream/http-channel.js';
import { DEFAULT_MAX_MESSAGE } from '../backends/upstream/options.js';
import { StdioChannel } from '../backends/upstream/stdio-channel.js';
import { Diagnostics } from '../protocol/diagnostics.js';
import { formatOption, printJson, revisionArgument } from './arguments.js';
import { probeRevision } from './probe/probe.js';
import { probedAsText, type Reported } from './probe/report.js';
import { version } from './version.js';

interface Flags {
  revision: Revision[];
  header: Record<string, string>;
  timeout: number;
  format: 'text' | 'json';
}

export function probeCommand(): Command {
  return new Command('probe')
    .description(
      'Connects as a client of each revision in turn, and says what the server really does.',
    )
    .addArgument(new Argument('<target...>', 'a URL, or -- and a command with its arguments'))
    .addOption(
      new Option('--revision <revision>', 'only as a client of this one (may be given again)')
        .argParser((text: string, earlier: Revision[]) => [...earlier, revisionArgument(text)])
        .default([], 'all'),
    )
    .addOption(
      new Option('--header <name: value>', 'sent with each HTTP request (may be given again)')
        .argParser(header)
        .default({}, 'none'),
    )
    .addOption(
      new Option('--timeout <ms>', 'how long each answer may take')
        .argParser(milliseconds)
        .default(10_000),
    )
    .addOption(formatOption('text', 'json'))
    .addHelpText('after', HELP)
    .action(run);
}

async function run(target: readonly string[], flags: Flags): Promise<void> {
  const judge = await loadJudge(false);
  const clientInfo = { name: 'mcpx-probe', version: version() };
  const revisions =
    flags.revision.length > 0 ? flags.revision : REVISIONS.map((one) => one.revision);
  const probe = async (revision: Revision, timeout: number): Promise<Reported> => {
    const diagnostics = new Diagnostics();
    const open = channelTo(target, flags.header, diagnostics);
    const probed = await probeRevision(revision, { open, judge, clientInfo, timeout });
    return { ...probed, transport: Object.fromEntries(diagnostics.counts()) };
  };
  const results = await probeAll(revisions, probe, flags.timeout);
  if (flags.format === 'json') printJson(results);
  else process.stdout.write(probedAsText(results));
  process.exitCode = exitCode(results);
}

/** Of the time for an answer: what is left for each further revision where the first got none. */
const LITTLE = 1 / 5;

async function probeAll(
  [first, ...others]: readonly Revision[],
  probe: (revision: Revision, timeout: number) => Promise<Reported>,
  timeout: number,
): Promise<Reported[]> {
  if (first === undefined) return [];
  const results = [await probe(first, timeout)];
  if (results[0]?.silent === true) {
    // There is hardly anybody there, and whoever asks should not wait for that five times.
    const briefly = Math.ceil(timeout * LITTLE);
    return [...results, ...(await Promise.all(others.map((one) => probe(one, briefly))))];
  }
  // One after the other: a server that is asked to start five times at once is another experiment.
  for (const revision of others) results.push(await probe(revision, timeout));
  return results;
}

function exitCode(results: readonly Reported[]): number {
  if (results.every(({ revision }) => revision === undefined)) return 1;
  return results.some(isFaulty) ? 2 : 0;
}

function isFaulty({ leaks, mistakes, transport }: Reported): boolean {
  return leaks.length + mistakes.length + Object.keys(transport).length > 0;
}

function channelTo(
  target: readonly string[],
  headers: Record<string, string>,
  diagnostics: Diagnostics,
): OpenChannel {
  const [first = '', ...args] = target;
  if (/^https?:\/\//.test(first) && args.length === 0) {
    const http = { kind: 'http', url: first, headers } as const;
    return (listener) => new HttpChannel(http, 'probe', listener, diagnostics, DEFAULT_MAX_MESSAGE);
  }
  const stdio = { kind: 'stdio', command: first, args, env: {} } as const;
  return (listener) => new StdioChannel(stdio, 'probe', listener, diagnostics, DEFAULT_MAX_MESSAGE);
}

function header(text: string, earlier: Record<string, string>): Record<string, string> {
  const parts = /^([^:\s]+):\s*(.*)$/.exec(text);
  if (parts === null)
    throw new InvalidArgumentError('Expected a name and a value, as in "X-Key: abc".');
  return { ...earlier, [parts[1] ?? '']: parts[2] ?? '' };
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('Expected a number of ms.');
  return value;
}

const HELP = `
Only questions without effects are asked: the handshake or the discovery, ping, the lists that the server
offers, and a method that does not exist. A leak is a field sent to a revision that never had it.

Where the first revision gets no answer within the timeout, the others are asked all at once, and have a
fifth of it: a server that is slow to start needs a longer --timeout.

Exit code: 0 where nothing was found, 2 where something was, 1 where the server serves no revision.

Examples:
  mcpx probe https://example.com/mcp --header "Authorization: Bearer abc"
  mcpx probe -- npx -y @modelcontextprotocol/server-everything
  mcpx probe --revision 2024-11-05 --format json -- node server.js`;
