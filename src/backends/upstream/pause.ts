/** Before a stream that ended is opened again, unless the upstream says otherwise. In milliseconds. */
export const RECONNECT = 1_000;

/** Waits, but neither longer than the signal allows nor to keep the process alive. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
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
