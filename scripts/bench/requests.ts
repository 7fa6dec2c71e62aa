/** What the bench asks, word for word, and what makes an answer right. */
import { NEWEST, NEWEST_LEGACY, type Era } from '../../generated/revisions.js';
import type { Answer } from './http-connection.js';

export interface Asked {
  readonly method: 'tools/call' | 'tools/list';
  readonly era: Era;
  /** Entries that a list has to have. */
  readonly tools: number;
}

/** The same length for all, so that all right answers to one request have one length. */
const FIRST_ID = 1_000_000_000;
let lastId = FIRST_ID;

export function nextId(): number {
  return ++lastId;
}

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

/** What `echo` is told in the request with the id. */
function messageOf(id: number): string {
  return `message ${id}`;
}

/** `word` makes the text for an id; here it is made once, for ids to be put into. */
export class RequestTemplate {
  readonly #parts: readonly string[];

  constructor(word: (id: number) => string) {
    this.#parts = word(FIRST_ID).split(String(FIRST_ID));
  }

  fill(id: number): string {
    return this.#parts.join(String(id));
  }
}

export function frameOf({ method, era }: Asked, id: number): string {
  const own =
    method === 'tools/call' ? { name: 'echo', arguments: { message: messageOf(id) } } : {};
  const params = era === 'modern' ? { ...own, _meta: MODERN_META } : own;
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function initializeFrame(): string {
  const params = {
    protocolVersion: NEWEST_LEGACY,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: nextId(), method: 'initialize', params });
}

export const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

export function listenFrame(): string {
  const params = { notifications: { toolsListChanged: true }, _meta: MODERN_META };
  return JSON.stringify({ jsonrpc: '2.0', id: nextId(), method: 'subscriptions/listen', params });
}

/** Headers of a POST of the era, each with its line end. */
export function headersOf(era: Era, method: string, name: string | undefined): string {
  if (era === 'legacy') return `mcp-protocol-version: ${NEWEST_LEGACY}\r\n`;
  const mirrored = name === undefined ? '' : `mcp-name: ${name}\r\n`;
  return `mcp-protocol-version: ${NEWEST}\r\nmcp-method: ${method}\r\n${mirrored}`;
}

export function post(host: string, path: string, headers: string, body: string): string {
  const length = Buffer.byteLength(body);
  return (
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
    `accept: application/json, text/event-stream\r\n${headers}content-length: ${length}\r\n\r\n${body}`
  );
}

interface Result {
  content?: { text?: string }[];
  tools?: { name?: string }[];
}

/** Judges the answers to one request: the first of them to the last field, the others by status, id and length. */
export class AnswerCheck {
  #length: number | undefined;

  constructor(private readonly asked: Asked) {}

  /** Throws an `Error` with the answer that is not right. */
  http({ status, head, body: sent }: Answer, id: number): void {
    if (status !== 200) throw new Error(`${head}\n${sent.toString()}`);
    const body = messageIn(sent);
    if (!body.includes(`"id":${id}`)) throw wrong(id, body.toString());
    if (this.#length === undefined) {
      this.#whole(body.toString(), id);
      this.#length = body.length;
    } else if (body.length !== this.#length) {
      throw wrong(id, body.toString());
    }
  }

  /** As above, for a line. Gives the id that it answers. */
  line(text: string, waiting: ReadonlySet<number>): number {
    const id = Number(text.slice(text.indexOf('"id":') + 5).slice(0, String(FIRST_ID).length));
    if (!waiting.has(id)) throw wrong(id, text);
    if (this.#length === undefined) {
      this.#whole(text, id);
      this.#length = text.length;
    } else if (text.length !== this.#length) {
      throw wrong(id, text);
    }
    return id;
  }

  #whole(text: string, id: number): void {
    const { result } = JSON.parse(text) as { result?: Result };
    const right =
      this.asked.method === 'tools/call'
        ? result?.content?.[0]?.text === messageOf(id)
        : result?.tools?.length === this.asked.tools && result.tools[0]?.name === 'echo';
    if (!right) throw wrong(id, text);
  }
}

const DATA = 'data: ';
const BRACE = 0x7b;

/** A body is a message, or a stream of events whose last one has it. */
function messageIn(body: Buffer): Buffer {
  if (body[0] === BRACE) return body;
  const start = body.lastIndexOf(DATA) + DATA.length;
  return body.subarray(start, body.indexOf('\n', start));
}

function wrong(id: number, text: string): Error {
  return new Error(`Not a right answer to request ${id}: ${text.slice(0, 400)}`);
}
