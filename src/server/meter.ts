/** How often each method was asked, how that ended and how long it took. Only adds: it runs with every request. */

export type Ending = 'answered' | 'failed' | 'cancelled';

/** Upper bounds of the buckets of durations, in milliseconds. */
export const DURATION_BOUNDS: readonly number[] = [
  1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000,
];

export class MethodFigures {
  readonly endings: Record<Ending, number> = { answered: 0, failed: 0, cancelled: 0 };
  /** Durations by the first bound they do not exceed; the last is for those beyond all bounds. */
  readonly durations: number[] = new Array<number>(DURATION_BOUNDS.length + 1).fill(0);
  /** In milliseconds. */
  total = 0;
}

export class Meter {
  /** Requests that came to no method. */
  refused = 0;
  readonly #methods = new Map<string, MethodFigures>();

  /** `method` is one that mcpx has, never made of a peer's input. `ms`: where it says anything. */
  ended(method: string, ending: Ending, ms: number | undefined): void {
    let figures = this.#methods.get(method);
    if (figures === undefined) this.#methods.set(method, (figures = new MethodFigures()));
    figures.endings[ending]++;
    if (ms === undefined) return;
    figures.total += ms;
    let at = 0;
    while (at < DURATION_BOUNDS.length && ms > (DURATION_BOUNDS[at] ?? 0)) at++;
    figures.durations[at] = (figures.durations[at] ?? 0) + 1;
  }

  get methods(): ReadonlyMap<string, Readonly<MethodFigures>> {
    return this.#methods;
  }
}
