/** The headers of a request as the rest of the transport reads them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { MirroredHeaders } from '../../server/contract.js';

export const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';
const METHOD_HEADER = 'mcp-method';
const NAME_HEADER = 'mcp-name';
const PARAM_PREFIX = 'mcp-param-';

/** Node has the names in lower case, and the values without the spaces around them. */
export class RequestHeaders implements MirroredHeaders {
  constructor(private readonly fields: IncomingHttpHeaders) {}

  get protocolVersion(): string | undefined {
    return this.#one(VERSION_HEADER);
  }

  get method(): string | undefined {
    return this.#one(METHOD_HEADER);
  }

  get name(): string | undefined {
    return this.#one(NAME_HEADER);
  }

  get session(): string | undefined {
    return this.#one(SESSION_HEADER);
  }

  get lastEventId(): string | undefined {
    return this.#one('last-event-id');
  }

  param(name: string): string | undefined {
    return this.#one(PARAM_PREFIX + name.toLowerCase());
  }

  paramNames(): readonly string[] {
    return Object.keys(this.fields)
      .filter((name) => name.startsWith(PARAM_PREFIX))
      .map((name) => name.slice(PARAM_PREFIX.length));
  }

  #one(name: string): string | undefined {
    const value = this.fields[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }
}

/** What the client takes for an answer. */
export interface Accepted {
  readonly json: boolean;
  readonly sse: boolean;
}

const EVERYTHING: Accepted = { json: true, sse: true };

let lastHeader: string | undefined;
let lastAccepted = EVERYTHING;

/** Reads an `Accept` header; without one everything is accepted. Clients seldom change theirs. */
export function accepted(header: string | undefined): Accepted {
  if (header === undefined) return EVERYTHING;
  if (header !== lastHeader) {
    const ranges = header.split(',').map(mediaRange);
    lastHeader = header;
    lastAccepted = {
      json: admits(ranges, 'application', 'json'),
      sse: admits(ranges, 'text', 'event-stream'),
    };
  }
  return lastAccepted;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function mediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}

/** The most specific range that fits decides (RFC 9110, 12.5.1). */
function admits(ranges: readonly MediaRange[], type: string, subtype: string): boolean {
  for (const wanted of [`${type}/${subtype}`, `${type}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === wanted);
    if (range !== undefined) return range.quality > 0;
  }
  return false;
}
