/**
 * An upstream behind HTTP as 2024-11-05 had it: one event stream for all that comes back, and an address
 * for what is sent, which the stream names first.
 */
import { Agent, request } from 'undici';
import { NEWEST_LEGACY, type Revision } from '../../../generated/revisions.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { parseJson } from '../../protocol/json.js';
import { TransportFailure, type Channel, type ChannelListener, type Sending } from './channel.js';
import { readEvents } from './event-stream.js';
import { HttpHeaders, JSON_TYPE, STREAM_TYPE } from './http-headers.js';
import type { HttpTarget } from './options.js';
import { Overlong } from './overlong.js';

export class SseChannel implements Channel {
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  readonly #over = new AbortController();
  /** Where frames go; rejects where the stream ends before it has said so. */
  readonly #address: Promise<string>;
  readonly #headers: HttpHeaders;

  constructor(
    private readonly target: HttpTarget,
    private readonly namespace: string,
    private readonly listener: ChannelListener,
    private readonly diagnostics: Diagnostics,
    /** In bytes, of an event. */
    private readonly maxMessage: number,
  ) {
    this.#headers = new HttpHeaders(target, NEWEST_LEGACY);
    this.#address = new Promise((resolve, reject) => {
      this.#listen(resolve).then(
        () => reject(new TransportFailure('the event stream ended')),
        (error: unknown) => reject(TransportFailure.of(error)),
      );
    });
    this.#address.catch(() => undefined);
  }

  async #listen(named: (address: string) => void): Promise<void> {
    const response = await request(this.target.url, {
      dispatcher: this.#agent,
      signal: this.#over.signal,
      headers: { ...this.#headers.all(), accept: STREAM_TYPE },
    });
    const { statusCode: status, headers, body } = response;
    if (status !== 200 || !String(headers['content-type']).startsWith(STREAM_TYPE)) {
      await body.dump();
      throw new TransportFailure(`HTTP ${status} where an event stream was expected`, status);
    }
    let reason = new TransportFailure('the event stream ended');
    try {
      await readEvents(body, {
        event: (data, name) => {
          if (name === 'endpoint') named(this.#resolved(data));
          else this.#message(data);
        },
        overlong: new Overlong(this.maxMessage, this.namespace, this.listener, this.diagnostics),
      });
    } catch (error) {
      reason = TransportFailure.of(error);
    }
    if (!this.#over.signal.aborted) this.listener.closed(reason);
    throw reason;
  }

  /** What is configured as headers is for the one server only. */
  #resolved(given: string): string {
    const address = URL.canParse(given, this.target.url) && new URL(given, this.target.url);
    if (address === false || address.origin !== new URL(this.target.url).origin) {
      throw new TransportFailure(`the event stream names ${given}, which is another server's`);
    }
    return address.href;
  }

  #message(data: string): void {
    let value: unknown;
    try {
      value = parseJson(data);
    } catch {
      const details = { namespace: this.namespace, data: data.slice(0, 200) };
      this.diagnostics.note('upstream-event-not-json', details);
      return;
    }
    this.listener.message(value);
  }

  async send({ text }: Sending): Promise<void> {
    try {
      const { statusCode: status, body } = await request(await this.#address, {
        dispatcher: this.#agent,
        signal: this.#over.signal,
        method: 'POST',
        headers: { ...this.#headers.all(), 'content-type': JSON_TYPE },
        body: text,
      });
      await body.dump();
      if (status >= 300) throw new TransportFailure(`HTTP ${status}`, status);
    } catch (error) {
      if (!this.#over.signal.aborted) throw TransportFailure.of(error);
    }
  }

  abandon(): boolean {
    return false;
  }

  speaks(revision: Revision, agreed: boolean): void {
    this.#headers.speak(revision, agreed);
  }

  ready(): void {
    // What is said unasked comes on the same stream.
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#agent.destroy();
  }
}
