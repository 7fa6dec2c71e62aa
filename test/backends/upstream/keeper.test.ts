import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Keeper } from '../../../src/backends/upstream/keeper.js';

class Thing {
  ended = false;
}

/** A keeper whose starts fail until told otherwise, and the pauses that it has made. */
function keeping(): { keeper: Keeper<Thing>; pauses: number[]; works: (now: boolean) => void } {
  let working = false;
  const pauses: number[] = [];
  const keeper = new Keeper(
    () => (working ? Promise.resolve(new Thing()) : Promise.reject(new Error('not today'))),
    (_error, pause) => void pauses.push(pause),
  );
  onTestFinished(async () => {
    await keeper.close();
    vi.useRealTimers();
  });
  return { keeper, pauses, works: (now) => (working = now) };
}

function running({ current }: Keeper<Thing>): Thing {
  if (current === undefined) throw new Error('nothing runs');
  return current;
}

/** Ends what runs, as a crash does. */
function crash(keeper: Keeper<Thing>): void {
  const current = running(keeper);
  current.ended = true;
  keeper.ended(current, new Error('it crashed'));
}

describe('what does not stay up', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('B47: is tried for ever, with pauses that double up to a cap', async () => {
    const { keeper, pauses } = keeping();
    await keeper.get().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(pauses.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(pauses.length).toBeGreaterThan(15);
  });

  it('B47: is started at once again when it had been up for a while', async () => {
    const { keeper, pauses, works } = keeping();
    await keeper.get().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1500);
    works(true);
    await vi.advanceTimersByTimeAsync(2000);
    expect(keeper.current).toBeDefined();
    const before = pauses.length;
    await vi.advanceTimersByTimeAsync(60_000);
    crash(keeper);
    await vi.advanceTimersByTimeAsync(0);
    expect(keeper.current).toBeDefined();
    expect(pauses).toHaveLength(before);
    // The next crash comes too soon to be another first one.
    crash(keeper);
    expect(keeper.current).toBeUndefined();
    expect(pauses.slice(before)).toEqual([1000]);
  });

  it('B47: is not started any more once it is closed', async () => {
    const { keeper, pauses, works } = keeping();
    works(true);
    await keeper.get();
    const last = running(keeper);
    await keeper.close();
    keeper.ended(last, new Error('it was told to'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(keeper.current).toBeUndefined();
    expect(pauses).toEqual([]);
    await expect(keeper.get()).rejects.toThrow('it is closed');
  });

  it('is started at once when it has lapsed, but with pauses when it lapses all the time', async () => {
    const { keeper, pauses, works } = keeping();
    works(true);
    await keeper.get();
    const lapse = async (): Promise<void> => {
      keeper.lapsed(running(keeper), new Error('it lapsed'));
      await vi.advanceTimersByTimeAsync(0);
    };
    for (let times = 0; times < 11; times++) {
      await lapse();
      expect(keeper.current).toBeDefined();
    }
    await lapse();
    expect([keeper.current, pauses.length]).toEqual([undefined, 1]);
    // What has stayed for a while has made up for it.
    await vi.advanceTimersByTimeAsync(60_000);
    const before = pauses.length;
    await lapse();
    await lapse();
    expect([keeper.current === undefined, pauses.length]).toEqual([false, before]);
  });
});
