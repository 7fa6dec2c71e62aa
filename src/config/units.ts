/** The kinds of value a setting can have, each read from JSON and from text. */

export interface Kinds {
  /** In milliseconds. */
  duration: number;
  /** In bytes. */
  size: number;
  count: number;
  switch: boolean;
  list: readonly string[];
  /** Of web pages: scheme, host and port. */
  origins: readonly string[];
  text: string;
}

export type Kind = keyof Kinds;

/** What is accepted, for messages and for help. */
export const ACCEPTED: Readonly<Record<Kind, string>> = {
  duration: 'a duration such as 250ms, 60s, 10min or 1h, or a number of milliseconds',
  size: 'a size such as 512KiB or 8MiB, or a number of bytes',
  count: 'a whole number from 1',
  switch: 'true or false',
  list: 'a list of texts (in a variable or a flag: separated by commas)',
  origins: 'a list of origins, each scheme, host and port alone, as in https://app.example',
  text: 'a text',
};

/** An amount as a person would write it: `8MiB`, `2s`, `16`. */
export function amountText(kind: Kind, amount: number): string {
  if (kind === 'duration') return durationText(amount);
  return kind === 'size' ? sizeText(amount) : String(amount);
}

function durationText(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}min`;
  return ms >= 1000 ? `${ms / 1000}s` : `${ms}ms`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2}MiB` : `${bytes / 1024}KiB`;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
};

const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

const SWITCHES: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  '1': true,
  false: false,
  off: false,
  no: false,
  '0': false,
};

/** A timer that is set for longer fires at once. */
const LONGEST = 2 ** 31 - 1;

/** Undefined: the value is none of that kind. */
export function readValue<K extends Kind>(kind: K, value: unknown): Kinds[K] | undefined {
  return READERS[kind](value);
}

const READERS: { readonly [K in Kind]: (value: unknown) => Kinds[K] | undefined } = {
  duration: (value) => {
    const ms = withUnit(value, MILLISECONDS);
    return ms !== undefined && ms <= LONGEST ? ms : undefined;
  },
  size: (value) => withUnit(value, BYTES),
  count: (value) => {
    const count = withUnit(value, { '': 1 });
    return count === undefined || count < 1 ? undefined : count;
  },
  switch: (value) => {
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    return Object.hasOwn(SWITCHES, word) ? SWITCHES[word] : undefined;
  },
  list: texts,
  origins: (value) => {
    const items = texts(value);
    return items?.every((item) => URL.canParse(item) && new URL(item).origin === item) === true
      ? items
      : undefined;
  },
  text: (value) => (typeof value === 'string' ? value : undefined),
};

function texts(value: unknown): readonly string[] | undefined {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (!Array.isArray(items)) return undefined;
  const texts = items.filter((item): item is string => typeof item === 'string');
  return texts.length === items.length ? texts.filter((item) => item !== '') : undefined;
}

function withUnit(value: unknown, units: Readonly<Record<string, number>>): number | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  const parts =
    typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim()) : null;
  const unit = parts?.[2]?.toLowerCase() ?? '';
  if (parts === null || !Object.hasOwn(units, unit)) return undefined;
  const amount = Number(parts[1]) * (units[unit] ?? 1);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
