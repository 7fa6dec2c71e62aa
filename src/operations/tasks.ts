/** Calls that go on, or have ended, as tasks. */
import type { TaskRecord } from '../store/record.js';
import { NO_INPUT, TEXT, TIME, listOf, objectOf, type Operation } from './operation.js';

/** The rest of an id stays secret: it is all that protects a task that nobody owns. */
const SHOWN = 8;

export const TASK = objectOf(
  {
    task: { ...TEXT, description: 'The first characters of its id' },
    tool: TEXT,
    owned: { type: 'boolean', description: 'Whether it belongs to a session or to a principal' },
    status: { enum: ['working', 'input_required', 'completed', 'failed', 'cancelled'] },
    created: TIME,
    updated: TIME,
  },
  { statusMessage: TEXT },
);

export const tasks: readonly Operation[] = [
  {
    id: 'list_tasks',
    method: 'GET',
    path: '/tasks',
    summary: 'The tasks that are kept, without their results',
    input: NO_INPUT,
    output: objectOf({ tasks: listOf(TASK) }),
    run: ({ core }) => ({ body: { tasks: core.tasks().map(taskSummary) } }),
  },
];

export function taskSummary(record: TaskRecord): object {
  const { id, owner, tool, status, statusMessage, created, updated } = record;
  return {
    task: id.slice(0, SHOWN),
    tool,
    owned: owner !== '',
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    created: new Date(created).toISOString(),
    updated: new Date(updated).toISOString(),
  };
}
