/** `tasks/*`, of both task systems: who may read a task, and how it is said. */
import type { ErrorObject } from '../../edge/contract.js';
import { RpcError, invalidParams } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import { isFinished, type TaskRecord } from '../../store/record.js';
import { errorOf } from '../../tasks/tasks.js';
import { coreTask, detailedTask } from '../../tasks/wire.js';
import type { Call } from '../call.js';
import { cursorAfter, startAfter } from '../pages.js';
import { prepareResult } from '../reply.js';
import type { MethodFamily, Outcome, Serving } from '../serving.js';
import { declaresTasks, tasksUndeclared } from '../task-calls.js';
import { RELATED_TASK_KEY } from '../../protocol/reserved.js';

export const tasks: MethodFamily = {
  'tasks/get': {
    harmlessToLegacy: true,
    handle(serving, call) {
      refuseUndeclared(call);
      const record = serving.tasks.get(idOf(call), call.caller);
      if (call.peer.era === 'legacy') return coreTask(record, serving.settings.pollInterval);
      return describedTask(serving, call, record);
    },
  },
  'tasks/list': {
    harmlessToLegacy: true,
    handle({ tasks: all, settings: { pageSize, pollInterval } }, call) {
      const records = all.list(call.caller);
      const { cursor } = call.params;
      const start = cursor === undefined ? 0 : startAfter('tasks', records, idOfRecord, cursor);
      const page = records.slice(start, start + pageSize);
      const last = page.at(-1);
      const listed = page.map((record) => coreTask(record, pollInterval));
      return last !== undefined && start + pageSize < records.length
        ? { tasks: listed, nextCursor: cursorAfter('tasks', start + pageSize, last.id) }
        : { tasks: listed };
    },
  },
  'tasks/result': {
    harmlessToLegacy: true,
    async handle(serving, call) {
      const id = idOf(call);
      serving.tasks.get(id, call.caller);
      const leave = serving.tasks.listen(id, (text) => call.exchange.send(text));
      try {
        const record = await serving.tasks.finished(id, call.caller, call.signal);
        return resultOf(serving, call, record);
      } finally {
        leave();
      }
    },
  },
  'tasks/cancel': {
    harmlessToLegacy: true,
    handle(serving, call) {
      refuseUndeclared(call);
      const [id, owner] = [idOf(call), call.caller];
      if (call.peer.era === 'modern') {
        serving.tasks.cancel(id, owner);
        return {};
      }
      const { status } = serving.tasks.get(id, owner);
      if (isFinished({ status })) {
        throw invalidParams(`The task has ended already: it is ${status}`, { taskId: id, status });
      }
      return coreTask(serving.tasks.cancel(id, owner), serving.settings.pollInterval);
    },
  },
  'tasks/update': {
    handle(serving, call) {
      refuseUndeclared(call);
      const answers = call.params['inputResponses'];
      serving.tasks.update(idOf(call), call.caller, isObject(answers) ? answers : {});
      return {};
    },
  },
};

/** As `tasks/get` answers it and as those hear of it who listen. */
export function describedTask(serving: Serving, call: Call, record: TaskRecord): object {
  const questions = Object.entries(serving.tasks.questions(record.id)).map(([key, question]) => [
    key,
    worded(call, question),
  ]);
  return detailedTask(
    record,
    serving.settings.pollInterval,
    Object.fromEntries(questions) as Record<string, object>,
    record.status === 'failed' ? errorObject(call, record) : undefined,
  );
}

/** Inside a result no shape of the projection reaches it. */
function worded({ edge }: Call, question: object): object {
  const { method, params } = question as { method: string; params?: object };
  const sent = edge.request(method, params);
  return 'refused' in sent || sent.params === undefined ? { method } : { method, ...sent };
}

function errorObject({ edge }: Call, record: TaskRecord): ErrorObject {
  return edge.error(errorOf(record));
}

function resultOf(serving: Serving, call: Call, record: TaskRecord): Outcome {
  if (record.status === 'failed') throw errorOf(record);
  if (record.status === 'cancelled' || record.result === undefined) {
    throw new RpcError('internal', 'The task was cancelled');
  }
  const result = record.result as { _meta?: object };
  const _meta = { ...result._meta, [RELATED_TASK_KEY]: { taskId: record.id } };
  const context = { ...serving.contextOf('tools/call'), tool: serving.tasks.toolOf(record.id) };
  return prepareResult(call.edge, 'tools/call', { ...result, _meta }, context);
}

/** Before the task is looked up: whoever did not declare the extension learns nothing of tasks. */
function refuseUndeclared({ peer }: Call): void {
  if (peer.era === 'modern' && !declaresTasks(peer)) throw tasksUndeclared();
}

function idOf({ params }: Call): string {
  return params['taskId'] as string;
}

function idOfRecord({ id }: TaskRecord): string {
  return id;
}
