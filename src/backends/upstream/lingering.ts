/**
 * Streams that go on though their answer has come. Most end in a moment, and their connection can be used
 * again; one that does not would hold it for ever.
 */
import type { Roster } from '../../protocol/roster.js';
import type { HttpPost } from './http-post.js';

/** How long a stream may go on, at least; in milliseconds. */
const PATIENCE = 5_000;

export class Lingering {
  /** One for all: answers come by the thousand. */
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly posts: Roster<HttpPost>) {}

  answered(post: HttpPost): void {
    post.answeredAt = performance.now();
    this.#wait();
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => this.#look(), PATIENCE).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const due = performance.now() - PATIENCE;
    for (const post of this.posts.all()) {
      if (post.answeredAt === undefined) continue;
      if (post.answeredAt <= due) post.abort();
      else this.#wait();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
