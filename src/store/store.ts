/** Where tasks are kept. */
import type { TaskRecord } from './record.js';

/** What `put` has returned from is there to stay, as far as the store keeps anything at all. */
export interface TaskStore {
  get(id: string): TaskRecord | undefined;
  put(record: TaskRecord): void;
  delete(id: string): void;
  /** Those of one owner, oldest first. */
  of(owner: string): TaskRecord[];
  /** All of them, oldest first. */
  all(): Iterable<TaskRecord>;
  readonly size: number;
  close(): void;
}
