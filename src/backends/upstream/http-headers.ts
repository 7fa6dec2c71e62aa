/** The headers of requests to an upstream: what is configured, and what the protocol needs. */
import { FACTS } from '../../../generated/facts.js';
import { eraOf, type Revision } from '../../../generated/revisions.js';
import { essence } from '../http/media-type.js';
import type { Sending } from './channel.js';
import { mirroredHeaders } from './mirror.js';
import type { HttpTarget } from './options.js';

export const JSON_TYPE = 'application/json';
export const STREAM_TYPE = 'text/event-stream';

export class HttpHeaders {
  /** In lower case: what is configured gives way to what the protocol needs, however it is written. */
  readonly #configured: Readonly<Record<string, string>>;
  #agreed = false;
  #session: string | undefined;
  /** Those of every POST just now, names and values in turn. */
  #ofPosts: string[] | undefined;

  constructor(
    { headers }: HttpTarget,
    /** Of what is sent now. */
    private revision: Revision,
  ) {
    this.#configured = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
  }

  speak(revision: Revision, agreed: boolean): void {
    this.revision = revision;
    this.#agreed = agreed;
    this.#ofPosts = undefined;
  }

  /** Named by the upstream in answer to the handshake; undefined where it has none, or it is not agreed. */
  get session(): string | undefined {
    return this.#agreed ? this.#session : undefined;
  }

  /** The upstream has said which session this is. What it says later changes nothing. */
  inSession(id: string): void {
    if (this.#agreed || id === this.#session) return;
    this.#session = id;
    this.#ofPosts = undefined;
  }

  /** Of every request. */
  all(): Record<string, string> {
    const headers = { ...this.#configured };
    delete headers['mcp-protocol-version'];
    if (this.#speaksVersion()) headers['mcp-protocol-version'] = this.revision;
    if (this.#session !== undefined && FACTS[this.revision].sessions) {
      headers['mcp-session-id'] = this.#session;
    }
    return headers;
  }

  /** Names and values in turn, as undici takes them fastest. */
  of(sending: Sending): string[] {
    this.#ofPosts ??= Object.entries({
      ...this.all(),
      'content-type': JSON_TYPE,
      accept: `${JSON_TYPE}, ${STREAM_TYPE}`,
    }).flat();
    if (!FACTS[this.revision].mirroredHeaders) return this.#ofPosts;
    return [...this.#ofPosts, ...Object.entries(mirroredHeaders(sending)).flat()];
  }

  /** In the legacy era only once it is agreed (2025-06-18, basic/transports). */
  #speaksVersion(): boolean {
    return (
      FACTS[this.revision].versionHeader && (this.#agreed || eraOf(this.revision) === 'modern')
    );
  }
}

let lastHeader: string | undefined;
let lastType = '';

/** Of a `Content-Type`; empty where there is none. Servers seldom change theirs. */
export function mediaType(header: string | string[] | undefined): string {
  const value = Array.isArray(header) ? header[0] : header;
  if (value !== lastHeader) {
    lastHeader = value;
    lastType = essence(value);
  }
  return lastType;
}
