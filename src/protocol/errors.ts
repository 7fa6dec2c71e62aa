/**
 * Every JSON-RPC error mcpx itself raises, in one table. Code that fails throws an `RpcError` of a
 * kind; the edge picks the number for the peer's revision. Errors relayed from an upstream carry
 * their own code (`relayed`).
 */

export interface ErrorKind {
  /** Code for a peer of the modern era. */
  readonly modern: number;
  /** Code for a peer of the legacy era. */
  readonly legacy: number;
  /** When it is raised. */
  readonly when: string;
  /** The constant by which a revision that has it may give another number. */
  readonly constant?: string;
}

export const ERROR_KINDS = {
  parseError: { modern: -32700, legacy: -32700, when: 'the bytes are not JSON' },
  invalidRequest: { modern: -32600, legacy: -32600, when: 'JSON, but no message of this protocol' },
  methodNotFound: {
    modern: -32601,
    legacy: -32601,
    when: "the peer's revision has no such method",
  },
  invalidParams: {
    modern: -32602,
    legacy: -32602,
    when: 'params that the schema or a rule refuses',
  },
  internal: { modern: -32603, legacy: -32603, when: 'mcpx or what stands behind it failed' },
  resourceNotFound: { modern: -32602, legacy: -32002, when: 'no backend has the resource' },
  headerMismatch: {
    modern: -32020,
    legacy: -32600,
    when: 'a header that mirrors the body is missing, unreadable or says something else',
    constant: 'HEADER_MISMATCH',
  },
  missingCapability: {
    modern: -32021,
    legacy: -32602,
    when: 'the request cannot be served without a capability the client did not declare',
    constant: 'MISSING_REQUIRED_CLIENT_CAPABILITY',
  },
  unsupportedVersion: {
    modern: -32022,
    legacy: -32022,
    when: 'a version is named that mcpx does not serve',
    constant: 'UNSUPPORTED_PROTOCOL_VERSION',
  },
  /** An upstream's own error; its code rides in `relayedCode`. */
  relayed: {
    modern: -32603,
    legacy: -32603,
    when: 'an upstream answered with an error of its own',
  },
} satisfies Record<string, ErrorKind>;

export type RpcErrorKind = keyof typeof ERROR_KINDS;

export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly kind: RpcErrorKind,
    message: string,
    readonly data?: unknown,
    /** Only with kind `relayed`. */
    readonly relayedCode?: number,
  ) {
    super(message);
  }
}

export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError('invalidParams', message, data);
}

export function methodNotFound(method: string): RpcError {
  return new RpcError('methodNotFound', `Method not found: ${method}`);
}

export function resourceNotFound(uri: string): RpcError {
  return new RpcError('resourceNotFound', `Resource not found: ${uri}`, { uri });
}

export function unsupportedVersion(requested: string, supported: readonly string[]): RpcError {
  return new RpcError(
    'unsupportedVersion',
    `Unsupported protocol version ${requested}; supported: ${supported.join(', ')}`,
    { supported, requested },
  );
}

/** `required` has the form of ClientCapabilities: `{ sampling: {} }`. */
export function missingCapability(required: Record<string, unknown>): RpcError {
  return new RpcError(
    'missingCapability',
    `The client has to declare: ${Object.keys(required).join(', ')}`,
    { requiredCapabilities: required },
  );
}

/** Whatever was thrown, as an `RpcError`. The message of a foreign error is for the log, not the peer. */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  return new RpcError('internal', 'Internal error');
}
