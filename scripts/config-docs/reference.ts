/** The reference of the configuration in Markdown, made of the settings and of the JSON Schema. */
import { defaultText } from '../../src/config/default-text.js';
import { ADAPTER, API, SERVER, type Schema } from '../../src/config/json-schema.js';
import {
  SETTINGS,
  SETTING_KEYS,
  flagOf,
  leastOf,
  variableOf,
  type SettingKey,
} from '../../src/config/settings.js';
import { ACCEPTED, amountText, type Kind } from '../../src/config/units.js';

export function configReference(): string {
  return [
    HEAD,
    MEMBERS,
    '### A server, under `mcpServers`\n',
    members(SERVER),
    'Guide: [the gateway](gateway.md).\n',
    '### A service, under `openapi`\n',
    members(API),
    '### A tool, under `adapters` and a namespace\n',
    members(ADAPTER),
    'Guide to both: [OpenAPI services, HTTP calls and command lines as tools](openapi.md).\n',
    SETTINGS_HEAD,
    acceptedValues(),
    ...groups().map(([group, keys]) => `### \`${group}\`\n\n${settings(keys)}`),
  ].join('\n');
}

const HEAD = `# Configuration

<!-- Made by \`npm run config-docs\` from src/config. Change it there. -->

What \`mcpx serve\` and \`mcpx check\` take with \`--config\`: JSON, with comments and trailing commas. In
the texts of servers, services and tools \`\${NAME}\` stands for a variable of the environment, and
\`\${NAME:-default}\` for one that need not be set.
[config.schema.json](config.schema.json) says the same for editors.
`;

const MEMBERS = `## Members of the file

\`mcpServers\`, \`openapi\` and \`adapters\` each hold what they declare by its namespace, and \`adapters\` by
the name of the tool below that. \`mcpServers\` may be called \`servers\` or \`context_servers\`. Each group of
settings is a member beside them. Any other member is refused, but for what MCP hosts keep there for
themselves. All mistakes are told at once, each with line, column, key and what is expected; a key that
is there twice is warned of, and the last one counts.
`;

const SETTINGS_HEAD = `## Settings

Each can be given in the file (\`transport.maxBody\` as \`{ "transport": { "maxBody": "8MiB" } }\`), in the
environment and as a flag of \`mcpx serve\`; the later of these wins. When the file is read again, a
setting that is *live* takes effect at once; the log names those that wait for a restart.
`;

function members({ properties }: Schema): string {
  const rows = Object.entries(properties as Readonly<Record<string, Schema>>);
  return table(
    ['key', 'type', 'what it is'],
    rows.map(([key, schema]) => [code(key), typeOf(schema), String(schema['description'])]),
  );
}

function acceptedValues(): string {
  const used = new Set<Kind>(SETTING_KEYS.map((key) => SETTINGS[key].kind));
  const rows = [...used].map((kind) => [kind, ACCEPTED[kind]]);
  return table(['kind', 'what is accepted'], rows);
}

/** In the order of the settings. */
function groups(): [string, SettingKey[]][] {
  const all = new Map<string, SettingKey[]>();
  for (const key of SETTING_KEYS) {
    const [group = ''] = key.split('.');
    all.set(group, [...(all.get(group) ?? []), key]);
  }
  return [...all];
}

function settings(keys: readonly SettingKey[]): string {
  return table(
    ['key', 'kind', 'default', 'live', 'what it is', 'variable', 'flag'],
    keys.map((key) => [
      code(key),
      SETTINGS[key].kind,
      defaultText(key),
      SETTINGS[key].live ? 'yes' : '',
      SETTINGS[key].help + leastText(key),
      code(variableOf(key)),
      code(`--${flagOf(key)}`),
    ]),
  );
}

/** An amount of nothing is refused without a word on it here. */
function leastText(key: SettingKey): string {
  const least = leastOf(key) ?? 1;
  return least > 1 ? `; at least ${amountText(SETTINGS[key].kind, least)}` : '';
}

function typeOf({ type, items, additionalProperties }: Schema): string {
  if (type === undefined) return 'any JSON';
  if (Array.isArray(type)) return type.map(nameOf).join(' or ');
  if (type === 'array') return isText(items) ? 'list of texts' : 'list';
  if (type === 'object' && isText(additionalProperties)) return 'texts by name';
  return nameOf(type);
}

function isText(schema: unknown): boolean {
  return (schema as Schema | undefined)?.['type'] === 'string';
}

function nameOf(type: unknown): string {
  return type === 'string' ? 'text' : String(type);
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('*', '\\*')).join(' | '),
  );
  return lines.map((line) => `| ${line} |\n`).join('');
}
