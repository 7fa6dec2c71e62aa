/** From a configured upstream to a session in an agreed revision. */
import { eraOf } from '../../../generated/revisions.js';
import { TransportFailure, type OpenChannel } from './channel.js';
import { HttpChannel } from './http-channel.js';
import { negotiate, type Agreement } from './negotiate.js';
import { DEFAULT_MAX_MESSAGE, type UpstreamOptions, type UpstreamPatience } from './options.js';
import { Session, type SessionOptions } from './session.js';
import { SseChannel } from './sse-channel.js';
import { StdioChannel } from './stdio-channel.js';
import type { Way } from './ways.js';

export interface Connected {
  readonly session: Session;
  readonly agreement: Agreement;
  readonly way: Way;
}

export interface ConnectOptions extends UpstreamOptions {
  readonly patience: UpstreamPatience;
  /** How it was reached before. Where that fails, everything is tried anew. */
  readonly knownWay: Way | undefined;
  /** Nobody wants it any more: what was started is ended, and the reason is what it rejects with. */
  readonly signal: AbortSignal;
  readonly notified: SessionOptions['notified'];
  closed(session: Session, reason: Error): void;
}

/** Rejects with an `Error` whose message goes on after "the upstream …", or says what failed on its own. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const { knownWay, target, signal } = options;
  if (target.kind === 'http' && target.sse === true) return new Attempt(options, 'sse').run();
  if (knownWay !== undefined) {
    try {
      return await new Attempt(options, knownWay).run();
    } catch (error) {
      signal.throwIfAborted();
      // Nobody is there, whatever they may speak.
      if (error instanceof TransportFailure && error.status === undefined) throw error;
      const { namespace, diagnostics } = options;
      diagnostics.note('upstream-era-changed', { namespace, knownWay, err: error });
    }
  }
  const first = new Attempt(options, undefined);
  try {
    return await first.run();
  } catch (error) {
    signal.throwIfAborted();
    // Some legacy servers take a first message that is no handshake for a reason to exit.
    if (target.kind === 'stdio' && first.endedItself) return new Attempt(options, 'legacy').run();
    if (target.kind !== 'http' || !mayHaveStreams(error)) throw error;
    try {
      return await new Attempt(options, 'sse').run();
    } catch {
      signal.throwIfAborted();
      throw error;
    }
  }
}

/** A server of 2024-11-05 has no use for a POST there (2025-03-26, basic/transports). */
function mayHaveStreams(error: unknown): boolean {
  return (
    error instanceof TransportFailure && error.status !== undefined && OF_OLD.has(error.status)
  );
}

const OF_OLD: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

class Attempt {
  readonly session: Session;
  endedItself = false;
  #established = false;

  constructor(
    private readonly options: ConnectOptions,
    private readonly way: Way | undefined,
  ) {
    const { namespace, clientInfo, diagnostics, notified, ask } = options;
    this.session = new Session(channelTo(options, way === 'sse'), {
      namespace,
      clientInfo,
      diagnostics,
      notified,
      ...(ask !== undefined && { ask }),
      closed: (reason) => this.#closed(reason),
    });
  }

  #closed(reason: Error): void {
    this.endedItself = true;
    if (this.#established) this.options.closed(this.session, reason);
  }

  async run(): Promise<Connected> {
    const { clientInfo, patience, signal } = this.options;
    const { startTimeout, probeTimeout } = patience;
    let timer: NodeJS.Timeout | undefined;
    let abandon: () => void = () => undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const error = new Error(`is not up after ${startTimeout} ms`);
      timer = setTimeout(() => reject(error), startTimeout);
      abandon = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abandon, { once: true });
    });
    try {
      signal.throwIfAborted();
      const knownEra = this.way === 'sse' ? 'legacy' : this.way;
      const negotiation = negotiate(this.session, { clientInfo, knownEra, probeTimeout });
      const agreement = await Promise.race([negotiation, tooLate]);
      this.#established = true;
      const way = this.way === 'sse' ? 'sse' : eraOf(agreement.revision);
      return { session: this.session, agreement, way };
    } catch (error) {
      await this.session.close();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
    }
  }
}

function channelTo(
  { target, namespace, diagnostics, maxMessage = DEFAULT_MAX_MESSAGE }: ConnectOptions,
  streams: boolean,
): OpenChannel {
  switch (target.kind) {
    case 'stdio':
      return (listener) => new StdioChannel(target, namespace, listener, diagnostics, maxMessage);
    case 'http': {
      const HttpLike = streams ? SseChannel : HttpChannel;
      return (listener) => new HttpLike(target, namespace, listener, diagnostics, maxMessage);
    }
  }
}
