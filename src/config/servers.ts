/** `mcpServers` in the form that MCP hosts share: how each upstream is reached. */
import type { UpstreamTarget } from '../backends/upstream/options.js';
import type { ToolSelection } from '../backends/upstream/selection.js';
import { Fields, given } from './fields.js';
import { httpTarget } from './http-target.js';
import { pointerTo, shown } from './problem.js';
import type { Reading } from './reading.js';
import { leastOf } from './settings.js';

export interface ConfiguredServer {
  /** The name in the file, within what a namespace may hold. */
  readonly namespace: string;
  readonly target: UpstreamTarget;
  readonly selection?: ToolSelection;
  /** In bytes; absent: what the settings say. */
  readonly maxMessage?: number;
}

const STDIO = ['command', 'args', 'env', 'cwd'];
/** Some hosts have names of their own for the address. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl'];
const HTTP = [...ADDRESSES, 'headers'];
/** What hosts write there for themselves. */
const EXTRAS = [
  ...['type', 'transport', 'disabled', 'enabled', 'name', 'description', 'timeout', 'trust'],
  ...['alwaysAllow', 'autoApprove', 'gallery', 'source', 'envFile', 'dev'],
];
/** Which tools are offered: our names, and those that hosts have for the same. */
const ALLOWED = ['allow', 'includeTools', 'enabledTools', 'tools'];
const DENIED = ['deny', 'excludeTools', 'disabledTools'];
const OWN: ReadonlySet<string> = new Set(['allow', 'deny']);
const LIMITS = ['maxMessage'];
const SELECTION = [...ALLOWED, ...DENIED, 'rename'];
const KNOWN: ReadonlySet<string> = new Set([...STDIO, ...HTTP, ...SELECTION, ...LIMITS, ...EXTRAS]);

const OUTSIDE_NAMESPACE = /[^A-Za-z0-9_.-]+/g;

/** `key`: where the file has them. */
export function readServers(value: unknown, key: string, reading: Reading): ConfiguredServer[] {
  const entries = Fields.of(value, pointerTo(key), reading);
  const servers = new Map<string, ConfiguredServer>();
  for (const name of entries?.keys ?? []) {
    const fields = entries?.inner(name);
    if (fields === undefined || isLeftOut(fields, reading)) continue;
    const { where } = fields;
    const namespace = name.replace(OUTSIDE_NAMESPACE, '-');
    const isUsable = namespace !== '' && !servers.has(namespace);
    if (!isUsable) {
      const expected = 'letters, digits, "_", "-" and "." that no other server has';
      reading.mistake(where, `the name ${shown(name)} has to be made of ${expected}`);
    } else if (namespace !== name) {
      reading.remarks.push(`${where} has the namespace ${namespace}`);
    }
    const unknown = fields.keys.filter((member) => !KNOWN.has(member));
    if (unknown.length > 0) reading.remarks.push(`${where}: ${unknown.join(', ')} passed over`);
    const target = targetOf(fields, reading);
    const selection = selectionOf(fields);
    const maxMessage = fields.size('maxMessage', leastOf('upstream.maxMessage'));
    if (target !== undefined && isUsable) {
      servers.set(namespace, given({ namespace, target, selection, maxMessage }));
    }
  }
  return [...servers.values()];
}

function isLeftOut(fields: Fields, { remarks }: Reading): boolean {
  const disabled = fields.toggle('disabled') === true || fields.toggle('enabled') === false;
  if (disabled) remarks.push(`${fields.where} is disabled and left out`);
  return disabled;
}

function targetOf(fields: Fields, reading: Reading): UpstreamTarget | undefined {
  const address = ADDRESSES.find((key) => fields.has(key));
  const hasCommand = fields.has('command') && fields.raw('command') !== '';
  if (fields.has('command') && address !== undefined) {
    reading.mistake(fields.where, `has both command and ${address}; one is accepted`);
  } else if (address !== undefined) {
    return httpTarget(fields, address, reading);
  } else if (!hasCommand) {
    reading.mistake(fields.where, 'needs a command (a process) or a url (HTTP)');
  } else {
    return given({
      kind: 'stdio' as const,
      command: fields.text('command') ?? '',
      args: fields.textList('args') ?? [],
      env: fields.texts('env') ?? {},
      cwd: fields.text('cwd'),
    });
  }
  return undefined;
}

/** Undefined where nothing is chosen. */
function selectionOf(fields: Fields): ToolSelection | undefined {
  const allow = namesUnder(ALLOWED, fields);
  const deny = namesUnder(DENIED, fields);
  const rename = fields.texts('rename');
  if (allow === undefined && deny === undefined && rename === undefined) return undefined;
  return given({ allow, deny, rename });
}

function namesUnder(keys: readonly string[], fields: Fields): string[] | undefined {
  // Under its own key a host may keep anything.
  const chosen = keys.filter((key) =>
    OWN.has(key) ? fields.has(key) : Array.isArray(fields.raw(key)),
  );
  const names = chosen.flatMap((key) => fields.textList(key) ?? []);
  return chosen.length === 0 ? undefined : names;
}
