/** Writes server-sent events on a response (WHATWG HTML, server-sent events). */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Diagnostics } from '../../protocol/diagnostics.js';

export interface SseSettings {
  readonly sseKeepAlive: number;
  readonly maxBacklog: number;
}

export class SseStream {
  readonly #raw: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;

  /** Takes the reply over. Headers that were set on it go along, with the first that is written. */
  constructor(
    reply: FastifyReply,
    private readonly settings: SseSettings,
    private readonly diagnostics: Diagnostics,
  ) {
    reply.hijack();
    this.#raw = reply.raw;
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      // Proxies that gather what they pass on would hold events back.
      'x-accel-buffering': 'no',
    });
    this.#keepAlive = setTimeout(() => this.comment(), settings.sseKeepAlive);
    this.#raw.on('error', (error) => diagnostics.note('sse-failed', { err: error }));
    this.#raw.once('close', () => clearTimeout(this.#keepAlive));
  }

  get open(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded;
  }

  /** Sends the headers, so that the client knows of the stream before there is anything on it. */
  flush(): void {
    this.#raw.flushHeaders();
  }

  /** Called once, whichever side ends the stream. */
  onClose(closed: () => void): void {
    this.#raw.once('close', closed);
  }

  /** `text` has no line break. */
  event(text: string, id?: string): void {
    this.#write(id === undefined ? `data: ${text}\n\n` : `id: ${id}\ndata: ${text}\n\n`);
  }

  /** An event without data: the client can resume from its id, and knows how long to wait before. */
  prime(id: string, retry: number): void {
    this.#write(`id: ${id}\nretry: ${retry}\ndata:\n\n`);
  }

  comment(): void {
    this.#write(':\n\n');
  }

  end(): void {
    if (!this.open) return;
    clearTimeout(this.#keepAlive);
    this.#raw.end();
  }

  #write(chunk: string): void {
    if (!this.open) return;
    if (this.#raw.writableLength > this.settings.maxBacklog) {
      this.diagnostics.note('sse-reader-too-slow', { unread: this.#raw.writableLength });
      this.#raw.destroy();
      return;
    }
    this.#raw.write(chunk);
    this.#keepAlive.refresh();
  }
}
