/** Requests of a legacy upstream: each is answered, by whoever its question is for, or refused. */
import { RpcError, methodNotFound } from '../../protocol/errors.js';
import { idKey, type JSONRPCRequest, type RequestId } from '../../protocol/jsonrpc.js';
import { isQuestion } from './asking.js';
import { relatedTask, relatedTo, withoutRelatedTask } from './related-task.js';
import type { Ask, PendingRequest } from './request.js';

export interface Answering {
  /** The request of ours that the question belongs to, if that can be told. */
  askedFor(via: number | undefined, taskId: string | undefined): PendingRequest | undefined;
  /** Takes questions that belong to no request, or to one of several. */
  readonly ask: Ask | undefined;
  reply(id: RequestId, method: string, result: object): void;
  refuse(id: RequestId, method: string, error: RpcError): void;
}

export class UpstreamQuestions {
  /** By the upstream's id. */
  readonly #open = new Map<string, AbortController>();
  readonly #withdrawn = new WeakSet<AbortController>();

  constructor(private readonly answering: Answering) {}

  received({ id, method, params }: JSONRPCRequest, via: number | undefined): void {
    if (method === 'ping') this.answering.reply(id, method, {});
    else void this.#answer(id, method, params, via);
  }

  async #answer(
    id: RequestId,
    method: string,
    params: unknown,
    via: number | undefined,
  ): Promise<void> {
    const taskId = relatedTask(params);
    const request = this.answering.askedFor(via, taskId);
    const asked = request?.options.ask === undefined ? this.answering : request.options;
    if (asked.ask === undefined || !isQuestion(method)) {
      this.answering.refuse(id, method, methodNotFound(method));
      return;
    }
    const key = idKey(id) as string;
    const question = new AbortController();
    this.#open.set(key, question);
    request?.asks(question);
    try {
      const answer = await asked.ask(method, withoutRelatedTask(params ?? {}), question.signal);
      this.answering.reply(id, method, relatedTo(taskId, answer));
    } catch (error) {
      if (!this.#withdrawn.has(question)) this.answering.refuse(id, method, unanswered(error));
    } finally {
      if (this.#open.get(key) === question) this.#open.delete(key);
      request?.answered(question);
    }
  }

  /** The upstream does not want to know any more: it is not answered. */
  withdraw(id: RequestId, reason: unknown): void {
    const question = this.#open.get(idKey(id) as string);
    if (question === undefined) return;
    this.#withdrawn.add(question);
    const why = typeof reason === 'string' ? reason : 'The upstream cancelled its question';
    question.abort(new Error(why));
  }

  /** The upstream is gone. */
  end(error: Error): void {
    for (const question of this.#open.values()) {
      this.#withdrawn.add(question);
      question.abort(error);
    }
  }
}

/** What the upstream is told; why exactly is between mcpx and its client. */
function unanswered(error: unknown): RpcError {
  if (error instanceof RpcError) {
    const lacks = error.kind === 'missingCapability' || error.kind === 'methodNotFound';
    return new RpcError(lacks ? 'methodNotFound' : 'internal', error.message);
  }
  return new RpcError('internal', error instanceof Error ? error.message : 'Nobody answered');
}
