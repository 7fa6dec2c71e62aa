/** What Streamable HTTP can be told. `src/config` maps the settings of the configuration file onto it. */

export interface HttpSettings {
  /** Where the endpoint is mounted. */
  readonly path: string;
  /** Address to listen on, and one that `Origin` may name. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Silence after which a stream gets a comment, and an open call becomes a stream, in ms. */
  readonly sseKeepAlive: number;
  /** Longest body of a request, in bytes. */
  readonly maxBody: number;
  /** Most messages in a batch. */
  readonly maxBatch: number;
  /** Origins of browsers that may talk to mcpx, as `https://app.example`; their hosts may be in `Host`. */
  readonly allowedOrigins: readonly string[];
  /** A session that nothing was heard of for so long, and that has no stream open, ends; in ms. */
  readonly sessionIdle: number;
  /** Sessions at once; further ones are refused with 503. */
  readonly maxSessions: number;
  /** Events that a session keeps for streams that are resumed, over all its streams. */
  readonly maxKeptEvents: number;
  /** Bytes of the same; the newest event is kept whatever its size. */
  readonly maxKeptBytes: number;
  /** How long a client whose stream broke should wait before it resumes, in ms. */
  readonly retry: number;
  /** Bytes that a client may leave unread on a stream before its connection is cut. */
  readonly maxBacklog: number;
  /** Connections at once; further ones are closed unanswered. */
  readonly maxConnections: number;
  /** Bytes of the headers of a request. */
  readonly maxHeaders: number;
  /** Time a client has to send a request to its end, in ms. */
  readonly requestTimeout: number;
  /** How long requests in flight may go on when the application closes, in ms. */
  readonly grace: number;
}

export const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  path: '/mcp',
  host: '127.0.0.1',
  port: 7332,
  sseKeepAlive: 15_000,
  maxBody: 8 * 1024 * 1024,
  maxBatch: 100,
  allowedOrigins: [],
  sessionIdle: 30 * 60_000,
  maxSessions: 10_000,
  maxKeptEvents: 256,
  maxKeptBytes: 1024 * 1024,
  retry: 1000,
  maxBacklog: 16 * 1024 * 1024,
  maxConnections: 10_000,
  maxHeaders: 16 * 1024,
  requestTimeout: 30_000,
  grace: 10_000,
};

/** Fills in the defaults. Throws an `Error` that names the setting that cannot be used. */
export function httpSettings(given: Partial<HttpSettings> = {}): HttpSettings {
  const settings: HttpSettings = { ...DEFAULT_HTTP_SETTINGS, ...withoutUndefined(given) };
  if (!settings.path.startsWith('/')) {
    throw new Error(`path is ${JSON.stringify(settings.path)}; it has to start with a slash`);
  }
  for (const origin of settings.allowedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      const expected = 'an origin is scheme, host and port alone, as in https://app.example';
      throw new Error(`allowedOrigins holds ${JSON.stringify(origin)}; ${expected}`);
    }
  }
  return settings;
}

function withoutUndefined(given: Partial<HttpSettings>): Partial<HttpSettings> {
  const entries: [string, unknown][] = Object.entries(given);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
