/** Sessions of the legacy era (basic/transports, session management). */
import { randomBytes } from 'node:crypto';
import { FACTS } from '../../../generated/facts.js';
import type { Revision } from '../../../generated/revisions.js';
import type { Connection, Core } from '../../server/contract.js';
import { HEADERLESS } from '../../server/era.js';
import { EventBuffer, type KeptEvent } from './event-buffer.js';
import { SessionStream, type Resumption } from './session-stream.js';
import type { HttpSettings } from './settings.js';

/** The stream that a GET opens; those of POSTs count from one. */
const NOTIFICATIONS = 0;

const ID_BYTES = 24;

export class Session {
  readonly id = randomBytes(ID_BYTES).toString('base64url');
  readonly connection: Connection;
  /** What belongs to no request goes here. */
  readonly notifications: SessionStream;
  readonly #buffer: EventBuffer;
  readonly #streams = new Map<number, SessionStream>();
  #idle: NodeJS.Timeout;
  /** When something was last heard of the client. */
  #heard = performance.now();
  #lastStream = NOTIFICATIONS;
  #busy = 0;

  constructor(
    core: Core,
    private readonly settings: HttpSettings,
    private readonly forget: (session: Session) => void,
  ) {
    this.#buffer = new EventBuffer(settings, core.diagnostics);
    this.notifications = this.#stream(NOTIFICATIONS);
    this.connection = core.connect({
      push: (text) => this.notifications.event(text),
      hears: () => this.notifications.attached,
    });
    this.#idle = this.#lookAfter(settings.sessionIdle);
  }

  /** What `initialize` negotiated. */
  get revision(): Revision {
    return this.connection.legacyPeer?.revision ?? HEADERLESS;
  }

  get resumable(): boolean {
    return FACTS[this.revision].primedStreams;
  }

  /** A stream for the answer to a POST. */
  openStream(): SessionStream {
    return this.#stream(++this.#lastStream);
  }

  /** Undefined where it has ended. */
  stream(number: number): SessionStream | undefined {
    return this.#streams.get(number);
  }

  /** What a stream that has ended sent after the event; undefined where it is not known any more. */
  replayable(stream: number, after: number): readonly KeptEvent[] | undefined {
    return this.#buffer.has(stream, after) ? this.#buffer.after(stream, after) : undefined;
  }

  #stream(number: number): SessionStream {
    const resumption = (): Resumption => ({ ids: this.resumable, retry: this.settings.retry });
    const stream = new SessionStream(number, this.#buffer, resumption, (ended) =>
      this.#streams.delete(ended.number),
    );
    this.#streams.set(number, stream);
    return stream;
  }

  /** Something was heard of the client. */
  touch(): void {
    this.#heard = performance.now();
  }

  /** The client waits for an answer, until `leave`. */
  enter(): void {
    this.#busy++;
  }

  leave(): void {
    this.#busy--;
    this.touch();
  }

  /** Nobody waits for anything of it just now. */
  get idle(): boolean {
    return this.#busy === 0 && !this.notifications.attached;
  }

  #endIfIdle(): void {
    if (!this.idle) this.touch();
    const left = this.#heard + this.settings.sessionIdle - performance.now();
    if (left > 0) this.#idle = this.#lookAfter(left);
    else this.close();
  }

  /** One timer at a time, not a new one for each request. */
  #lookAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#endIfIdle(), ms);
  }

  /** Requests in flight are cancelled, streams end. */
  close(): void {
    clearTimeout(this.#idle);
    this.forget(this);
    this.connection.close();
    for (const stream of [...this.#streams.values()]) stream.end();
  }
}

export class Sessions {
  /** In the order in which they were last heard of, which is how the longest silent one is found. */
  readonly #sessions = new Map<string, Session>();
  #last: Session | undefined;

  constructor(
    private readonly core: Core,
    private readonly settings: HttpSettings,
  ) {}

  /**
   * Undefined where there is no room for another one. Sessions that nobody uses make room, the one that
   * has been silent for longest first: else whoever opens many keeps everybody out until they time out.
   */
  open(): Session | undefined {
    if (this.#sessions.size >= this.settings.maxSessions) {
      this.core.diagnostics.note('too-many-sessions');
      const silent = this.#longestSilent();
      if (silent === undefined) return undefined;
      silent.close();
    }
    const session = new Session(this.core, this.settings, ({ id }) => this.#sessions.delete(id));
    this.#sessions.set(session.id, session);
    this.#last = session;
    return session;
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    session.touch();
    if (session !== this.#last) {
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
      this.#last = session;
    }
    return session;
  }

  #longestSilent(): Session | undefined {
    for (const session of this.#sessions.values()) if (session.idle) return session;
    return undefined;
  }

  closeAll(): void {
    for (const session of [...this.#sessions.values()]) session.close();
  }
}
