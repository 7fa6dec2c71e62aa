/**
 * Who is told what. List changes are gathered for a moment, so that a backend that adds a hundred
 * tools is one notification; updates of a resource go to whoever watches it or something above it.
 */
import { LIST_BITS, type ChangingList } from './filter.js';

export interface Subscriber {
  /** The URIs it watches; kept by itself. */
  readonly watched: Iterable<string>;
  deliver(method: string, params: object | undefined): void;
}

/** What the hub needs of those who know the backends. */
export interface Sources {
  /** Whether the list really is another one than last time anybody was told. */
  hasChanged(list: ChangingList): boolean | Promise<boolean>;
  /** The first watcher of a URI came, or the last one went. */
  watch(uri: string): void;
  unwatch(uri: string): void;
}

export class Hub {
  readonly #lists = new Map<Subscriber, number>();
  readonly #watchers = new Map<string, Set<Subscriber>>();
  readonly #timers = new Map<ChangingList, NodeJS.Timeout>();

  constructor(
    private readonly sources: Sources,
    private readonly listChangedDelay: number,
  ) {}

  /** `lists`: a sum of `LIST_BITS`. */
  add(subscriber: Subscriber, lists: number): void {
    this.#lists.set(subscriber, lists);
  }

  watch(subscriber: Subscriber, uri: string): void {
    let watchers = this.#watchers.get(uri);
    if (watchers === undefined) {
      this.#watchers.set(uri, (watchers = new Set()));
      this.sources.watch(uri);
    }
    watchers.add(subscriber);
  }

  unwatch(subscriber: Subscriber, uri: string): void {
    const watchers = this.#watchers.get(uri);
    if (watchers?.delete(subscriber) !== true || watchers.size > 0) return;
    this.#watchers.delete(uri);
    this.sources.unwatch(uri);
  }

  remove(subscriber: Subscriber): void {
    this.#lists.delete(subscriber);
    for (const uri of subscriber.watched) this.unwatch(subscriber, uri);
  }

  listChanged(list: ChangingList): void {
    if (this.#timers.has(list)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(list);
      void this.#announce(list);
    }, this.listChangedDelay);
    this.#timers.set(list, timer);
  }

  async #announce(list: ChangingList): Promise<void> {
    if (!(await this.sources.hasChanged(list))) return;
    const bit = LIST_BITS[list];
    for (const [subscriber, lists] of [...this.#lists]) {
      if ((lists & bit) !== 0) subscriber.deliver(`notifications/${list}/list_changed`, undefined);
    }
  }

  /** The resource may lie below the watched one (server/resources, subscriptions). */
  resourceUpdated(uri: string): void {
    const told = new Set<Subscriber>();
    for (const watched of selfAndAbove(uri)) {
      for (const subscriber of this.#watchers.get(watched) ?? []) {
        if (told.has(subscriber)) continue;
        told.add(subscriber);
        subscriber.deliver('notifications/resources/updated', { uri });
      }
    }
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#lists.clear();
    this.#watchers.clear();
  }
}

function* selfAndAbove(uri: string): Iterable<string> {
  yield uri;
  for (let slash = uri.lastIndexOf('/'); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
    yield uri.slice(0, slash);
    yield uri.slice(0, slash + 1);
  }
}
