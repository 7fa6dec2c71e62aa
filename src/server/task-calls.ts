/** Whether, when and how a `tools/call` becomes a task (2025-11-25, basic/utilities/tasks; the extension). */
import { METHODS } from '../../generated/methods.js';
import type { Tool } from '../backends/backend.js';
import { RpcError, missingCapability } from '../protocol/errors.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { Peer } from '../protocol/peer.js';
import { Conversation } from '../questions/desk.js';
import type { TaskRecord } from '../store/record.js';
import { coreTask, extensionTask } from '../tasks/wire.js';
import type { Call } from './call.js';
import { elsewhere, type Outcome, type Serving } from './serving.js';
import { TASKS_EXTENSION } from '../protocol/reserved.js';

export type TaskPlan =
  | { readonly kind: 'inline' }
  /** A task as soon as it has gone on for so long, in milliseconds. */
  | { readonly kind: 'after'; readonly window: number }
  /** A task from the start, kept for as long as the client asked. */
  | { readonly kind: 'now'; readonly ttl: number | undefined };

const INLINE: TaskPlan = { kind: 'inline' };

export function declaresTasks({ capabilities }: Peer): boolean {
  return isObject(capabilities.extensions?.[TASKS_EXTENSION]);
}

export function tasksUndeclared(): RpcError {
  return missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
}

/** Throws `RpcError` where the tool and the client do not agree on tasks: nothing has run then. */
export function planOf(
  { settings: { taskEager, taskAfter } }: Serving,
  { peer, params }: Call,
  { name, execution }: Tool,
): TaskPlan {
  const support = execution?.taskSupport;
  if (peer.era === 'legacy') return legacyPlan(peer, params['task'], support, name);
  if (!declaresTasks(peer)) {
    if (support === 'required') throw tasksUndeclared();
    return INLINE;
  }
  if (support === 'forbidden') return INLINE;
  if (support !== undefined) return { kind: 'after', window: taskEager };
  return answersInline(peer) ? INLINE : { kind: 'after', window: taskAfter };
}

function legacyPlan(
  { revision }: Peer,
  task: unknown,
  support: string | undefined,
  name: string,
): TaskPlan {
  const supports = support === 'required' || support === 'optional';
  if (isObject(task)) {
    if (!supports) throw unsupported(`Tool ${name} cannot be run as a task`);
    const { ttl } = task;
    return { kind: 'now', ttl: typeof ttl === 'number' ? ttl : undefined };
  }
  // Clients of other revisions are not told what a tool requires, and cannot do it.
  if (support === 'required' && METHODS[revision]['tasks/get'] !== undefined) {
    throw unsupported(`Tool ${name} has to be run as a task`);
  }
  return INLINE;
}

function unsupported(message: string): RpcError {
  return new RpcError('methodNotFound', message);
}

function answersInline({ capabilities }: Peer): boolean {
  const { elicitation, sampling, roots } = capabilities;
  return elicitation !== undefined || sampling !== undefined || roots !== undefined;
}

/** Runs the handler as the plan says. */
export function runAsPlanned(
  serving: Serving,
  call: Call,
  plan: TaskPlan,
  run: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  if (plan.kind === 'now') return runAsTask(serving, call, plan.ttl, run);
  const outcome = run();
  if (plan.kind === 'after' && outcome instanceof Promise)
    becomeTaskAfter(serving, call, plan.window);
  return outcome;
}

/** A call that goes on after a question gets the same window again. */
export function becomeTaskAfter(serving: Serving, call: Call, window: number): void {
  setTimeout(() => becomeTask(serving, call), window).unref();
}

/** Answers a modern call that still waits with a task, if its client can have one. */
export function becomeTask(serving: Serving, call: Call): void {
  const conversation = call.conversation ?? new Conversation(call);
  if (!call.isOpen || conversation.seat !== call || !serving.tasks.hasRoom) return;
  if (call.method !== 'tools/call' || call.peer.era === 'legacy' || !declaresTasks(call.peer))
    return;
  let record: TaskRecord;
  try {
    record = hand(serving, call, conversation);
  } catch (error) {
    // Without a place to keep a task the call stays what it is.
    serving.diagnostics.note('task-not-kept', { err: error });
    return;
  }
  call.finish({
    result: { resultType: 'task', ...extensionTask(record, serving.settings.pollInterval) },
  });
}

function runAsTask(
  serving: Serving,
  call: Call,
  ttl: number | undefined,
  run: () => Outcome | Promise<Outcome>,
): Promise<never> {
  if (!serving.tasks.hasRoom) throw new RpcError('internal', 'There are too many tasks already');
  const conversation = new Conversation(call);
  const record = hand(serving, call, conversation, ttl);
  // The handler's end is the task's; the request itself is answered as soon as it waits for that.
  queueMicrotask(() => {
    call.finish({ result: { task: coreTask(record, serving.settings.pollInterval) } });
    void Promise.resolve()
      .then(run)
      .then(
        (result) => call.ended({ result }),
        (error: unknown) => call.ended({ error }),
      );
  });
  return elsewhere();
}

/** The call is the task's from here on. */
function hand(serving: Serving, call: Call, conversation: Conversation, ttl?: number): TaskRecord {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- all seats are calls
  const first = conversation.first as Call;
  const name = call.params['name'] as string;
  const record = serving.tasks.create(
    call.caller,
    name,
    { continuation: conversation, tool: call.tool, abandon: (reason) => first.abandon(reason) },
    ttl,
  );
  call.conversation = conversation;
  first.conversation = conversation;
  conversation.seat = undefined;
  first.runsAsTask(record.id, serving.tasks);
  return record;
}
