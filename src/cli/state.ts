/** The file that `--state` names. */
import { ConfigProblem } from '../config/problem.js';
import type { Settings } from '../config/settings.js';
import { SqliteStore } from '../store/sqlite.js';
import type { TaskStore } from '../store/store.js';

/** Undefined: tasks are gone with the process. Throws `ConfigProblem` for a file that cannot be used. */
export function storeFor({ 'tasks.state': file }: Settings): TaskStore | undefined {
  if (file === '') return undefined;
  try {
    return new SqliteStore(file);
  } catch (error) {
    throw new ConfigProblem('tasks.state', (error as Error).message);
  }
}
