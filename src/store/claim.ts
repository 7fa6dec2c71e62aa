/**
 * A file is for one process at a time. The lock that the database leaves beside it outlives a process
 * that was killed, so the number of the process that holds the file is kept, too: a lock of a process
 * that is gone is taken away.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Files of this process. */
const claimed = new Set<string>();

/** Gives the function that lets go of the file. Throws an `Error` that names who holds it, or why it cannot be had. */
export function claim(file: string): () => void {
  const path = resolve(file);
  const owner = `${path}.pid`;
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(owner, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error;
      const holder = Number(readFileSync(owner, 'utf8'));
      if (claimed.has(path) || isAnother(holder)) {
        throw new Error(`${file} is in use by process ${holder} (${owner} says so)`);
      }
      rmSync(owner, { force: true });
    }
  }
  claimed.add(path);
  rmSync(`${path}.lock`, { recursive: true, force: true });
  return () => {
    claimed.delete(path);
    rmSync(owner, { force: true });
  };
}

/** In a container the process before this one had the same number. */
function isAnother(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
