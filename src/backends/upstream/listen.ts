/** A `subscriptions/listen` stream to a modern upstream, opened again whenever it ends by itself. */
import type { SubscriptionFilter } from '../../../generated/newest/types.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import type { Session } from './session.js';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;

/** Runs until the signal aborts, the session ends, or the upstream has no such method. Never rejects. */
export async function listen(
  session: Session,
  notifications: SubscriptionFilter,
  signal: AbortSignal,
  diagnostics: Diagnostics,
): Promise<void> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const opened = Date.now();
    try {
      await session.request('subscriptions/listen', { notifications }, { signal });
    } catch (error) {
      if (signal.aborted || session.ended) return;
      diagnostics.note('upstream-listen-failed', { namespace: session.namespace, err: error });
      if (error instanceof RpcError && error.kind === 'methodNotFound') return;
    }
    if (Date.now() - opened > LONGEST_PAUSE) pause = FIRST_PAUSE;
    await passed(pause, signal);
    if (signal.aborted || session.ended) return;
  }
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
