/** An answer that comes as a whole. */
import type { BodySink, HttpPost } from './http-post.js';

export interface JsonTaker {
  /** Throws where it is no answer. */
  whole(text: string): void;
  /** It is longer than it may be. */
  overlong(): void;
}

export class JsonBody implements BodySink {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly post: HttpPost,
    /** In bytes. */
    private readonly limit: number,
    private readonly taker: JsonTaker,
  ) {}

  data(chunk: Buffer): void {
    this.#length += chunk.length;
    this.#chunks.push(chunk);
    if (this.#length <= this.limit) return;
    this.taker.overlong();
    this.post.abort();
  }

  end(error?: Error): void {
    if (error === undefined) this.#whole();
    else this.post.settle(error);
  }

  #whole(): void {
    const [first = EMPTY] = this.#chunks;
    const body = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#length) : first;
    try {
      this.taker.whole(body.toString('utf8', body[0] === BYTE_ORDER_MARK ? 3 : 0));
      this.post.settle();
    } catch (fault) {
      this.post.settle(fault as Error);
    }
  }
}

const EMPTY = Buffer.alloc(0);

/** Its first byte in UTF-8, with which no JSON begins. Some servers write it in front. */
const BYTE_ORDER_MARK = 0xef;
