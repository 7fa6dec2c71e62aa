import type { TaskRecord } from './record.js';
import type { TaskStore } from './store.js';

/** Gone with the process. */
export class MemoryStore implements TaskStore {
  readonly #records = new Map<string, TaskRecord>();

  get(id: string): TaskRecord | undefined {
    return this.#records.get(id);
  }

  put(record: TaskRecord): void {
    this.#records.set(record.id, record);
  }

  delete(id: string): void {
    this.#records.delete(id);
  }

  of(owner: string): TaskRecord[] {
    return [...this.#records.values()].filter((record) => record.owner === owner);
  }

  all(): Iterable<TaskRecord> {
    return [...this.#records.values()];
  }

  get size(): number {
    return this.#records.size;
  }

  close(): void {
    this.#records.clear();
  }
}
