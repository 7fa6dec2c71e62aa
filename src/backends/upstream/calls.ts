/**
 * Requests of clients, on their way to the upstream and back: asked again where a session is gone or
 * headers have changed, through as many questions as the upstream has, to the end of a task.
 */
import { isDeepStrictEqual } from 'node:util';
import { eraOf } from '../../../generated/revisions.js';
import type { LoggingLevel } from '../../../generated/newest/types.js';
import { withoutResultEnvelope } from '../../edge/envelope.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import { isWanted } from '../../protocol/logging-levels.js';
import type { RequestContext } from '../context.js';
import { Relay, askingFault, capabilitiesFor } from './asking.js';
import { SessionExpired, TransportFailure } from './channel.js';
import { HeadersRefused, liftHeadersRefused } from './headers-refused.js';
import { withReadableBlocks } from './readable-blocks.js';
import { resultFault } from './received.js';
import type { RequestOptions } from './request.js';
import type { Session } from './session.js';
import { followTask, isTask } from './task.js';

/** How often one call may ask, whatever the client puts up with. */
const MAX_ROUNDS = 16;

/** What calls need of the backend that they are for. */
export interface CallsHost {
  readonly namespace: string;
  readonly diagnostics: Diagnostics;
  /** Clients see the upstream as if there were no other, and no mcpx. */
  readonly alone: boolean;
  /** For each request, in milliseconds. */
  readonly timeout: number;
  /** The one that is up, or will be; rejects with why there is none. */
  readonly session: () => Promise<Session>;
  /** Whether the upstream has a log. */
  readonly logs: () => boolean;
  /** The upstream is not let go meanwhile. */
  readonly inUse: <T>(use: () => Promise<T>) => Promise<T>;
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
    params: Record<string, unknown>,
    ctx: RequestContext,
    inputSchema?: object,
  ): Promise<T> {
    const { logLevel } = ctx.peer;
    const asked = Object.keys(ctx.meta).length === 0 ? params : { ...params, _meta: ctx.meta };
    const { alone, namespace, timeout } = this.host;
    const relay = new Relay(ctx, namespace, alone);
    const options: RequestOptions = {
      ask: relay.ask.bind(relay),
      capabilities: capabilitiesFor(ctx, alone),
      signal: ctx.signal,
      timeout,
      log: (level: LoggingLevel, data: unknown, logger?: string) => ctx.log(level, data, logger),
      ...(ctx.wantsProgress ? { progress: ctx.progress.bind(ctx) } : {}),
      ...(logLevel === undefined ? {} : { logLevel }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(method === 'tools/call' && { lift: liftHeadersRefused }),
    };
    const send = async (sent: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const session = await this.host.session();
      if (logLevel !== undefined) this.#wantLevel(session, logLevel);
      try {
        return await session.request(method, sent, options);
      } catch (error) {
        if (!(error instanceof HeadersRefused)) throw error;
        return this.#withFreshHeaders(session, sent, options, error);
      }
    };
    const resend = (sent: Record<string, unknown>): Promise<Record<string, unknown>> =>
      // A session that is gone has not seen the request: another one may.
      send(sent).catch((error: unknown) => {
        if (error instanceof SessionExpired) return send(sent);
        throw error;
      });
    let result: Record<string, unknown>;
    try {
      result = await this.host.inUse(() => this.#finished(method, asked, resend, relay, ctx));
    } catch (error) {
      throw this.#asRpcError(error, ctx.signal);
    }
    return this.#checked(method, result) as T;
  }

  /** The tool may want other headers than when it was listed (2026-07-28, basic/transports). */
  async #withFreshHeaders(
    session: Session,
    params: Record<string, unknown>,
    options: RequestOptions,
    { refusal }: HeadersRefused,
  ): Promise<Record<string, unknown>> {
    const before = options.inputSchema;
    const inputSchema = await this.host.listedAgain(params['name'] as string);
    if (inputSchema === undefined || isDeepStrictEqual(inputSchema, before)) throw refusal;
    return session.request('tools/call', params, { ...options, inputSchema, lift: undefined });
  }

  /** Asks as often as the upstream has questions, and follows a task to its end. */
  async #finished(
    method: string,
    params: Record<string, unknown>,
    send: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
    relay: Relay,
    ctx: RequestContext,
  ): Promise<Record<string, unknown>> {
    let result = await send(params);
    for (let round = 1; result['resultType'] === 'input_required'; round++) {
      if (round > MAX_ROUNDS) throw this.#failure(`asked for input ${MAX_ROUNDS} times`);
      const fault = askingFault(method, result);
      if (fault !== undefined) throw this.#failure(fault);
      const { inputRequests, requestState } = result;
      const inputResponses = await relay.askAll(inputRequests);
      try {
        result = await send({
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
    if (!isTask(result, params)) return result;
    ctx.takesLong();
    const { alone, timeout } = this.host;
    return followTask(await this.host.session(), result, {
      relay,
      signal: ctx.signal,
      capabilities: capabilitiesFor(ctx, alone),
      timeout,
    });
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
  #checked(method: string, result: Record<string, unknown>): object {
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

  #asRpcError(error: unknown, signal: AbortSignal): unknown {
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

function isInvalidParams(error: unknown): error is RpcError {
  return error instanceof RpcError && error.kind === 'invalidParams';
}
