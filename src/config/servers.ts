/** `mcpServers` in the form that MCP hosts share: how each upstream is reached. */
import type { UpstreamTarget } from '../backends/upstream/options.js';
import type { ToolSelection } from '../backends/upstream/selection.js';
import { expand } from './expand.js';
import { Fields, given } from './fields.js';
import { ConfigProblem, pointerTo, shown } from './problem.js';

export interface ConfiguredServer {
  /** The name in the file, within what a namespace may hold. */
  readonly namespace: string;
  readonly target: UpstreamTarget;
  readonly selection?: ToolSelection;
  /** In bytes; absent: what the settings say. */
  readonly maxMessage?: number;
}

export interface Servers {
  readonly servers: readonly ConfiguredServer[];
  /** What was passed over, in words for the log. */
  readonly remarks: readonly string[];
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

/** `value`: what the file has under `mcpServers`. Throws `ConfigProblem`. */
export function readServers(value: unknown, env: NodeJS.ProcessEnv): Servers {
  const servers: ConfiguredServer[] = [];
  const remarks: string[] = [];
  const entries = Object.entries(objectAt(value, pointerTo('mcpServers')));
  for (const [name, entry] of entries) {
    const where = pointerTo('mcpServers', name);
    const fields = objectAt(entry, where);
    if (fields['disabled'] === true || fields['enabled'] === false) {
      remarks.push(`${where} is disabled and left out`);
      continue;
    }
    const unknown = Object.keys(fields).filter((key) => !KNOWN.has(key));
    if (unknown.length > 0) remarks.push(`${where}: ${unknown.join(', ')} passed over`);
    const namespace = name.replace(OUTSIDE_NAMESPACE, '-');
    if (namespace !== name) remarks.push(`${where} has the namespace ${namespace}`);
    const twin = servers.find((other) => other.namespace === namespace);
    if (twin !== undefined || namespace === '') {
      const expected = 'letters, digits, "_", "-" and "." that no other server has';
      throw new ConfigProblem(where, `the name ${shown(name)} has to be made of ${expected}`);
    }
    const read = new Entry(fields, where, env);
    const selection = read.selection();
    const maxMessage = new Fields(entry, where, env).size('maxMessage');
    servers.push(given({ namespace, target: read.target(), selection, maxMessage }));
  }
  return { servers, remarks };
}

class Entry {
  constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    private readonly where: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  target(): UpstreamTarget {
    const address = ADDRESSES.find((key) => this.fields[key] !== undefined);
    const { command } = this.fields;
    if (command !== undefined && address !== undefined) {
      throw new ConfigProblem(this.where, `has both command and ${address}; one is accepted`);
    }
    if (address !== undefined) {
      const headers = this.#texts('headers');
      const sse = [this.fields['type'], this.fields['transport']].includes('sse');
      return { kind: 'http', url: this.#url(address), headers, ...(sse && { sse }) };
    }
    if (command === undefined || command === '') {
      throw new ConfigProblem(this.where, 'needs a command (a process) or a url (HTTP)');
    }
    const cwd = this.fields['cwd'];
    return {
      kind: 'stdio',
      command: this.#text(command, 'command'),
      args: this.#list('args'),
      env: this.#texts('env'),
      ...(cwd === undefined ? {} : { cwd: this.#text(cwd, 'cwd') }),
    };
  }

  /** Undefined where nothing is chosen. */
  selection(): ToolSelection | undefined {
    const allow = this.#names(ALLOWED);
    const deny = this.#names(DENIED);
    const rename = this.fields['rename'] === undefined ? undefined : this.#texts('rename');
    if (allow === undefined && deny === undefined && rename === undefined) return undefined;
    return {
      ...(allow !== undefined && { allow }),
      ...(deny !== undefined && { deny }),
      ...(rename !== undefined && { rename }),
    };
  }

  #names(keys: readonly string[]): string[] | undefined {
    // Under its own key a host may keep anything.
    const given = keys.filter((key) =>
      OWN.has(key) ? this.fields[key] !== undefined : Array.isArray(this.fields[key]),
    );
    const names = given.flatMap((key) => this.#list(key));
    return given.length === 0 ? undefined : names;
  }

  #url(key: string): string {
    const text = this.#text(this.fields[key], key);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw new ConfigProblem(this.#at(key), `${shown(text)} is not an http or https URL`);
    }
    return url.href;
  }

  #list(key: string): string[] {
    const { [key]: value = [] } = this.fields;
    if (!Array.isArray(value)) {
      throw new ConfigProblem(this.#at(key), `${shown(value)} is not an array of texts`);
    }
    return value.map((item: unknown, index) => this.#text(item, key, String(index)));
  }

  #texts(key: string): Record<string, string> {
    const { [key]: value = {} } = this.fields;
    const entries = Object.entries(objectAt(value, this.#at(key)));
    return Object.fromEntries(entries.map(([name, text]) => [name, this.#text(text, key, name)]));
  }

  #text(value: unknown, ...steps: string[]): string {
    const where = this.#at(...steps);
    if (typeof value !== 'string') throw new ConfigProblem(where, `${shown(value)} is not a text`);
    return expand(value, this.env, where);
  }

  #at(...steps: string[]): string {
    return this.where + pointerTo(...steps);
  }
}

function objectAt(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new ConfigProblem(where, `${shown(value)} is not an object`);
}
