/**
 * A client of the core's that is one operation: it comes by the door that all clients come by, so
 * that its calls are checked, counted, bounded and cancelled as theirs are.
 */
import { NEWEST } from '../../generated/revisions.js';
import type { Tool } from '../backends/backend.js';
import { withoutResultEnvelope } from '../edge/envelope.js';
import { ERROR_KINDS } from '../protocol/errors.js';
import { parseJson } from '../protocol/json.js';
import type { Core, Reply } from '../server/contract.js';
import { isFinished } from '../store/record.js';
import { Refused } from './operation.js';
import { CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY } from '../edge/envelope.js';
import { TASKS_EXTENSION } from '../protocol/reserved.js';

type Result = Record<string, unknown>;

const TASKS = { extensions: { [TASKS_EXTENSION]: {} } };

export class ToolCaller {
  constructor(
    private readonly core: Core,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits for its end, also where that can only be had as a task. Rejects with `Refused`. */
  async call(tool: Tool, args: Record<string, unknown>): Promise<Result> {
    const params = { name: tool.name, arguments: args };
    if (tool.execution?.taskSupport !== 'required') return this.#request('tools/call', params);
    const result = await this.#request('tools/call', params, TASKS);
    const { taskId } = result;
    return typeof taskId === 'string' ? this.#resultOf(taskId) : result;
  }

  async read(uri: string): Promise<Result> {
    return this.#request('resources/read', { uri });
  }

  async #resultOf(taskId: string): Promise<Result> {
    try {
      await this.#finished(taskId);
    } catch (error) {
      await this.#request('tasks/cancel', { taskId }, TASKS, false);
      throw error;
    }
    const { status, result, error } = await this.#request('tasks/get', { taskId }, TASKS);
    if (status === 'completed') return result as Result;
    const { message = `The task is ${String(status)}` } = (error ?? {}) as { message?: string };
    throw new Refused(502, message);
  }

  #finished(taskId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const task = this.core.tasks().find(({ id }) => id === taskId);
        if (task !== undefined && !isFinished(task)) return;
        leave();
        resolve();
      };
      const abort = (): void => {
        leave();
        reject(this.signal.reason as Error);
      };
      const stop = this.core.observe((event) => {
        if (event.kind === 'taskChanged' && event.task.id === taskId) look();
      });
      const leave = (): void => {
        stop();
        this.signal.removeEventListener('abort', abort);
      };
      this.signal.addEventListener('abort', abort, { once: true });
      if (this.signal.aborted) abort();
      else look();
    });
  }

  async #request(
    method: string,
    params: Record<string, unknown>,
    clientCapabilities: object = {},
    cancellable = true,
  ): Promise<Result> {
    const _meta = {
      [PROTOCOL_VERSION_KEY]: NEWEST,
      [CLIENT_CAPABILITIES_KEY]: clientCapabilities,
    };
    const pending = this.core.request(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      // Nothing that precedes the result is of any use here.
      { connection: undefined, send: () => undefined },
    );
    const cancel = (): void => pending.cancel('Nobody waits for the operation any more');
    if (cancellable) this.signal.addEventListener('abort', cancel, { once: true });
    if (cancellable && this.signal.aborted) cancel();
    const reply = await pending.reply;
    this.signal.removeEventListener('abort', cancel);
    if (reply === undefined) throw this.signal.reason as Error;
    return resultOf(reply, method);
  }
}

function resultOf(reply: Reply, method: string): Result {
  const { result, error } = parseJson(reply.text) as {
    result?: Result;
    error?: { message: string };
  };
  if (result !== undefined) return withoutResultEnvelope(result) as Result;
  throw new Refused(statusOf(reply, method), error?.message ?? 'The request failed');
}

function statusOf({ errorCode, overloaded }: Reply, method: string): number {
  if (overloaded === true) return 503;
  if (errorCode === ERROR_KINDS.invalidRequest.modern) return 400;
  if (errorCode !== ERROR_KINDS.invalidParams.modern) return 502;
  return method === 'resources/read' ? 404 : 422;
}
