/** Lets go of what nobody has used for a while. */

/** What a timer can be set to. */
const LONGEST = 2 ** 31 - 1;

export class IdleTimer {
  #users = 0;
  /** When it was last let go of, by a clock that is never set. */
  #since = 0;
  /** Once set it runs out: calls come by the thousand, and each would set it anew. */
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    /** In milliseconds; 0: never. */
    private readonly timeout: number,
    private readonly idle: () => void,
  ) {}

  /** It is in use until `leave`, once for each `enter`. */
  enter(): void {
    this.#users++;
  }

  leave(): void {
    this.#users--;
    this.restart();
  }

  /** Counts from now, unless it is in use. */
  restart(): void {
    if (this.#users > 0 || this.timeout === 0 || this.#stopped) return;
    this.#since = performance.now();
    if (this.#timer === undefined) this.#wait(this.timeout);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), Math.min(ms, LONGEST));
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = undefined;
    // Whoever uses it sets the timer when he leaves.
    if (this.#users > 0) return;
    const left = this.#since + this.timeout - performance.now();
    if (left > 0) this.#wait(left);
    else this.idle();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
