/** Follows a task that an upstream answered a call with to its result, in either of the two systems. */
import { setTimeout as pause } from 'node:timers/promises';
import { eraOf } from '../../../generated/revisions.js';
import type { ClientCapabilities } from '../../../generated/newest/types.js';
import type { ErrorObject } from '../../edge/contract.js';
import { edgeFor } from '../../edge/edge.js';
import { RpcError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Relay } from './asking.js';
import type { RequestOptions, Session } from './session.js';

export interface Following {
  readonly relay: Relay;
  /** Cancels the task. */
  readonly signal: AbortSignal;
  readonly capabilities: ClientCapabilities;
  /** For each request about the task, in milliseconds. */
  readonly timeout: number;
}

type Result = Record<string, unknown>;

/** Between two looks at a task, where the upstream says nothing, and at least. In milliseconds. */
const POLL = 1000;
const SHORTEST_POLL = 20;

/** Whether the result of a call with these params says that it has become a task. */
export function isTask(result: Result, params: Result): boolean {
  if (result['resultType'] === 'task') return true;
  return params['task'] !== undefined && isObject(result['task']);
}

/** Resolves to the result of the call. Rejects with what the task ended with, or the signal's reason. */
export async function followTask(
  session: Session,
  created: Result,
  following: Following,
): Promise<Result> {
  const legacy = eraOf(session.revision) === 'legacy';
  const { taskId } = (legacy ? created['task'] : created) as { taskId: string };
  const options = optionsOf(following);
  const cancel = (): void => {
    session.request('tasks/cancel', { taskId }, { ...options, signal: undefined }).catch(() => {
      // It has ended in the meantime, or the upstream has.
    });
  };
  following.signal.addEventListener('abort', cancel, { once: true });
  try {
    following.signal.throwIfAborted();
    return legacy
      ? await session.request('tasks/result', { taskId }, { ...options, timeout: undefined })
      : await polled(session, taskId, following, options);
  } finally {
    following.signal.removeEventListener('abort', cancel);
  }
}

function optionsOf({ signal, timeout, capabilities, relay }: Following): RequestOptions {
  return { signal, timeout, capabilities, ask: relay.ask.bind(relay) };
}

async function polled(
  session: Session,
  taskId: string,
  following: Following,
  options: RequestOptions,
): Promise<Result> {
  const asked = new Set<string>();
  for (;;) {
    const task = await session.request('tasks/get', { taskId }, options);
    switch (task['status']) {
      case 'completed':
        return task['result'] as Result;
      case 'failed':
        throw edgeFor(session.revision).liftError('tools/call', task['error'] as ErrorObject);
      case 'cancelled':
        throw new RpcError('internal', `Upstream "${session.namespace}" cancelled the task`);
      case 'input_required':
        answerAnew(session, taskId, task['inputRequests'], asked, following, options);
    }
    const wished = task['pollIntervalMs'];
    const interval = typeof wished === 'number' ? Math.max(wished, SHORTEST_POLL) : POLL;
    await pause(interval, undefined, { signal: following.signal });
  }
}

/** Each question is put once; the answer goes upstream when it comes, and the task is watched meanwhile. */
function answerAnew(
  session: Session,
  taskId: string,
  inputRequests: unknown,
  asked: Set<string>,
  { relay }: Following,
  options: RequestOptions,
): void {
  if (!isObject(inputRequests)) return;
  for (const [key, question] of Object.entries(inputRequests)) {
    if (asked.has(key)) continue;
    asked.add(key);
    relay
      .askAll({ [key]: question })
      .then((inputResponses) =>
        session.request('tasks/update', { taskId, inputResponses }, options),
      )
      .catch(() => {
        // Nobody answers it: the upstream's own patience decides what becomes of the task.
      });
  }
}
