/**
 * Keeps one thing running that may end at any time: started when it is needed, started again when it
 * has ended, with longer and longer pauses while it does not stay.
 */

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** What has run that long has recovered: the pauses start anew. In milliseconds. */
const SUSTAINED = 10_000;
/** How often in a row what has run for less may be of no use any more before that is held against it. */
const MOST_LAPSES = 10;

export interface Endable {
  readonly ended: boolean;
}

export class Keeper<T extends Endable> {
  #current: T | undefined;
  #starting: Promise<T> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #failures = 0;
  #lapses = 0;
  #since = 0;
  #retired = false;
  readonly #closing = new AbortController();

  constructor(
    /** Is not waited for any longer than the signal allows: it has to clear up then, and reject. */
    private readonly start: (signal: AbortSignal) => Promise<T>,
    /** A start failed, or what was started has ended too often; the next one comes after the pause. */
    private readonly failed: (error: Error, pauseMs: number) => void,
    /** What `current` and `pausing` say may have changed. */
    private readonly changed: () => void = () => undefined,
  ) {}

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  get current(): T | undefined {
    return this.#current;
  }

  /** Nothing runs, and nothing is started until a pause is over. */
  get pausing(): boolean {
    return this.#timer !== undefined;
  }

  /** What runs, or will in a moment. Rejects with why the last start failed, while a pause lasts. */
  get(): Promise<T> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    if (this.#closed) return Promise.reject(new Error('it is closed'));
    if (this.#timer !== undefined && this.#failure !== undefined) {
      return Promise.reject(this.#failure);
    }
    return (this.#starting ??= this.#started());
  }

  async #started(): Promise<T> {
    try {
      const started = await this.start(this.#closing.signal);
      if (started.ended) throw new Error('it ended as soon as it was up');
      this.#current = started;
      this.#since = Date.now();
      this.changed();
      return started;
    } catch (error) {
      this.#failure = error as Error;
      this.#pause(this.#failure);
      throw error;
    } finally {
      this.#starting = undefined;
    }
  }

  /** What ran has ended by itself. The first time it is started again at once. */
  ended(which: T, reason: Error): void {
    if (this.#current !== which) return;
    this.#current = undefined;
    if (this.#closed) return;
    if (Date.now() - this.#since >= SUSTAINED) this.#failures = 0;
    this.#failure = reason;
    if (this.#failures > 0) {
      this.#pause(reason);
    } else {
      this.#failures = 1;
      this.changed();
      this.#startAnew();
    }
  }

  /**
   * What ran is of no use any more, though nothing is wrong with it: the next one is started at once,
   * unless that has helped too often for too short a time.
   */
  lapsed(which: T, reason: Error): void {
    if (this.#current !== which) return;
    if (Date.now() - this.#since >= SUSTAINED) this.#lapses = 0;
    if (++this.#lapses > MOST_LAPSES) {
      this.ended(which, reason);
      return;
    }
    this.#current = undefined;
    if (this.#closed) return;
    this.changed();
    this.#startAnew();
  }

  #pause(error: Error): void {
    if (this.#closed) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures++, LONGEST_PAUSE);
    this.failed(error, pause);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startAnew();
    }, pause);
    this.#timer.unref();
    this.changed();
  }

  #startAnew(): void {
    if (!this.#retired) this.get().catch(() => undefined);
  }

  get retired(): boolean {
    return this.#retired;
  }

  /** What ends from now on is started again only when it is asked for. */
  retire(): void {
    this.#retired = true;
  }

  /** Nothing runs until it is asked for again. Returns what ran. */
  rest(): T | undefined {
    const last = this.#current;
    this.#current = undefined;
    return last;
  }

  /** Nothing is started any more, and a start that is under way is broken off. Returns what runs. */
  async close(): Promise<T | undefined> {
    this.#closing.abort(new Error('it is closed'));
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const last = this.#current ?? (await this.#starting?.catch(() => undefined));
    this.#current = undefined;
    return last;
  }
}
