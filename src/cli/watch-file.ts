/** Tells when a file may hold something else: it was written, replaced, or a link on the way to it changed. */
import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Undefined while there is none. */
function fileBehind(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Does not keep the process alive. `unwatched`: changes are not told of any more. */
export function watchFile(
  path: string,
  changed: () => void,
  unwatched: (error: unknown) => void,
): void {
  let behind = fileBehind(path);
  let watcher: FSWatcher | undefined;
  // The folder, for many a program puts a new file in the place of the old one.
  const watchIn = (file: string, heard: (name: string | null) => void): FSWatcher | undefined => {
    try {
      const opened = watch(dirname(file), { persistent: false }, (_kind, name) => heard(name));
      return opened.on('error', unwatched);
    } catch (error) {
      unwatched(error);
      return undefined;
    }
  };
  const follow = (): void => {
    watcher?.close();
    const file = behind;
    watcher =
      file === undefined
        ? undefined
        : watchIn(file, (name) => {
            if (name === null || name === basename(file)) changed();
          });
  };
  watchIn(path, (name) => {
    const now = fileBehind(path);
    if (now !== undefined && now !== behind) {
      behind = now;
      follow();
      changed();
    } else if (name === null || name === basename(path)) {
      changed();
    }
  });
  if (isLinked(path, behind)) follow();
}

function isLinked(path: string, behind: string | undefined): boolean {
  const folder = fileBehind(dirname(path));
  return (
    behind !== undefined && (folder !== dirname(behind) || basename(path) !== basename(behind))
  );
}
