/** Tells the bench where a server is to be reached, and what it has used so far. */

/** `url` is undefined for a server on stdio. */
export function ready(url) {
  process.on('message', () => {
    // A process that is asked for its memory is to be asked for what it holds, not for what is garbage.
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
  });
  process.once('disconnect', () => process.exit());
  process.send({ url });
}
