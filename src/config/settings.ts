/** Every setting: one line each for its key, its kind, its default and what it governs. */
import { isObject } from '../protocol/jsonrpc.js';
import { pointerTo, shown } from './problem.js';
import type { Reading } from './reading.js';
import { ACCEPTED, amountText, readValue, type Kind, type Kinds } from './units.js';

const seconds = (n: number): number => n * 1000;
const minutes = (n: number): number => n * 60_000;

// prettier-ignore
export const SETTINGS = {
  'protoMessages.listMaxAge': duration(seconds(60), 'how long clients may keep lists'),
  'protoMessages.readMaxAge': duration(0, 'how long clients may keep resources they have read'),
  'protoMessages.taskAfter': live(duration(seconds(2), 'when a call whose tool says nothing of tasks becomes one')),
  'timing.taskEager': live(duration(250, 'how long a call may take to finish before it becomes a task')),
  'protoTasks.pollInterval': live(duration(seconds(1), 'how often clients are told to look after a task')),
  'tasks.ttl': live(duration(minutes(10), 'how long a finished task is kept')),
  'tasks.state': text('file in which tasks outlive the process, by the working folder; also --state'),
  'transport.sseKeepAlive': duration(seconds(15), 'pause between comments on an open stream'),
  'transport.stdioDrain': duration(seconds(30), 'how long requests in flight may go on when the client is gone or mcpx ends'),
  'transport.maxBody': size(8 * 1024 ** 2, 'largest HTTP body, and longest line on stdio'),
  'transport.allowedOrigins': origins('web origins that may call over HTTP, beside loopback'),
  'proto.sessionIdle': duration(minutes(30), 'when an unused HTTP session ends'),
  'proto.askTimeout': live(duration(minutes(10), 'how long a client may take to answer a question')),
  'proto.askRounds': live(count(8, 'how often one request may ask the client')),
  'proto.stateTTL': duration(minutes(30), 'how long a requestState can be used'),
  'proto.stateKeys': list([], 'keys that sign requestState, the newest first; without any, one of this process alone'),
  'elicit.ttl': live(duration(seconds(120), 'how long a question waits for somebody to answer it')),
  'pool.callTimeout': live(duration(seconds(120), 'how long an upstream may take for a request')),
  'pool.startTimeout': live(duration(seconds(60), 'how long an upstream may take to start')),
  'pool.idleTimeout': live(duration(minutes(5), 'how long an upstream that nobody uses is kept')),
  'upstream.probeTimeout': live(duration(seconds(2), 'how long an upstream may leave the modern probe unanswered')),
  'upstream.maxMessage': live(size(64 * 1024 ** 2, 'largest message of an upstream: an HTTP answer, an event of a stream, a line on stdio')),
  'upstream.eraCache': live(toggle(true, 'whether the era of an upstream is remembered')),
  'mcp.pageSize': count(100, 'entries in a page of a list'),
  'mcp.nameLength': count(128, 'characters in the name of a tool or prompt of an upstream, its namespace among them'),
  'artifacts.inlineLimit': live(size(256 * 1024, 'largest part of a result that is sent inline; what is larger becomes a resource')),
  'artifacts.ttl': live(duration(minutes(30), 'how long such a resource is kept')),
  'artifacts.maxBytes': live(size(64 * 1024 ** 2, 'how much is kept of them all')),
  'operations.token': text('who may use /v1: whoever has this token; without one, this machine'),
  'operations.tools': toggle(false, 'whether the operations of /v1 are offered as tools, too'),
} as const satisfies Record<string, Setting<Kind>>;

interface Setting<K extends Kind> {
  readonly kind: K;
  readonly default: Kinds[K];
  readonly help: string;
  /** Another value takes effect while mcpx serves. */
  readonly live: boolean;
}

type Table = typeof SETTINGS;
export type SettingKey = keyof Table;
export type Settings = { readonly [K in SettingKey]: Kinds[Table[K]['kind']] };

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

export const DEFAULTS: Settings = Object.fromEntries(
  SETTING_KEYS.map((key) => [key, SETTINGS[key].default]),
) as unknown as Settings;

/** Below these nothing works any more. Elsewhere 0 has a meaning: at once, never, or nothing. */
const LEAST: Readonly<Partial<Record<SettingKey, number>>> = {
  'protoTasks.pollInterval': 1,
  'tasks.ttl': 1,
  'transport.sseKeepAlive': 1,
  'transport.maxBody': 1024,
  'proto.sessionIdle': 1,
  'proto.askTimeout': 1,
  'proto.stateTTL': 1,
  'elicit.ttl': 1,
  'pool.callTimeout': 1,
  'pool.startTimeout': 1,
  'upstream.maxMessage': 1024,
  // Its digest is all that tells a shortened name from another one.
  'mcp.nameLength': 16,
  'artifacts.ttl': 1,
};

