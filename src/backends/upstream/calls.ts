/**
 * Requests of clients, on their way to the upstream and back: asked again where a session is gone or
 * headers have changed, through as many questions as the upstream has, to the end of a task.
 */
import { isDeepStrictEqual } from 'node:util';
import { eraOf } from '../../../generated/revisions.js';
import type { LoggingLevel } from '../../../generated/newest/types.js';
import { withoutResultEnvelope } from '../../edge/envelope.js';
import type { Cancellation } from '../../protocol/cancellation.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import { isWanted } from '../../protocol/logging-levels.js';
import type { RequestContext } from '../context.js';
import { askingFault } from './asking.js';
import { SessionExpired, TransportFailure } from './channel.js';
import { ClientRequest, FreshHeaders, type Relaying } from './client-request.js';
import { HeadersRefused } from './headers-refused.js';
import { withReadableBlocks } from './readable-blocks.js';
import { resultFault } from './received.js';
import type { Session } from './session.js';
import { followTask, isTask } from './task.js';

/** How often one call may ask, whatever the client puts up with. */
const MAX_ROUNDS = 16;

type Params = Record<string, unknown>;
type Result = Record<string, unknown>;

/** What calls need of the backend that they are for. */
export interface CallsHost extends Relaying {
  readonly diagnostics: Diagnostics;
  /** The one that is up. */
  readonly current: () => Session | undefined;
  /** The one that is up, or will be; rejects with why there is none. */
  readonly session: () => Promise<Session>;
  /** Whether the upstream has a log. */
  readonly logs: () => boolean;
  /** From here on the upstream is in use … */
  readonly enter: () => void;
  /** … and no longer. */
  readonly leave: () => void;
  /** Fetches the tools anew; resolves to the input schema of the one, by the upstream's name. */
  readonly listedAgain: (tool: string) => Promise<object | undefined>;
}

export class Calls {
  /** What each session was asked to log, at the least severe. */
  readonly #levels = new WeakMap<Session, LoggingLevel>();

  constructor(private readonly host: CallsHost) {}

  /** Resolves to the result without its envelope. Rejects with `RpcError`, or the signal's reason. */
  async relay<T>(
    method: string,
    params: Params,
    ctx: RequestContext,
    inputSchema?: object,
  ): Promise<T> {
    const request = new ClientRequest(method, ctx, this.host, inputSchema);
    const { meta } = ctx;
    this.host.enter();
    try {
      const asked = isEmpty(meta) ? params : { ...params, _meta: meta };
      let result = await this.#send(request, asked);
      if (result['resultType'] === 'input_required') {
        result = await this.#answering(request, asked, result);
      }
      if (isTask(result, asked)) result = await this.#followed(request, result);
      return this.#checked(method, result) as T;
    } catch (error) {
      throw this.#asRpcError(error, request.signal);
    } finally {
      this.host.leave();
    }
  }

  /** A session that is gone has not seen the request: another one may. */
  async #send(request: ClientRequest, params: Params): Promise<Result> {
    try {
      return await this.#sendOnce(request, params);
    } catch (error) {
      if (error instanceof SessionExpired) return this.#sendOnce(request, params);
      throw error;
    }
  }

  async #sendOnce(request: ClientRequest, params: Params): Promise<Result> {
    const session = this.host.current() ?? (await this.host.session());
    if (request.logLevel !== undefined) this.#wantLevel(session, request.logLevel);
    try {
      return await session.request(request.method, params, request);
    } catch (error) {
      if (!(error instanceof HeadersRefused)) throw error;
      return this.#withFreshHeaders(session, params, request, error);
    }
  }

  /** The tool may want other headers than when it was listed (2026-07-28, basic/transports). */
  async #withFreshHeaders(
    session: Session,
    params: Params,
    { method, ctx, inputSchema: before }: ClientRequest,
    { refusal }: HeadersRefused,
  ): Promise<Result> {
    const inputSchema = await this.host.listedAgain(params['name'] as string);
    if (inputSchema === undefined || isDeepStrictEqual(inputSchema, before)) throw refusal;
    return session.request(method, params, new FreshHeaders(method, ctx, this.host, inputSchema));
  }

  /** Asks as often as the upstream has questions. */
  async #answering(request: ClientRequest, params: Params, asking: Result): Promise<Result> {
    const { method, relay } = request;
    let result = asking;
    for (let round = 1; result['resultType'] === 'input_required'; round++) {
      if (round > MAX_ROUNDS) throw this.#failure(`asked for input ${MAX_ROUNDS} times`);
      const fault = askingFault(method, result);
      if (fault !== undefined) throw this.#failure(fault);
      const { inputRequests, requestState } = result;
      const inputResponses = await relay.askAll(inputRequests);
      try {
        result = await this.#send(request, {
          ...params,
          ...(inputRequests !== undefined && { inputResponses }),
          ...(requestState !== undefined && { requestState }),
        });
      } catch (error) {
        if (method !== 'tools/call' || !isInvalidParams(error)) throw error;
        // What the client asked for was in order; what it answered later was not.
        return { content: [{ type: 'text', text: error.message }], isError: true };
      }
    }
    return result;
  }

  /** To the end of the task that the upstream has made of the call. */
  async #followed(request: ClientRequest, task: Result): Promise<Result> {
    const { ctx, relay, capabilities, timeout } = request;
    ctx.takesLong();
    const session = await this.host.session();
    return followTask(session, task, { relay, signal: ctx.signal, capabilities, timeout });
  }

  /** A legacy upstream has one level for all of its clients: the least severe that any has asked for. */
  #wantLevel(session: Session, level: LoggingLevel): void {
    if (eraOf(session.revision) === 'modern' || !this.host.logs()) return;
    const wanted = this.#levels.get(session);
    if (wanted !== undefined && isWanted(level, wanted)) return;
    this.#levels.set(session, level);
    const { timeout } = this.host;
    session
      .request('logging/setLevel', { level }, { timeout })
      .catch((error: unknown) => this.#note('upstream-level-refused', { level, err: error }));
  }

  /** What a client would choke on is the upstream's failure, not a result. */
  #checked(method: string, result: Result): object {
    const fault = resultFault(method, result);
    if (fault === undefined) return withoutResultEnvelope(result);
    const mended = method === 'tools/call' ? withReadableBlocks(result) : undefined;
    if (mended !== undefined && resultFault(method, mended.result) === undefined) {
      this.#note('upstream-block-as-text', { method, fault });
      return withoutResultEnvelope(mended.result);
    }
    this.#note('upstream-result-invalid', { method, fault });
    throw this.#failure(`answered ${method} with an invalid result: ${fault}`);
  }

  #asRpcError(error: unknown, signal: Cancellation): unknown {
    if (error instanceof RpcError || signal.aborted || !(error instanceof Error)) return error;
    if (error instanceof TransportFailure)
      return this.#failure(`cannot be reached: ${error.message}`);
    return this.#failure(`is not running: ${error.message}`);
  }

  #failure(what: string): RpcError {
    return new RpcError('internal', `Upstream "${this.host.namespace}" ${what}`);
  }

  #note(event: string, details: object): void {
    const { diagnostics, namespace } = this.host;
    diagnostics.note(event, { namespace, ...details });
  }
}

function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}

function isInvalidParams(error: unknown): error is RpcError {
  return error instanceof RpcError && error.kind === 'invalidParams';
}
