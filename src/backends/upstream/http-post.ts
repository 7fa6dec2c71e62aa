/**
 * One POST to an upstream, from when it is sent until nothing more is to come of it. It takes what undici
 * hears as it hears it: a stream, a signal and three promises for each answer of a hundred bytes would be
 * most of what the relaying of a call costs.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Who takes the body of an answer. */
export interface BodySink {
  data(chunk: Buffer): void;
  /** With the error where it broke off. */
  end(error?: Error): void;
}

/** What is decided about an answer when its headers are there: without a sink nobody wants its body. */
export type Began = (
  post: HttpPost,
  status: number,
  headers: IncomingHttpHeaders,
) => BodySink | undefined;

/** Bytes of an unwanted body that are cheaper to read than a new connection is to make. */
const DRAINED = 64 * 1024;

export class HttpPost implements Dispatcher.DispatchHandler {
  /** In the books of the channel. */
  place = -1;
  /** When its answer came, where more may follow; by a clock that is never set. */
  answeredAt: number | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #signal: AbortController | undefined;
  #sink: BodySink | undefined;
  #drained = 0;
  #settled = false;
  #aborted = false;

  /** `settled` is called once: with an error where no answer can come any more. */
  constructor(
    /** Of the request that it carries. */
    readonly id: number | undefined,
    private readonly began: Began,
    private readonly settled: (post: HttpPost, error: Error | undefined) => void,
  ) {}

  /** Aborted with the post, for what follows it. */
  get signal(): AbortSignal {
    this.#signal ??= new AbortController();
    if (this.#aborted) this.#signal.abort();
    return this.#signal.signal;
  }

  /** Nobody waits any more. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#sink = undefined;
    // First, for undici tells of the error that it is given before it returns.
    this.settle();
    this.#signal?.abort();
    this.#controller?.abort(GIVEN_UP);
  }

  settle(error?: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.settled(this, error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(GIVEN_UP);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status >= 200) this.#sink = this.began(this, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#sink !== undefined) {
      this.#sink.data(chunk);
      return;
    }
    this.#drained += chunk.length;
    if (this.#drained > DRAINED) controller.abort(GIVEN_UP);
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#sink === undefined) this.settle(error);
    else this.#end(error);
  }

  #end(error: Error | undefined): void {
    this.#controller = undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.end(error);
  }
}

const GIVEN_UP = new Error('Nobody waits for the answer any more');
