/** Lets go of what nobody has used for a while. */

/** What a timer can be set to. */
const LONGEST = 2 ** 31 - 1;

export class IdleTimer {
  #users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    /** In milliseconds; 0: never. */
    private readonly timeout: number,
    private readonly idle: () => void,
  ) {}

  /** Runs `use`, during which it is in use. */
  async during<T>(use: () => Promise<T>): Promise<T> {
    this.#users++;
    clearTimeout(this.#timer);
    try {
      return await use();
    } finally {
      this.#users--;
      this.restart();
    }
  }

  /** Counts from now, unless it is in use. */
  restart(): void {
    clearTimeout(this.#timer);
    if (this.#users > 0 || this.timeout === 0) return;
    this.#timer = setTimeout(this.idle, Math.min(this.timeout, LONGEST));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
