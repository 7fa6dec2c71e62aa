/** Follows a task that an upstream answered a call with to its result, in either of the two systems. */
import { eraOf } from '../../../generated/revisions.js';
import type { ClientCapabilities } from '../../../generated/newest/types.js';
import type { ErrorObject } from '../../edge/contract.js';
import { edgeFor } from '../../edge/edge.js';
import { RpcError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Relay } from './asking.js';
import { pause } from './pause.js';
import { withoutRelatedTask } from './related-task.js';
import type { RequestOptions } from './request.js';
import type { Session } from './session.js';

export interface Following {
  readonly relay: Relay;
  /** Cancels the task. */
  readonly signal: AbortSignal;
  readonly capabilities: ClientCapabilities;
  /** For each request about the task, in milliseconds. */
  readonly timeout: number;
}

type Result = Record<string, unknown>;

/** Between two looks at a task: where the upstream says nothing, at least, at most. In milliseconds. */
const POLL = 1000;
const SHORTEST_POLL = 20;
const LONGEST_POLL = 60_000;

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
    if (legacy) {
      const waiting = { ...options, timeout: undefined, taskId };
      return withoutRelatedTask(await session.request('tasks/result', { taskId }, waiting));
    }
    return await new Poll(session, taskId, following, options).result(cancel);
  } finally {
    following.signal.removeEventListener('abort', cancel);
  }
}

function optionsOf({ signal, timeout, capabilities, relay }: Following): RequestOptions {
  return { signal, timeout, capabilities, ask: relay.ask.bind(relay) };
}

/** Looks after a task of a modern upstream until it has ended, and answers what it asks meanwhile. */
class Poll {
  readonly #asked = new Set<string>();
  /** Ends the questions with the task, and the wait with a question that cannot be answered. */
  readonly #over = new AbortController();

  constructor(
    private readonly session: Session,
    private readonly taskId: string,
    private readonly following: Following,
    private readonly options: RequestOptions,
  ) {}

  async result(cancel: () => void): Promise<Result> {
    const { session, taskId, options } = this;
    const either = AbortSignal.any([this.following.signal, this.#over.signal]);
    try {
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
            this.#answer(task['inputRequests']);
        }
        await pause(intervalOf(task), either);
        this.following.signal.throwIfAborted();
        if (!this.#over.signal.aborted) continue;
        cancel();
        throw this.#over.signal.reason as Error;
      }
    } finally {
      this.#over.abort(new Error('The task has ended'));
    }
  }

  /** Each question is put once; the answer goes upstream when it comes, and the task is watched meanwhile. */
  #answer(inputRequests: unknown): void {
    if (!isObject(inputRequests)) return;
    for (const [key, question] of Object.entries(inputRequests)) {
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      const { relay } = this.following;
      relay.askAll({ [key]: question }, this.#over.signal).then(
        (answers) => this.#update(answers),
        // The upstream would wait for ever.
        (error: unknown) => this.#over.abort(error),
      );
    }
  }

  #update(inputResponses: Result): void {
    const { session, taskId, options } = this;
    session.request('tasks/update', { taskId, inputResponses }, options).catch(() => {
      // It has ended in the meantime, or does not take the answer: the next look at it says so.
    });
  }
}

function intervalOf({ pollIntervalMs: wished }: Result): number {
  if (typeof wished !== 'number') return POLL;
  return Math.min(Math.max(wished, SHORTEST_POLL), LONGEST_POLL);
}
