/** What belongs to a task of a 2025-11-25 upstream names it (basic/utilities/tasks). */
import { isObject } from '../../protocol/jsonrpc.js';
import { RELATED_TASK_KEY } from '../../protocol/reserved.js';

/** The task that a question is asked for. */
export function relatedTask(params: unknown): string | undefined {
  const meta = isObject(params) ? params['_meta'] : undefined;
  const related = isObject(meta) ? meta[RELATED_TASK_KEY] : undefined;
  const id = isObject(related) ? related['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** `value` as what belongs to the upstream's task, or to none. */
export function relatedTo(taskId: string | undefined, value: object): object {
  const own = withoutRelatedTask(value) as { _meta?: object };
  return taskId === undefined
    ? own
    : { ...own, _meta: { ...own._meta, [RELATED_TASK_KEY]: { taskId } } };
}

/** To clients the upstream's tasks are unknown: they have tasks of mcpx, or none. */
export function withoutRelatedTask<T>(value: T): T {
  if (!isObject(value) || !isObject(value['_meta']) || !(RELATED_TASK_KEY in value['_meta']))
    return value;
  const { [RELATED_TASK_KEY]: _theirs, ...meta } = value['_meta'];
  const { _meta, ...rest } = value;
  return (Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta }) as T;
}
