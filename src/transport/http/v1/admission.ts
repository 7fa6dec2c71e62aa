/**
 * Who may use `/v1`: whoever has the token; without one, programs on this machine. Web pages of
 * strangers never, whatever name they reach this machine by (see guard.ts).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../../operations/operation.js';
import { Guard, type GuardSettings } from '../guard.js';

export interface AdmissionSettings extends GuardSettings {
  /** Absent: requests of this machine alone are served. */
  readonly token?: string;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/;
const BEARER = /^Bearer +(\S+) *$/i;
/** A proxy on this machine hands on requests of others. */
const PROXIED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

export class Admission {
  readonly #guard: Guard;
  readonly #token: Buffer | undefined;
  /** Without a token, `Host` is looked at as it is where mcpx listens on loopback alone. */
  #here: AddressInfo | undefined;

  constructor(settings: AdmissionSettings) {
    this.#guard = new Guard(settings);
    this.#token = settings.token === undefined ? undefined : digest(settings.token);
  }

  /** Why the request is refused, or undefined. `address` is where the server listens. */
  check(
    { headers, socket }: FastifyRequest,
    address: AddressInfo | undefined,
  ): Refused | undefined {
    if (this.#token === undefined) {
      const isProxied = PROXIED.some((name) => headers[name] !== undefined);
      if (isProxied || !LOOPBACK.test(socket.remoteAddress ?? '')) {
        return new Refused(403, 'Without operations.token, /v1 answers on loopback alone');
      }
      this.#here ??= { address: '127.0.0.1', family: 'IPv4', port: address?.port ?? 0 };
    }
    const refusal = this.#guard.check(headers, this.#here ?? address);
    if (refusal !== undefined) return new Refused(403, refusal.message);
    if (this.#token === undefined) return undefined;
    const given = BEARER.exec(headers.authorization ?? '')?.[1];
    if (given === undefined) return new Refused(401, 'Authorization has to be "Bearer <token>"');
    // Digests have one length, and comparing them tells nothing of how far the token was right.
    if (!timingSafeEqual(digest(given), this.#token)) return new Refused(401, 'The token is wrong');
    return undefined;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
