/** `mcpx serve` as it is typed: options to what `serve` is told. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig, type Config } from '../config/config.js';
import { defaultText } from '../config/default-text.js';
import { ConfigProblem, refuse } from '../config/problem.js';
import { Reading } from '../config/reading.js';
import {
  SETTINGS,
  SETTING_KEYS,
  flagOf,
  readSetting,
  variableOf,
  type Settings,
} from '../config/settings.js';
import { serve, type HttpAddress } from './serve.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const CHECKS = ['off', 'warn', 'error'] as const;
const DEFAULT_ADDRESS: HttpAddress = { host: '127.0.0.1', port: 7332 };

interface Flags {
  config?: string;
  http?: true | HttpAddress;
  passthrough: string[];
  state?: string;
  checkOutgoing?: (typeof CHECKS)[number];
  logLevel: string;
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serves the configured upstreams as one server: on stdio, or over HTTP.')
    .addOption(
      new Option('--config <file>', 'mcpServers as MCP hosts keep them, and settings').env(
        'MCPX_CONFIG',
      ),
    )
    .addOption(
      new Option('--http [host:port]', 'Streamable HTTP instead of stdio')
        .argParser(address)
        .preset(undefined),
    )
    .option(
      '--passthrough <namespace>',
      'offer this upstream under its own names (may be given again)',
      (value: string, earlier: string[]) => [...earlier, value],
      [],
    )
    .addOption(new Option('--state <file>', 'keep tasks in this file, beyond the process'))
    .addOption(
      new Option('--check-outgoing <mode>', 'check every outgoing message strictly').choices(
        CHECKS,
      ),
    )
    .addOption(
      new Option('--log-level <level>', 'what is logged, on stderr')
        .choices(LOG_LEVELS)
        .default('info')
        .env('MCPX_LOG_LEVEL'),
    )
    .action((_options: unknown, typed: Command) => run(typed));
  for (const key of SETTING_KEYS) {
    const { help } = SETTINGS[key];
    command.addOption(
      new Option(`--${flagOf(key)} <value>`, `${help} (${key}, default ${defaultText(key)})`),
    );
  }
  return command.addHelpText('after', HELP);
}

const HELP = `
Every setting can also be given in the configuration file and in the environment, where it is weaker:
  { "transport": { "maxBody": "8MiB" } }
  ${variableOf('transport.maxBody')}=8MiB

Examples:
  mcpx serve --config ~/.mcp.json
  mcpx serve --config ~/.mcp.json --http
  mcpx serve --config ~/.mcp.json --http 127.0.0.1:8080 --passthrough github`;

/** `host:port`, `host`, `port`, `[::1]:port`. */
function address(text: string): HttpAddress {
  const parts = /^(?:(\[[^\]]+\]|[^:]*[^:\d][^:]*|[\d.]+\.[\d.]+):?)?(\d{1,5})?$/.exec(text);
  const port = parts?.[2] === undefined ? DEFAULT_ADDRESS.port : Number(parts[2]);
  if (parts === null || port > 65_535) {
    throw new InvalidArgumentError(`Expected host:port, as in 127.0.0.1:${DEFAULT_ADDRESS.port}.`);
  }
  const host = parts[1]?.replace(/^\[|\]$/g, '') ?? DEFAULT_ADDRESS.host;
  return { host, port };
}

async function run(command: Command): Promise<void> {
  const flags = command.opts<Flags>();
  const { config: file, http, passthrough, checkOutgoing, logLevel } = flags;
  const sources = { file, env: process.env, flags: settingsFromFlags(command) };
  const load = (): Promise<Config> => loadConfig(sources);
  const config = await load();
  const known = [...config.servers, ...config.apis, ...config.adapters].map((o) => o.namespace);
  const unknown = passthrough.find((namespace) => !known.includes(namespace));
  if (unknown !== undefined) {
    const listed = known.join(', ') || 'none';
    throw new ConfigProblem('--passthrough', `there is no server ${unknown}; there are: ${listed}`);
  }
  await serve({
    ...config,
    ...(http === undefined ? {} : { http: http === true ? DEFAULT_ADDRESS : http }),
    ...(file !== undefined && { source: { file, load } }),
    passthrough,
    checkOutgoing,
    logLevel,
  });
}

function settingsFromFlags(command: Command): Partial<Settings> {
  const { state } = command.opts<Flags>();
  const settings: Record<string, unknown> = state === undefined ? {} : { 'tasks.state': state };
  const reading = new Reading();
  for (const key of SETTING_KEYS) {
    const flag = flagOf(key);
    const value: unknown = command.getOptionValue(attributeOf(flag));
    if (value !== undefined) settings[key] = readSetting(key, value, `--${flag}`, reading);
  }
  refuse(reading.mistakes);
  return settings;
}

/** The name under which commander keeps the value of a flag. */
function attributeOf(flag: string): string {
  return flag.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