export function leastOf(key: SettingKey): number | undefined {
  return LEAST[key];
}

/** What is accepted, for messages and for help. */
export function expectedOf(key: SettingKey): string {
  const { kind } = SETTINGS[key];
  const least = leastOf(key);
  if (least === undefined) return ACCEPTED[kind];
  return `${ACCEPTED[kind]}, at least ${amountText(kind, least)}`;
}

/** Undefined where it cannot be one, which is a mistake. */
export function readSetting<K extends SettingKey>(
  key: K,
  value: unknown,
  where: string,
  reading: Reading,
): Settings[K] | undefined {
  const read = readValue(SETTINGS[key].kind, value);
  const isTooSmall = typeof read === 'number' && read < (leastOf(key) ?? 0);
  if (read !== undefined && !isTooSmall) return read as Settings[K];
  reading.mistake(where, `${shown(value)} is not ${expectedOf(key)}`);
  return undefined;
}

/** `transport.maxBody` → `MCPX_TRANSPORT_MAX_BODY` */
export function variableOf(key: SettingKey): string {
  return `MCPX_${words(key).join('_').toUpperCase()}`;
}

/** `transport.maxBody` → `transport-max-body`, without the dashes in front. */
export function flagOf(key: SettingKey): string {
  return words(key).join('-');
}

function words(key: string): string[] {
  return key
    .replace(/([a-z])([A-Z])/g, '$1.$2')
    .split('.')
    .map((word) => word.toLowerCase());
}

/** Variables of mcpx that are no settings. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'MCPX_CHECK_OUTGOING',
  'MCPX_CONFIG',
  'MCPX_LOG_LEVEL',
]);

/** A mistake is also a variable of ours that is none: a slip must not go unseen. */
export function settingsFromEnvironment(reading: Reading): Partial<Settings> {
  const keys = new Map(SETTING_KEYS.map((key) => [variableOf(key), key]));
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(reading.env)) {
    if (!name.startsWith('MCPX_') || OTHER_VARIABLES.has(name) || value === undefined) continue;
    const key = keys.get(name);
    if (key === undefined) {
      const known = [...keys.keys()].join(', ');
      reading.mistake(name, `there is no such setting; there are ${known}`);
    } else {
      settings[key] = readSetting(key, value, name, reading);
    }
  }
  return settings;
}

/** From the nested form of the file: `{ "transport": { "maxBody": "8MiB" } }`. */
export function settingsFromFile(
  groups: Readonly<Record<string, unknown>>,
  reading: Reading,
): Partial<Settings> {
  const settings: Record<string, unknown> = {};
  for (const [group, members] of Object.entries(groups)) {
    const known = SETTING_KEYS.filter((key) => key.startsWith(`${group}.`));
    if (known.length === 0) {
      const accepted = [...new Set(SETTING_KEYS.map((key) => key.split('.')[0]))].join(', ');
      const what = `unknown key; accepted are mcpServers, openapi, adapters, ${accepted}`;
      reading.mistake(pointerTo(group), what);
    } else if (!isObject(members)) {
      reading.mistake(pointerTo(group), `${shown(members)} is not an object of settings`);
    } else {
      readGroup(group, members, known, settings, reading);
    }
  }
  return settings;
}

function readGroup(
  group: string,
  members: Readonly<Record<string, unknown>>,
  known: readonly SettingKey[],
  settings: Record<string, unknown>,
  reading: Reading,
): void {
  for (const [name, value] of Object.entries(members)) {
    const key = known.find((candidate) => candidate === `${group}.${name}`);
    const where = pointerTo(group, name);
    if (key === undefined) {
      const accepted = known.map((candidate) => candidate.slice(group.length + 1)).join(', ');
      reading.mistake(where, `unknown setting; accepted are ${accepted}`);
    } else {
      settings[key] = readSetting(key, value, where, reading);
    }
  }
}

function live<K extends Kind>(setting: Setting<K>): Setting<K> {
  return { ...setting, live: true };
}

function duration(ms: number, help: string): Setting<'duration'> {
  return { kind: 'duration', default: ms, help, live: false };
}

function size(bytes: number, help: string): Setting<'size'> {
  return { kind: 'size', default: bytes, help, live: false };
}

function count(n: number, help: string): Setting<'count'> {
  return { kind: 'count', default: n, help, live: false };
}

function list(texts: readonly string[], help: string): Setting<'list'> {
  return { kind: 'list', default: texts, help, live: false };
}

function origins(help: string): Setting<'origins'> {
  return { kind: 'origins', default: [], help, live: false };
}

function text(help: string): Setting<'text'> {
  return { kind: 'text', default: '', help, live: false };
}

function toggle(on: boolean, help: string): Setting<'switch'> {
  return { kind: 'switch', default: on, help, live: false };
}
