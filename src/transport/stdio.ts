/** stdio: one frame a line in either direction, and nothing else on the output. */
import type { Readable, Writable } from 'node:stream';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { RpcError } from '../protocol/errors.js';
import { parseJson } from '../protocol/json.js';
import {
  isObject,
  sortFrame,
  usableId,
  type JSONRPCRequest,
  type RequestId,
} from '../protocol/jsonrpc.js';
import type { Connection, Core, Exchange } from '../server/contract.js';
import { HEADERLESS } from '../server/era.js';
import { errorReply } from '../server/reply.js';
import { batchFault, serveBatch } from './batch.js';
import { LineReader } from '../protocol/line-reader.js';
import { LineWriter } from '../protocol/line-writer.js';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Longest line in bytes. */
  readonly maxLine?: number;
  /** Most messages in a batch. */
  readonly maxBatch?: number;
  /** `transport.stdioDrain`: how long requests in flight may go on after the end of input, in ms. */
  readonly drain?: number;
}

export interface StdioServer {
  /** Resolves when the input has ended, what was in flight is answered, and all of it is written. */
  readonly closed: Promise<void>;
  /** Stops reading and ends as at the end of input. */
  close(): Promise<void>;
}

const DEFAULTS = { maxLine: 8 * 1024 * 1024, maxBatch: 100, drain: 30_000 };

/** Serves one client on a pair of streams. The core stays open: it may serve others. */
export function serveStdio(core: Core, options: StdioOptions): StdioServer {
  return new StdioSession(core, { ...DEFAULTS, ...options });
}

class StdioSession implements StdioServer {
  readonly closed: Promise<void>;
  readonly #connection: Connection;
  readonly #exchange: Exchange;
  readonly #batchExchange: Exchange;
  readonly #writer: LineWriter;
  readonly #reader: LineReader;
  readonly #batches = new Set<Promise<void>>();
  #resolveClosed: () => void = () => undefined;
  #ending = false;
  #gone = false;

  constructor(
    private readonly core: Core,
    private readonly options: StdioOptions & typeof DEFAULTS,
  ) {
    const { input, output } = options;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#writer = new LineWriter(output, (full) => {
      if (full) input.pause();
      else if (!this.#ending) input.resume();
    });
    const send = (text: string): void => this.#writer.write(text);
    this.#connection = core.connect({ push: send });
    this.#exchange = { connection: this.#connection, send };
    this.#batchExchange = { connection: this.#connection, send, batched: true };
    this.#reader = new LineReader(
      {
        line: (text) => this.#line(text),
        overlong: () => this.#unreadable(`a line may have ${options.maxLine} bytes at most`),
        undecodable: () => this.#unreadable('the line is not UTF-8'),
      },
      options.maxLine,
    );
    input.on('data', (chunk: Buffer | string) => {
      this.#reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    });
    input.once('end', () => void this.close());
    input.once('close', () => void this.close());
    input.on('error', (error) => this.#broken('stdin-failed', error));
    // A client that went away without a word: there is nobody left to answer. Each write that was under
    // way reports it anew.
    output.on('error', (error) => this.#broken('stdout-failed', error));
  }

  async close(): Promise<void> {
    if (this.#ending) return this.closed;
    this.#ending = true;
    this.options.input.pause();
    this.#reader.end();
    await this.#connection.drain(this.options.drain);
    this.#connection.close();
    await Promise.all(this.#batches);
    await this.#writer.end();
    this.#resolveClosed();
  }

  #broken(event: string, error: Error): void {
    if (this.#gone) return;
    this.#gone = true;
    this.core.diagnostics.note(event, { err: error });
    this.#writer.abandon();
    this.#connection.close();
    void this.close();
  }

  #line(text: string): void {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      this.#unreadable('the line is not JSON');
      return;
    }
    if (Array.isArray(value)) this.#batch(value);
    else this.#message(value);
  }

  #message(value: unknown): void {
    const sorted = sortFrame(value);
    switch (sorted.kind) {
      case 'request':
        this.#request(sorted.frame);
        return;
      case 'notification':
        this.core.notification(sorted.frame, this.#exchange);
        return;
      case 'response':
        this.core.response(sorted.frame, this.#exchange);
        return;
      case 'invalid':
        this.#refuse(new RpcError('invalidRequest', sorted.reason), sorted.id);
    }
  }

  #request(frame: JSONRPCRequest): void {
    const { reply } = this.core.request(frame, this.#exchange);
    if (reply instanceof Promise) {
      void reply.then((later) => {
        if (later !== undefined) this.#writer.write(later.text);
      });
    } else {
      this.#writer.write(reply.text);
    }
  }

  #batch(elements: readonly unknown[]): void {
    const revision = this.#connection.legacyPeer?.revision ?? HEADERLESS;
    const fault = batchFault(elements, revision, this.options.maxBatch);
    if (fault !== undefined) {
      this.#refuseBatch(elements, fault);
    } else {
      const served = serveBatch(this.core, elements, this.#batchExchange, revision).then((text) => {
        this.#batches.delete(served);
        if (text !== undefined) this.#writer.write(text);
      });
      this.#batches.add(served);
    }
  }

  /** One error for each of the requests in it, or a client would wait for them for good. */
  #refuseBatch(elements: readonly unknown[], reason: string): void {
    const error = new RpcError('invalidRequest', reason);
    const ids = elements
      .filter((element) => isObject(element) && 'method' in element)
      .map((request) => usableId((request as { id?: unknown }).id))
      .filter((id) => id !== undefined);
    if (ids.length === 0) this.#refuse(error, undefined);
    for (const id of ids) this.#refuse(error, id);
  }

  #unreadable(reason: string): void {
    this.#refuse(new RpcError('parseError', `Parse error: ${reason}`), undefined);
  }

  #refuse(error: RpcError, id: RequestId | undefined): void {
    this.core.diagnostics.note('invalid-message', { reason: error.message });
    this.#writer.write(errorReply(this.#spelling, id, error).text);
  }

  /** Before a handshake the other end may as well be modern. */
  get #spelling(): Revision {
    return this.#connection.legacyPeer?.revision ?? NEWEST;
  }
}
