import { describe, expect, it } from 'vitest';
import { Keeper } from '../../../src/backends/upstream/keeper.js';

class Thing {
  ended = false;
}

/** Keeps things, and counts how many it has started. */
function keeping() {
  const started: Thing[] = [];
  const keeper = new Keeper(
    () => {
      const thing = new Thing();
      started.push(thing);
      return Promise.resolve(thing);
    },
    () => undefined,
  );
  return { keeper, started };
}

function end(keeper: Keeper<Thing>, thing: Thing): void {
  thing.ended = true;
  keeper.ended(thing, new Error('it ended'));
}

describe('what is kept, once it has been retired', () => {
  it('is not started again when it ends, but when it is asked for', async () => {
    const { keeper, started } = keeping();
    const first = await keeper.get();
    keeper.retire();
    end(keeper, first);
    expect(started).toHaveLength(1);
    await keeper.get();
    expect(started).toHaveLength(2);
  });

  it('was started again when it ended before', async () => {
    const { keeper, started } = keeping();
    end(keeper, await keeper.get());
    expect(started).toHaveLength(2);
  });
});

describe('a start that nobody waits for any more', () => {
  it('is told so, and the end waits until it has cleared up', async () => {
    let clear: () => void = () => undefined;
    const keeper = new Keeper<Thing>(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => (clear = () => reject(signal.reason as Error)));
        }),
      () => undefined,
    );
    const asked = keeper.get().catch((error: unknown) => error);
    const closed = keeper.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    await Promise.resolve();
    expect(isClosed).toBe(false);
    clear();
    expect(await closed).toBeUndefined();
    expect(await asked).toEqual(new Error('it is closed'));
  });
});
