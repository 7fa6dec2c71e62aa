/** Reads the members of one object of the configuration file, each with its place for the message. */
import { expand } from './expand.js';
import { ConfigProblem, pointerTo, shown } from './problem.js';
import { ACCEPTED, readValue } from './units.js';

export class Fields {
  readonly #members: Readonly<Record<string, unknown>>;

  /** Throws `ConfigProblem` where it is no object, or has a member that is not among those accepted. */
  constructor(
    value: unknown,
    readonly where: string,
    private readonly env: NodeJS.ProcessEnv,
    accepted?: readonly string[],
  ) {
    this.#members = objectAt(value, where);
    const unknown = Object.keys(this.#members).find((key) => accepted?.includes(key) === false);
    if (unknown !== undefined) {
      const known = accepted?.join(', ') ?? '';
      throw new ConfigProblem(this.at(unknown), `unknown key; accepted are ${known}`);
    }
  }

  get keys(): string[] {
    return Object.keys(this.#members);
  }

  at(...steps: readonly string[]): string {
    return this.where + pointerTo(...steps);
  }

  has(key: string): boolean {
    return this.#members[key] !== undefined;
  }

  raw(key: string): unknown {
    return this.#members[key];
  }

  /** References to the environment are replaced. */
  text(key: string): string | undefined {
    return this.has(key) ? this.textOf(this.#members[key], this.at(key)) : undefined;
  }

  textOf(value: unknown, where: string): string {
    if (typeof value !== 'string') throw new ConfigProblem(where, `${shown(value)} is not a text`);
    return expand(value, this.env, where);
  }

  texts(key: string): Record<string, string> | undefined {
    if (!this.has(key)) return undefined;
    const inner = this.inner(key);
    return Object.fromEntries(inner.keys.map((name) => [name, inner.text(name) ?? '']));
  }

  list(key: string): readonly unknown[] | undefined {
    const value = this.#members[key];
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      throw new ConfigProblem(this.at(key), `${shown(value)} is not an array`);
    }
    return value as unknown[];
  }

  object(key: string): Readonly<Record<string, unknown>> | undefined {
    return this.has(key) ? objectAt(this.#members[key], this.at(key)) : undefined;
  }

  /** In milliseconds. */
  duration(key: string): number | undefined {
    return this.#measure('duration', key);
  }

  /** In bytes. */
  size(key: string): number | undefined {
    return this.#measure('size', key);
  }

  #measure(kind: 'duration' | 'size', key: string): number | undefined {
    if (!this.has(key)) return undefined;
    const read = readValue(kind, this.#members[key]);
    if (read !== undefined && read > 0) return read;
    const given = shown(this.#members[key]);
    throw new ConfigProblem(this.at(key), `${given} is not ${ACCEPTED[kind]}`);
  }

  inner(key: string, accepted?: readonly string[]): Fields {
    return new Fields(this.#members[key], this.at(key), this.env, accepted);
  }
}

function objectAt(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new ConfigProblem(where, `${shown(value)} is not an object`);
}

/** Without the members that were not given, so that defaults below can take their place. */
export function given<T extends object>(members: T): T {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
