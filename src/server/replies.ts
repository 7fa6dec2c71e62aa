/** What becomes of a call as its client gets it: the result or the error, spelled for its revision. */
import type { Diagnostics } from '../protocol/diagnostics.js';
import { RpcError, toRpcError } from '../protocol/errors.js';
import type { ResultContext } from '../edge/contract.js';
import { toolContexts, uncacheable } from './cache-hints.js';
import type { Call } from './call.js';
import type { Reply } from './contract.js';
import { PreparedResult, errorReply, prepareResult, resultReply } from './reply.js';
import type { Outcome, Serving } from './serving.js';

export class Replies {
  readonly #contextOfTool: ReturnType<typeof toolContexts>;
  readonly #contextOfMethod: Serving['contextOf'];
  readonly #diagnostics: Diagnostics;

  constructor({
    info,
    contextOf,
    diagnostics,
  }: Pick<Serving, 'info' | 'contextOf' | 'diagnostics'>) {
    this.#contextOfTool = toolContexts(info);
    this.#contextOfMethod = contextOf;
    this.#diagnostics = diagnostics;
  }

  /** An error where the client's revision cannot carry the outcome. */
  success(call: Call, outcome: Outcome): Reply {
    if (outcome instanceof PreparedResult) return resultReply(call.id, outcome);
    try {
      const { edge, method } = call;
      return resultReply(call.id, prepareResult(edge, method, outcome, this.#contextOf(call)));
    } catch (error) {
      return this.failure(call, error);
    }
  }

  /** What is not an `RpcError` is a fault of ours or of a handler: the log gets it, the peer does not. */
  failure(call: Call, thrown: unknown): Reply {
    const { peer, id, method } = call;
    if (!(thrown instanceof RpcError)) {
      this.#diagnostics.note('request-failed', { method, err: thrown });
      this.#diagnostics.logger.error({ method, err: thrown }, 'request failed');
    }
    return errorReply(peer.revision, id, toRpcError(thrown), method);
  }

  #contextOf(call: Call): ResultContext {
    if (call.tool !== undefined) return this.#contextOfTool(call.tool);
    const context = this.#contextOfMethod(call.method);
    const { inputResponses, requestState } = call.params;
    const answered = inputResponses !== undefined || requestState !== undefined;
    return answered && context.ttlMs !== undefined ? uncacheable(context) : context;
  }
}
