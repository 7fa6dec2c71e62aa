/** Reads the members of one object of the configuration file, each with its place for the message. */
import { isObject } from '../protocol/jsonrpc.js';
import { expand } from './expand.js';
import { pointerTo, shown } from './problem.js';
import type { Reading } from './reading.js';
import { ACCEPTED, amountText, readValue } from './units.js';

const WEB = /^https?:\/\//i;

export class Fields {
  private constructor(
    private readonly members: Readonly<Record<string, unknown>>,
    readonly where: string,
    private readonly reading: Reading,
  ) {}

  /** Undefined where it is no object, which is a mistake. So is a member that is not among those accepted. */
  static of(
    value: unknown,
    where: string,
    reading: Reading,
    accepted?: readonly string[],
  ): Fields | undefined {
    if (!isObject(value)) {
      reading.mistake(where, `${shown(value)} is not an object`);
      return undefined;
    }
    for (const key of Object.keys(value)) {
      if (accepted?.includes(key) !== false) continue;
      const known = accepted.join(', ');
      reading.mistake(where + pointerTo(key), `unknown key; accepted are ${known}`);
    }
    return new Fields(value, where, reading);
  }

  get keys(): string[] {
    return Object.keys(this.members);
  }

  at(...steps: readonly string[]): string {
    return this.where + pointerTo(...steps);
  }

  has(key: string): boolean {
    return this.members[key] !== undefined;
  }

  raw(key: string): unknown {
    return this.members[key];
  }

  /** References to the environment are replaced. */
  text(key: string): string | undefined {
    return this.has(key) ? this.textOf(this.members[key], this.at(key)) : undefined;
  }

  textOf(value: unknown, where: string): string {
    if (typeof value === 'string') return expand(value, this.reading, where);
    this.reading.mistake(where, `${shown(value)} is not a text`);
    return '';
  }

  /** An http or https URL. What is not even meant as one is a mistake unless `otherwise` takes it. */
  url(key: string, otherwise?: (text: string) => string): string | undefined {
    const before = this.reading.mistakes.length;
    const text = this.text(key)?.trim();
    // Of one that was read in parts there is no more to say.
    if (text === undefined || this.reading.mistakes.length > before) return text;
    const isMeant = WEB.test(text);
    if (!isMeant && otherwise !== undefined) return otherwise(text);
    if (!isMeant || !URL.canParse(text)) {
      this.reading.mistake(this.at(key), `${shown(text)} is not an http or https URL`);
    }
    return text;
  }

  texts(key: string): Record<string, string> | undefined {
    if (!this.has(key)) return undefined;
    const inner = this.inner(key);
    return Object.fromEntries(inner?.keys.map((name) => [name, inner.text(name) ?? '']) ?? []);
  }

  list(key: string, of = ''): readonly unknown[] | undefined {
    const value = this.members[key];
    if (value === undefined || Array.isArray(value)) return value as unknown[] | undefined;
    this.reading.mistake(this.at(key), `${shown(value)} is not an array${of}`);
    return undefined;
  }

  textList(key: string): string[] | undefined {
    return this.list(key, ' of texts')?.map((item, index) =>
      this.textOf(item, this.at(key, String(index))),
    );
  }

  object(key: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.members[key];
    if (value === undefined || isObject(value)) return value;
    this.reading.mistake(this.at(key), `${shown(value)} is not an object`);
    return undefined;
  }

  /** True or false, where it is given. */
  toggle(key: string): boolean | undefined {
    const value = this.members[key];
    if (value === undefined || typeof value === 'boolean') return value;
    this.reading.mistake(this.at(key), `${shown(value)} is not true or false`);
    return undefined;
  }

  /** In milliseconds. */
  duration(key: string): number | undefined {
    return this.#measure('duration', key, 1);
  }

  /** In bytes. */
  size(key: string, least = 1): number | undefined {
    return this.#measure('size', key, least);
  }

  #measure(kind: 'duration' | 'size', key: string, least: number): number | undefined {
    if (!this.has(key)) return undefined;
    const read = readValue(kind, this.members[key]);
    if (read !== undefined && read >= least) return read;
    const expected = `${ACCEPTED[kind]}, at least ${amountText(kind, least)}`;
    this.reading.mistake(this.at(key), `${shown(this.members[key])} is not ${expected}`);
    return undefined;
  }

  inner(key: string, accepted?: readonly string[]): Fields | undefined {
    return Fields.of(this.members[key], this.at(key), this.reading, accepted);
  }
}

/** Without the members that were not given, so that defaults below can take their place. */
export function given<T extends object>(members: T): T {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
