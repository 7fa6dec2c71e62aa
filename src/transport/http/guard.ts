/**
 * Keeps web pages out that have no business here: the `Origin` of a request, and against DNS rebinding
 * its `Host` where mcpx listens on loopback only (basic/transports, security).
 */
import type { AddressInfo } from 'node:net';
import { RpcError } from '../../protocol/errors.js';

export interface GuardSettings {
  readonly host: string;
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const PORT = /:\d*$/;

export class Guard {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  readonly #own: string;
  /** What passed last. Clients seldom change what they send here. */
  #passed: { origin?: string; host?: string; address?: AddressInfo } = {};

  constructor({ host, allowedOrigins }: GuardSettings) {
    this.#origins = new Set(allowedOrigins);
    this.#hosts = new Set(allowedOrigins.map((origin) => new URL(origin).host));
    this.#own = host.includes(':') ? `[${host}]` : host.toLowerCase();
  }

  /** Why the request is refused, or undefined. `address` is where the server listens. */
  check(
    headers: { readonly origin?: string; readonly host?: string },
    address: AddressInfo | undefined,
  ): RpcError | undefined {
    const { origin, host } = headers;
    const passed = this.#passed;
    if (passed.origin === origin && passed.host === host && passed.address === address) {
      return undefined;
    }
    if (origin !== undefined && !this.#knowsOrigin(origin, address?.port)) {
      return refusal('Origin', origin);
    }
    if (host !== undefined && isLoopback(address) && !this.#knowsHost(host, address?.port)) {
      return refusal('Host', host);
    }
    this.#passed = { origin, host, address };
    return undefined;
  }

  #knowsOrigin(origin: string, port: number | undefined): boolean {
    if (this.#origins.has(origin)) return true;
    const [scheme, host] = origin.split('://');
    if ((scheme !== 'http' && scheme !== 'https') || host === undefined) return false;
    return this.#isHere(host.toLowerCase(), port);
  }

  #knowsHost(host: string, port: number | undefined): boolean {
    return this.#hosts.has(host.toLowerCase()) || this.#isHere(host.toLowerCase(), port);
  }

  #isHere(host: string, port: number | undefined): boolean {
    const name = host.replace(PORT, '');
    return LOOPBACK.test(name) || (name === this.#own && host === `${name}:${port ?? ''}`);
  }
}

function isLoopback(address: AddressInfo | undefined): boolean {
  if (address === undefined) return false;
  return LOOPBACK.test(address.address) || address.address === '::1';
}

function refusal(header: string, value: string): RpcError {
  const message = `${header} ${JSON.stringify(value)} is not allowed here; see allowedOrigins`;
  return new RpcError('invalidRequest', message, { header });
}
