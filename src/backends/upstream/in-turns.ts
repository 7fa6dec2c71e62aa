/** Takes what a process writes without leaving everybody else to wait while it floods. */
import type { Readable } from 'node:stream';

/** Bytes at once that look like a flood. Of those Node reads 32 in a row, if nobody stops it. */
const MUCH = 32 * 1024;

export function takeInTurns(stream: Readable, take: (chunk: Buffer) => void): void {
  stream.on('data', (chunk: Buffer) => {
    take(chunk);
    if (chunk.length < MUCH) return;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}
