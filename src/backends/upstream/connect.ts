/** From a configured upstream to a session in an agreed revision. */
import type { Era } from '../../../generated/revisions.js';
import type { OpenChannel } from './channel.js';
import { HttpChannel } from './http-channel.js';
import { negotiate, type Agreement } from './negotiate.js';
import type { UpstreamOptions, UpstreamPatience } from './options.js';
import { Session, type SessionOptions } from './session.js';
import { StdioChannel } from './stdio-channel.js';

export interface Connected {
  readonly session: Session;
  readonly agreement: Agreement;
}

export interface ConnectOptions extends UpstreamOptions {
  readonly patience: UpstreamPatience;
  readonly knownEra: Era | undefined;
  readonly notified: SessionOptions['notified'];
  closed(session: Session, reason: Error): void;
}

/** Rejects with an `Error` whose message goes on after "the upstream …", or says what failed on its own. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const { knownEra, target } = options;
  const first = new Attempt(options, knownEra);
  try {
    return await first.run();
  } catch (error) {
    // Some legacy servers take a first message that is no handshake for a reason to exit.
    if (knownEra !== undefined || target.kind !== 'stdio' || !first.endedItself) throw error;
    return new Attempt(options, 'legacy').run();
  }
}

class Attempt {
  readonly session: Session;
  endedItself = false;
  #established = false;

  constructor(
    private readonly options: ConnectOptions,
    private readonly knownEra: Era | undefined,
  ) {
    const { namespace, clientInfo, diagnostics, notified, ask } = options;
    this.session = new Session(channelTo(options), {
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
    const { clientInfo, patience } = this.options;
    const { startTimeout, probeTimeout } = patience;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const error = new Error(`is not up after ${startTimeout} ms`);
      timer = setTimeout(() => reject(error), startTimeout);
    });
    try {
      const { knownEra } = this;
      const negotiation = negotiate(this.session, { clientInfo, knownEra, probeTimeout });
      const agreement = await Promise.race([negotiation, tooLate]);
      this.#established = true;
      return { session: this.session, agreement };
    } catch (error) {
      await this.session.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function channelTo({ target, namespace, diagnostics }: ConnectOptions): OpenChannel {
  switch (target.kind) {
    case 'stdio':
      return (listener) => new StdioChannel(target, namespace, listener, diagnostics);
    case 'http':
      return (listener) => new HttpChannel(target, namespace, listener, diagnostics);
  }
}
