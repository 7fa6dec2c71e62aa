/** Messages as they come to be audited: one, an array, or JSON Lines with or without who sent them. */
import type { Sender } from '../../generated/methods.js';
import { isDeeperThan } from '../protocol/depth.js';
import { parseJson, plainNumbers } from '../protocol/json.js';
import { isObject } from '../protocol/jsonrpc.js';

export interface Entry {
  /** Line of the text, from 1; of an element of an array, where the array begins. */
  readonly line: number;
  /** Position in an array, from 0. */
  readonly index?: number;
  /** Undefined where nothing says so. */
  readonly sender?: Sender;
  /** By lower-case name, where the transcript has them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined where the text cannot be read as JSON; `problem` says why. */
  readonly frame: unknown;
  readonly problem?: string;
}

export interface Transcript {
  readonly kind: 'message' | 'array' | 'lines';
  readonly entries: readonly Entry[];
}

const SENDERS: Readonly<Record<string, Sender>> = {
  client: 'client',
  server: 'server',
  'client-to-server': 'client',
  'server-to-client': 'server',
};

/** As deep as a server takes messages; what walks through them later has a stack that ends. */
const MAX_DEPTH = 256;

/** What one value says: `asLine` or `asItIs`. JSON Lines are told from a broken document by their first line, which is JSON by itself. */
export function readTranscript(text: string, read: (value: unknown) => Read = asLine): Transcript {
  const entryOf = (value: unknown, line: number): Entry => {
    const entry = read(value);
    if (!isDeeperThan(entry.frame, MAX_DEPTH)) return { line, ...entry };
    return { line, ...entry, frame: undefined, problem: `nests deeper than ${MAX_DEPTH} levels` };
  };
  const whole = parsed(text);
  if ('value' in whole) {
    const { value } = whole;
    if (!Array.isArray(value)) return { kind: 'message', entries: [entryOf(value, 1)] };
    return {
      kind: 'array',
      entries: value.map((item: unknown, index) => ({ ...entryOf(item, 1), index })),
    };
  }
  const lines = text.split(/\r?\n/);
  const first = lines.find((line) => line.trim() !== '');
  if (first === undefined || 'problem' in parsed(first)) {
    return { kind: 'message', entries: [{ line: 1, frame: undefined, ...whole }] };
  }
  return {
    kind: 'lines',
    entries: lines.flatMap((line, at): Entry[] => {
      if (line.trim() === '') return [];
      const result = parsed(line);
      if ('problem' in result) return [{ line: at + 1, frame: undefined, ...result }];
      return [entryOf(result.value, at + 1)];
    }),
  };
}

function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: plainNumbers(parseJson(text)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

type Read = Pick<Entry, 'frame' | 'sender' | 'headers'>;

/** A frame, or `{ "direction": "client-to-server", "headers": { … }, "message": { … } }`. */
function asLine(value: unknown): Read {
  if (!isObject(value) || 'jsonrpc' in value || !isObject(value['message'])) {
    return { frame: value };
  }
  const { direction, message, headers } = value;
  const sender = typeof direction === 'string' ? SENDERS[direction] : undefined;
  return {
    frame: message,
    ...(sender !== undefined && { sender }),
    ...(isObject(headers) && { headers: lowerCased(headers) }),
  };
}

/** For values that are no messages. */
export function asItIs(value: unknown): Read {
  return { frame: value };
}

function lowerCased(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
