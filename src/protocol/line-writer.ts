/**
 * Lines to a stream. What is written within one turn of the event loop leaves in one write: under load
 * the price of a write is most of the price of a small message.
 */
import type { Writable } from 'node:stream';

export class LineWriter {
  #lines: string[] = [];
  #scheduled = false;
  #full = false;
  #ended = false;
  #abandoned = false;

  /** `pressure` is told when the reader falls behind, and when it has caught up. */
  constructor(
    private readonly output: Writable,
    private readonly pressure: (full: boolean) => void,
  ) {
    output.on('drain', () => {
      this.#full = false;
      pressure(false);
    });
  }

  write(text: string): void {
    if (this.#ended) return;
    this.#lines.push(text);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#lines.length === 0 || this.#ended) return;
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    if (this.output.write(text) || this.#full) return;
    this.#full = true;
    this.pressure(true);
  }

  /** Resolves when all that was written has been handed over, or nobody takes it. */
  async end(): Promise<void> {
    this.#flush();
    this.#ended = true;
    await new Promise<void>((resolve) => {
      if (this.#abandoned || this.output.destroyed || this.output.closed) resolve();
      else this.output.write('', () => resolve());
    });
  }

  /** Nobody reads any more. */
  abandon(): void {
    this.#abandoned = true;
    this.#ended = true;
    this.#lines = [];
  }
}
