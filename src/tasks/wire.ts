/** A task as the two task systems of the protocol say it. */
import type { ErrorObject } from '../edge/contract.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { TaskRecord, TaskStatus } from '../store/record.js';

/** Of 2025-11-25, basic/utilities/tasks: a tool result with `isError` makes the task failed. */
export function coreTask(record: TaskRecord, pollInterval: number): object {
  return {
    taskId: record.id,
    status: coreStatus(record),
    ...(record.statusMessage !== undefined && { statusMessage: record.statusMessage }),
    createdAt: new Date(record.created).toISOString(),
    lastUpdatedAt: new Date(record.updated).toISOString(),
    ttl: record.ttl,
    pollInterval,
  };
}

function coreStatus({ status, result }: TaskRecord): TaskStatus {
  return status === 'completed' && isObject(result) && result['isError'] === true
    ? 'failed'
    : status;
}

/** Of the extension: flat, and without anything that `tasks/get` adds. */
export function extensionTask(record: TaskRecord, pollIntervalMs: number): object {
  return {
    taskId: record.id,
    status: record.status,
    ...(record.statusMessage !== undefined && { statusMessage: record.statusMessage }),
    createdAt: new Date(record.created).toISOString(),
    lastUpdatedAt: new Date(record.updated).toISOString(),
    ttlMs: record.ttl,
    pollIntervalMs,
  };
}

/** What `tasks/get` answers and `notifications/tasks` tells. `error`: that of a failed task. */
export function detailedTask(
  record: TaskRecord,
  pollIntervalMs: number,
  questions: Readonly<Record<string, object>>,
  error: ErrorObject | undefined,
): object {
  const task = extensionTask(record, pollIntervalMs);
  switch (record.status) {
    case 'input_required':
      return { ...task, inputRequests: questions };
    case 'completed':
      return { ...task, result: record.result };
    case 'failed':
      return { ...task, error };
    default:
      return task;
  }
}
