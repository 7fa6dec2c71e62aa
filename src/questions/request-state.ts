/**
 * The state that travels with an `input_required` result and comes back with the retry. Opaque to the
 * client and attacker-controlled on return: signed, bound to the request it was given for, and to whom
 * (2026-07-28, client/multi-round-trip-requests, Security).
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidParams } from '../protocol/errors.js';
import { RawNumber } from '../protocol/json.js';
import { isObject } from '../protocol/jsonrpc.js';

/** What the state is bound to. */
export interface Bound {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly principal?: string;
}

export interface State {
  /** The call that waits. */
  readonly call: string;
  /** How often it has asked. */
  readonly round: number;
  /** Answers so far, by key: with them the call can be run again where it no longer waits. */
  readonly answers: Readonly<Record<string, unknown>>;
}

interface Payload extends State {
  readonly digest: string;
  readonly principal?: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const KEY_BYTES = 32;

export class StateSigner {
  readonly #keys: readonly Buffer[];

  /**
   * The first key signs, every key verifies: rotation puts the new one in front. Without any, states
   * are worth nothing to another process. `ttl` in milliseconds.
   */
  constructor(
    private readonly ttl: number,
    keys: readonly string[] = [],
  ) {
    this.#keys = keys.length > 0 ? keys.map((key) => Buffer.from(key)) : [randomBytes(KEY_BYTES)];
  }

  sign(bound: Bound, state: State, now: number = Date.now()): string {
    const payload: Payload = {
      ...state,
      digest: digestOf(bound),
      ...(bound.principal !== undefined && { principal: bound.principal }),
      expires: now + this.ttl,
    };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${this.#mac(text, this.#keys[0]).toString('base64url')}`;
  }

  /** Throws `RpcError` `invalidParams` that says what is wrong: truncated, forged, expired, another's. */
  verify(bound: Bound, state: string, now: number = Date.now()): State {
    const [text, mac, more] = state.split('.');
    if (text === undefined || mac === undefined || more !== undefined) {
      throw refused('is not one that was given');
    }
    const given = Buffer.from(mac, 'base64url');
    const genuine = this.#keys.some((key) => {
      const expected = this.#mac(text, key);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    if (!genuine) throw refused('is not one that was given: its signature is wrong');
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
    if (payload.expires <= now) throw refused('has expired');
    if (payload.digest !== digestOf(bound)) throw refused('belongs to another request');
    if (payload.principal !== bound.principal) throw refused('belongs to somebody else');
    return payload;
  }

  #mac(text: string, key: Buffer | undefined): Buffer {
    return createHmac('sha256', key ?? '')
      .update(text)
      .digest();
  }
}

function refused(why: string): Error {
  return invalidParams(`/params/requestState ${why}`, { pointer: '/params/requestState' });
}

/** Of a request's retries these may differ. */
const NOT_BOUND: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

function digestOf({ method, params }: Bound): string {
  const own = Object.entries(params).filter(([key]) => !NOT_BOUND.has(key));
  return createHash('sha256')
    .update(canonical([method, Object.fromEntries(own)]))
    .digest('base64url');
}

/** The same text whatever the order of the keys. */
function canonical(value: unknown): string {
  if (value instanceof RawNumber) return value.literal;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${entries.join()}}`;
}
