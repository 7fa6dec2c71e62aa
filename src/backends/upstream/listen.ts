/** A `subscriptions/listen` stream to a modern upstream, opened again whenever it ends by itself. */
import type { SubscriptionFilter } from '../../../generated/newest/types.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { RpcError } from '../../protocol/errors.js';
import { pause } from './pause.js';
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
  for (let ms = FIRST_PAUSE; ; ms = Math.min(ms * 2, LONGEST_PAUSE)) {
    const opened = Date.now();
    try {
      await session.request('subscriptions/listen', { notifications }, { signal });
    } catch (error) {
      if (signal.aborted || session.ended) return;
      diagnostics.note('upstream-listen-failed', { namespace: session.namespace, err: error });
      if (error instanceof RpcError && error.kind === 'methodNotFound') return;
    }
    if (Date.now() - opened > LONGEST_PAUSE) ms = FIRST_PAUSE;
    await pause(ms, signal);
    if (signal.aborted || session.ended) return;
  }
}
