/** Messages of an upstream that are longer than they may be: noted, and told to whoever waits for them. */
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { AnswerFinder } from './answer-finder.js';
import type { ChannelListener } from './channel.js';

export class Overlong {
  #finder: AnswerFinder | undefined;

  constructor(
    /** In bytes. */
    readonly limit: number,
    private readonly namespace: string,
    private readonly listener: Pick<ChannelListener, 'unusable'>,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** One has passed the limit. Which request it answers, if any, is seen from its pieces. */
  begins(): void {
    this.#note();
    this.#finder = new AnswerFinder((id) => this.#tell(id));
  }

  /** The next piece of it, the first one from its start on. */
  goesOn(piece: string): void {
    this.#finder?.push(piece);
  }

  /** One that is known to answer the request. */
  answers(id: number): void {
    this.#note();
    this.#tell(id);
  }

  #tell(id: number): void {
    const setting = 'upstream.maxMessage, or maxMessage of the server itself';
    this.listener.unusable(id, `more than ${this.limit} bytes, the limit set by ${setting}`);
  }

  #note(): void {
    const { namespace, limit } = this;
    this.diagnostics.note('upstream-message-overlong', { namespace, limit });
  }
}
