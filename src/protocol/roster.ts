/**
 * Who is there at the moment, for members that come and go by the thousand. A `Set` would do, but at a
 * price: whenever it renews its table the old one goes on pointing to the new one and to whoever was
 * there, so that a collector of young objects takes them for reachable. Nearly all that a request ever
 * made was kept that way until the next full collection.
 */
export class Roster<T extends object> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** Returns its place, which is good for `remove`. */
  add(member: T): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = member;
    return place;
  }

  /** False where it is not there any more. */
  remove(member: T, place: number): boolean {
    if (this.#places[place] !== member) return false;
    this.#places[place] = undefined;
    this.#free.push(place);
    return true;
  }

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Those that are there now, whatever becomes of them meanwhile. */
  all(): T[] {
    return this.#places.filter((member) => member !== undefined);
  }
}
