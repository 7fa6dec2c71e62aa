/** Secrets of the configuration, put where the document's security schemes want them. */
import { isObject } from '../../protocol/jsonrpc.js';
import type { Credentials } from '../http/exchange.js';
import type { JsonObject } from './document.js';
import type { Secret } from './options.js';
import type { References } from './references.js';
import { encoded } from './serialize.js';

export const NO_CREDENTIALS: Credentials = { headers: {}, query: [], cookies: [] };

export class Security {
  readonly #schemes = new Map<string, Credentials>();

  /** Throws an `Error` for a secret without a scheme, and for one of the wrong form. */
  constructor(
    private readonly root: JsonObject,
    references: References,
    auth: Readonly<Record<string, Secret>>,
  ) {
    const { components } = root;
    const declared = isObject(components) ? components['securitySchemes'] : undefined;
    const schemes = isObject(declared) ? declared : {};
    for (const [name, secret] of Object.entries(auth)) {
      if (!Object.hasOwn(schemes, name)) {
        const known = Object.keys(schemes).join(', ') || 'none';
        throw new Error(`the document has no security scheme ${name}; it has: ${known}`);
      }
      this.#schemes.set(name, credentials(name, references.resolve(schemes[name]), secret));
    }
  }

  /** Undefined where the operation asks for credentials and none of its alternatives can be met. */
  for(operation: JsonObject): Credentials | undefined {
    const stated = operation['security'] ?? this.root['security'];
    const alternatives = Array.isArray(stated) ? stated.filter(isObject) : [];
    if (alternatives.length === 0) return NO_CREDENTIALS;
    const met = alternatives
      .filter((one) => Object.keys(one).every((name) => this.#schemes.has(name)))
      // Where it may be called without, but a secret is there, it is called with.
      .sort((a, b) => Object.keys(b).length - Object.keys(a).length);
    return met[0] === undefined ? undefined : this.#joined(Object.keys(met[0]));
  }

  #joined(names: readonly string[]): Credentials {
    const parts = names.flatMap((name) => this.#schemes.get(name) ?? []);
    return {
      headers: Object.assign({}, ...parts.map(({ headers }) => headers)) as Record<string, string>,
      query: parts.flatMap(({ query }) => query),
      cookies: parts.flatMap(({ cookies }) => cookies),
    };
  }
}

function credentials(scheme: string, stated: JsonObject, secret: Secret): Credentials {
  const type = stated['type'];
  const http = typeof stated['scheme'] === 'string' ? stated['scheme'].toLowerCase() : '';
  if (type === 'http' && http === 'basic') {
    if (typeof secret === 'string') throw wrongForm(scheme, 'a username and a password');
    const pair = `${secret.username}:${secret.password}`;
    return authorization(`Basic ${Buffer.from(pair).toString('base64')}`);
  }
  if (typeof secret !== 'string') throw wrongForm(scheme, 'a text');
  if (type === 'apiKey') return apiKey(scheme, stated, secret);
  if (type === 'oauth2' || type === 'openIdConnect') return authorization(`Bearer ${secret}`);
  if (type === 'http' && http === 'bearer') return authorization(`Bearer ${secret}`);
  throw new Error(
    `the security scheme ${scheme} is ${String(type)} ${http}, which cannot be served`,
  );
}

function apiKey(scheme: string, { name, in: place }: JsonObject, secret: string): Credentials {
  if (typeof name !== 'string') throw new Error(`the security scheme ${scheme} has no name`);
  if (place === 'header') return { ...NO_CREDENTIALS, headers: { [name.toLowerCase()]: secret } };
  const pair = `${encoded(name)}=${encoded(secret)}`;
  if (place === 'query') return { ...NO_CREDENTIALS, query: [pair] };
  if (place === 'cookie') return { ...NO_CREDENTIALS, cookies: [pair] };
  throw new Error(`the security scheme ${scheme} is in ${String(place)}, which there is not`);
}

function authorization(value: string): Credentials {
  return { ...NO_CREDENTIALS, headers: { authorization: value } };
}

function wrongForm(scheme: string, expected: string): Error {
  return new Error(`the secret for the security scheme ${scheme} has to be ${expected}`);
}
