/** What an upstream says unasked: to the request that it is about, or to whoever looks after the upstream. */
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { usableId, type JSONRPCNotification } from '../../protocol/jsonrpc.js';
import { isLoggingLevel } from '../../protocol/logging-levels.js';
import type { RequestTable } from '../../protocol/request-table.js';
import type { Progress } from '../context.js';
import type { UpstreamQuestions } from './questions.js';
import { notificationFault } from './received.js';
import type { PendingRequest, RequestOptions } from './request.js';

export interface NotificationsHost {
  readonly namespace: string;
  readonly diagnostics: Diagnostics;
  /** Takes what belongs to no request. */
  notified(method: string, params: Record<string, unknown>): void;
}

export class UpstreamNotifications {
  constructor(
    private readonly waiting: RequestTable<PendingRequest>,
    private readonly questions: UpstreamQuestions,
    private readonly host: NotificationsHost,
  ) {}

  received(frame: JSONRPCNotification, via: number | undefined): void {
    const { method, params = {} } = frame;
    const fault = notificationFault(frame);
    if (fault !== undefined) {
      this.#note('upstream-notification-invalid', { method, fault });
      return;
    }
    switch (method) {
      case 'notifications/progress':
        this.#progressed(params);
        return;
      case 'notifications/message':
        this.#logged(params, via);
        return;
      case 'notifications/cancelled':
        this.#cancelled(params);
        return;
      default:
        this.host.notified(method, params);
    }
  }

  #progressed({ progressToken, progress, total, message }: Record<string, unknown>): void {
    const waiting = this.waiting.get(progressToken as number);
    if (waiting?.options.progress === undefined) {
      this.#note('upstream-progress-unawaited');
      return;
    }
    waiting.progressed();
    const update = { progress } as Progress;
    if (total !== undefined) update.total = total as number;
    if (message !== undefined) update.message = message as string;
    waiting.options.progress(update);
  }

  /**
   * To the request on whose stream it came, or to the only one there is: what one client's call logs
   * is none of another's business.
   */
  #logged({ level, data, logger }: Record<string, unknown>, via: number | undefined): void {
    const name = logger as string | undefined;
    const one = via === undefined ? undefined : this.waiting.get(via);
    const listening = one?.options.log === undefined ? this.#onlyListener() : one.options;
    if (listening?.log !== undefined && isLoggingLevel(level)) {
      listening.log(level, data, name);
      return;
    }
    const details = { namespace: this.host.namespace, level, logger: name, data };
    this.host.diagnostics.logger.info(details, 'upstream log');
  }

  #onlyListener(): RequestOptions | undefined {
    const [only, ...others] = this.waiting
      .all()
      .map(({ options }) => options)
      .filter((options) => options.log !== undefined);
    return others.length === 0 ? only : undefined;
  }

  #cancelled({ requestId, reason }: Record<string, unknown>): void {
    const id = usableId(requestId);
    if (id !== undefined) this.questions.withdraw(id, reason);
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    // The only request of ours that the other side ends (basic/patterns/cancellation).
    if (waiting?.method === 'subscriptions/listen') waiting.resolve({});
  }

  #note(event: string, details: object = {}): void {
    this.host.diagnostics.note(event, { namespace: this.host.namespace, ...details });
  }
}
