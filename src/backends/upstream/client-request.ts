/**
 * A client's request as its upstream gets to know of it. There is one for every call that is relayed,
 * and most upstreams ask for little of it: what is not asked for is not made.
 */
import type { ClientCapabilities, LoggingLevel } from '../../../generated/newest/types.js';
import type { ErrorObject } from '../../edge/contract.js';
import type { Cancellation } from '../../protocol/cancellation.js';
import type { Progress, Question, RequestContext } from '../context.js';
import { Relay, capabilitiesFor } from './asking.js';
import { liftHeadersRefused } from './headers-refused.js';
import type { RequestOptions } from './request.js';

/** Who relays it, and how. */
export interface Relaying {
  readonly namespace: string;
  /** Clients see the upstream as if there were no other, and no mcpx. */
  readonly alone: boolean;
  /** For each request, in milliseconds. */
  readonly timeout: number;
}

export class ClientRequest implements RequestOptions {
  readonly signal: Cancellation;
  readonly timeout: number;
  readonly logLevel: LoggingLevel | undefined;
  readonly progress: ((update: Progress) => void) | undefined;
  readonly lift: ((error: ErrorObject) => Error) | undefined;
  #relay: Relay | undefined;

  constructor(
    readonly method: string,
    readonly ctx: RequestContext,
    private readonly relaying: Relaying,
    /** Of the tool that is called. */
    readonly inputSchema: object | undefined,
  ) {
    this.signal = ctx.cancellation;
    this.timeout = relaying.timeout;
    this.logLevel = ctx.peer.logLevel;
    this.progress = ctx.wantsProgress ? (update) => ctx.progress(update) : undefined;
    this.lift = method === 'tools/call' ? liftHeadersRefused : undefined;
  }

  get relay(): Relay {
    return (this.#relay ??= new Relay(this.ctx, this.relaying.namespace, this.relaying.alone));
  }

  /** What a modern upstream is told of the client. */
  get capabilities(): ClientCapabilities {
    return capabilitiesFor(this.ctx, this.relaying.alone);
  }

  ask(method: Question['method'], params: unknown, signal: AbortSignal): Promise<object> {
    return this.relay.ask(method, params, signal);
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    this.ctx.log(level, data, logger);
  }
}

/** The same request with the headers of another schema; that they are refused again is an error. */
export class FreshHeaders extends ClientRequest {
  override readonly lift = undefined;
}
