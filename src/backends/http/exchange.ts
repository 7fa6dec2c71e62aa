/**
 * One HTTP request of a tool and its whole answer: bounded in time and size, redirects followed, and
 * nothing secret ever sent to another origin than the one it is meant for.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { request, type Dispatcher } from 'undici';

export interface HttpRequest {
  readonly method: string;
  /** Without anything secret: it is shown in results. */
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials?: Credentials;
  readonly body?: HttpBody;
}

/** What shows the service who is asking. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** `name=value`, percent-encoded. */
  readonly query: readonly string[];
  /** `name=value`, percent-encoded. */
  readonly cookies: readonly string[];
}

export interface HttpBody {
  readonly contentType: string;
  readonly payload: string | Buffer;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpLimits {
  /** Milliseconds until the whole answer has to be there. */
  readonly timeout: number;
  /** Bytes of an answer's body, decompressed. */
  readonly maxBytes: number;
}

/** No whole answer came. The message says why, and is fit to be shown. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Rejects with `HttpFailure`, or with the signal's reason where that ended it. */
export async function exchange(
  asked: HttpRequest,
  { timeout, maxBytes }: HttpLimits,
  dispatcher: Dispatcher,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const clock = AbortSignal.timeout(timeout);
  const either = signal === undefined ? clock : AbortSignal.any([signal, clock]);
  try {
    return await follow(asked, maxBytes, dispatcher, either);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof HttpFailure) throw error;
    const where = `${asked.method} ${asked.url.origin}`;
    if (clock.aborted) throw new HttpFailure(`${where}: no whole answer within ${timeout} ms`);
    throw new HttpFailure(`${where}: ${reasonOf(error)}`);
  }
}

async function follow(
  asked: HttpRequest,
  maxBytes: number,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<HttpResponse> {
  for (let current = asked, hops = 0; ; hops++) {
    const answer = await request(withCredentials(current), {
      method: current.method,
      headers: headersOf(current),
      body: current.body?.payload,
      signal,
      dispatcher,
    });
    const next = hops < MAX_REDIRECTS ? redirected(current, answer) : undefined;
    if (next === undefined) return await whole(answer, maxBytes, current.method);
    await answer.body.dump();
    current = next;
  }
}

/** The request that a redirect asks for; undefined where there is none that may be followed. */
function redirected(
  current: HttpRequest,
  { statusCode: status, headers }: Dispatcher.ResponseData,
): HttpRequest | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined;
  if (!URL.canParse(location, current.url.href)) return undefined;
  const url = new URL(location, current.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (current.url.protocol === 'https:' && url.protocol === 'http:') return undefined;
  const same = url.origin === current.url.origin;
  const keepsMethod = status === 307 || status === 308 || BODYLESS.has(current.method);
  // What a method that changes something would do at a host nobody has configured is not ours to find out.
  if (!same && keepsMethod && !BODYLESS.has(current.method)) return undefined;
  const method = keepsMethod ? current.method : 'GET';
  const body = keepsMethod ? current.body : undefined;
  if (same) return { ...current, url, method, body };
  const { accept } = current.headers;
  return { method, url, headers: accept === undefined ? {} : { accept } };
}

function withCredentials({ url, credentials }: HttpRequest): URL {
  if (credentials === undefined || credentials.query.length === 0) return url;
  const complete = new URL(url);
  const parts = [url.search.slice(1), ...credentials.query].filter((part) => part !== '');
  complete.search = parts.join('&');
  return complete;
}

function headersOf({ headers, credentials, body }: HttpRequest): Record<string, string> {
  const cookies = [headers['cookie'] ?? '', ...(credentials?.cookies ?? [])].filter(
    (c) => c !== '',
  );
  return {
    'user-agent': 'mcpx',
    'accept-encoding': 'gzip, br',
    ...(body === undefined ? {} : { 'content-type': body.contentType }),
    ...headers,
    ...credentials?.headers,
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
  };
}

async function whole(
  { statusCode: status, headers: given, body }: Dispatcher.ResponseData,
  maxBytes: number,
  method: string,
): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the body.
    if (size > maxBytes) throw tooLarge(status, maxBytes);
    chunks.push(chunk);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const bytes = Buffer.concat(chunks);
  if (method === 'HEAD' || bytes.length === 0) return { status, headers, body: bytes };
  return { status, headers, body: await decompressed(bytes, headers, status, maxBytes) };
}

const DECOMPRESS: Readonly<
  Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function decompressed(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  status: number,
  maxBytes: number,
): Promise<Buffer> {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return bytes;
  const decompress = DECOMPRESS[coding];
  if (decompress === undefined) {
    throw new HttpFailure(`HTTP ${status}: the answer has the content encoding ${coding}`);
  }
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(status, maxBytes);
    }
    throw new HttpFailure(`HTTP ${status}: the answer is no ${coding}: ${reasonOf(error)}`);
  }
}

function tooLarge(status: number, maxBytes: number): HttpFailure {
  return new HttpFailure(`HTTP ${status}: the answer is larger than ${maxBytes} bytes`);
}

/** What Node says of a refused connection is in the code, not in the message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? (code ?? error.name) : error.message;
}
