/**
 * What mcpx wants to be told of by an upstream: in the modern era one listen stream for the lists and
 * one for each resource, in the legacy era a request for each resource. All of it is asked for again
 * in every new session.
 */
import type { SubscriptionFilter } from '../../../generated/newest/types.js';
import { eraOf } from '../../../generated/revisions.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { listen } from './listen.js';
import type { Agreement } from './negotiate.js';
import type { Session } from './session.js';

/** How long a legacy upstream may take to agree to a subscription, in milliseconds. */
const PATIENCE = 30_000;

export class Subscriptions {
  /** By URI; the controller ends its stream. */
  readonly #resources = new Map<string, AbortController>();
  #session: Session | undefined;
  #lists = new AbortController();

  constructor(private readonly diagnostics: Diagnostics) {}

  sessionStarted(session: Session, { capabilities }: Agreement): void {
    this.#session = session;
    this.#lists = new AbortController();
    if (eraOf(session.revision) === 'modern') {
      const filter: SubscriptionFilter = {};
      if (capabilities.tools?.listChanged === true) filter.toolsListChanged = true;
      if (capabilities.prompts?.listChanged === true) filter.promptsListChanged = true;
      if (capabilities.resources?.listChanged === true) filter.resourcesListChanged = true;
      if (Object.keys(filter).length > 0) {
        void listen(session, filter, this.#lists.signal, this.diagnostics);
      }
    }
    for (const uri of this.#resources.keys()) this.#ask(session, uri);
  }

  sessionEnded(): void {
    this.#session = undefined;
    this.#lists.abort();
    for (const controller of this.#resources.values()) controller.abort();
  }

  /** Whether there is a resource that somebody wants to hear of. */
  get any(): boolean {
    return this.#resources.size > 0;
  }

  add(uri: string): void {
    if (this.#resources.has(uri)) return;
    this.#resources.set(uri, new AbortController());
    if (this.#session !== undefined) this.#ask(this.#session, uri);
  }

  remove(uri: string): void {
    this.#resources.get(uri)?.abort();
    this.#resources.delete(uri);
    const session = this.#session;
    if (session === undefined || eraOf(session.revision) === 'modern') return;
    this.#send(session, 'resources/unsubscribe', uri);
  }

  #ask(session: Session, uri: string): void {
    if (eraOf(session.revision) === 'legacy') {
      this.#send(session, 'resources/subscribe', uri);
      return;
    }
    const controller = new AbortController();
    this.#resources.set(uri, controller);
    void listen(session, { resourceSubscriptions: [uri] }, controller.signal, this.diagnostics);
  }

  #send(session: Session, method: string, uri: string): void {
    session.request(method, { uri }, { timeout: PATIENCE }).catch((error: unknown) => {
      const { namespace } = session;
      this.diagnostics.note('upstream-subscription-failed', { namespace, method, uri, err: error });
    });
  }
}
