/** How an OpenAPI document becomes a backend. */
import type { Diagnostics } from '../../protocol/diagnostics.js';

/** Operations of which all that is given here holds. `*` stands for any characters, also none. */
export interface Selector {
  readonly operationId?: string;
  readonly tag?: string;
  readonly path?: string;
  readonly method?: string;
}

/** The key of an `apiKey` scheme, a token (bearer, oauth2, openIdConnect), or a user (http basic). */
export type Secret = string | { readonly username: string; readonly password: string };

export interface OpenApiTarget {
  /** A path, or an http or https URL. */
  readonly document: string;
  /** Instead of all servers that the document names. */
  readonly baseUrl?: string;
  /** Instead of the defaults that the document gives for the variables of its servers. */
  readonly serverVariables?: Readonly<Record<string, string>>;
  /** By the name that the document gives the security scheme. */
  readonly auth?: Readonly<Record<string, Secret>>;
  /** Sent with every call, for what the document says nothing of. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: all. */
  readonly include?: readonly Selector[];
  readonly exclude?: readonly Selector[];
  /** Milliseconds that a call may take. */
  readonly timeout?: number;
  /** Bytes of an answer. */
  readonly maxResponse?: number;
}

export interface OpenApiOptions {
  readonly namespace: string;
  readonly target: OpenApiTarget;
  readonly diagnostics: Diagnostics;
}

export const DEFAULT_TIMEOUT = 120_000;
export const DEFAULT_MAX_RESPONSE = 8 * 1024 ** 2;
