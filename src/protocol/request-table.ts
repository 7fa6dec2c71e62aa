/**
 * What waits for an answer, by the id of its request. Ids count up, so that few are in each other's way
 * in a table of fixed size; those that are go to a map. Why not a map for all: see `Roster`.
 */
const SLOTS = 256;

export class RequestTable<T extends { readonly id: number }> {
  readonly #slots = new Array<T | undefined>(SLOTS);
  readonly #others = new Map<number, T>();

  add(item: T): void {
    const slot = item.id % SLOTS;
    if (this.#slots[slot] === undefined) this.#slots[slot] = item;
    else this.#others.set(item.id, item);
  }

  get(id: number): T | undefined {
    const item = this.#slots[id % SLOTS];
    return item?.id === id ? item : this.#others.get(id);
  }

  delete({ id }: T): void {
    const slot = id % SLOTS;
    if (this.#slots[slot]?.id === id) this.#slots[slot] = undefined;
    else this.#others.delete(id);
  }

  all(): T[] {
    return [...this.#slots.filter((item) => item !== undefined), ...this.#others.values()];
  }
}
