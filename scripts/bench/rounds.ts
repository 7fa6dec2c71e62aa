/**
 * Contestants take turns in short rounds, so that whatever else the machine does meets all of them. What
 * is compared is compared within a round; of the rounds the median counts.
 */

/** Answers in a stretch of time, and what they cost the server. */
export interface Sample {
  readonly perSecond: number;
  /** Microseconds of processor time of the server for each answer. */
  readonly cpu: number;
}

export interface Contestant {
  readonly name: string;
  measure(ms: number): Promise<Sample>;
}

export interface RoundSettings {
  readonly rounds: number;
  /** Length of a sample, in milliseconds. */
  readonly ms: number;
}

/** Samples of a contestant, by round. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Where the middle half of the ratios is spread wider than this, more rounds follow, up to as many again. */
const RESTLESS = 0.15;

/** The first of the contestants is what the others are compared with. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, ms }: RoundSettings,
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]));
  const [base, ...others] = contestants.map(({ name }) => name);
  const restless = (): boolean =>
    others.some((name) => spread(ratios(samples, name, base ?? '')) > RESTLESS);
  for (let round = 0; round < rounds || (round < 2 * rounds && restless()); round++) {
    // Nobody always follows the same one.
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(turn + round) % contestants.length];
      if (contestant === undefined) continue;
      samples.get(contestant.name)?.push(await contestant.measure(ms));
    }
  }
  return samples;
}

/** Of one contestant's figure to another's, by round. */
export function ratios(
  samples: Samples,
  name: string,
  base: string,
  figure: keyof Sample = 'perSecond',
): number[] {
  const others = samples.get(base) ?? [];
  return (samples.get(name) ?? []).map(
    (sample, round) => sample[figure] / (others[round]?.[figure] ?? NaN),
  );
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Width of the middle half, relative to the median. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}
