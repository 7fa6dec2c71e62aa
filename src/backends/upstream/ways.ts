/** How an upstream turned out to be reached, so that it need not be found out again. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { UpstreamTarget } from './target.js';

/** The era, and for HTTP of 2024-11-05 that it has streams of its own. */
export type Way = 'modern' | 'legacy' | 'sse';

export interface WayMemory {
  /** Never rejects. */
  recall(target: UpstreamTarget): Promise<Way | undefined>;
  /** Undefined: it was wrong, or is not known any more. Never rejects. */
  remember(target: UpstreamTarget, way: Way | undefined): Promise<void>;
}

const WAYS: ReadonlySet<unknown> = new Set<Way>(['modern', 'legacy', 'sse']);
/** A server that has learnt a newer era meanwhile is found out after that, in milliseconds. */
const KEPT = 7 * 24 * 60 * 60 * 1000;

interface Kept {
  readonly way: Way;
  readonly at: number;
}

/** A file that several processes may share: what one of them writes over is found out anew. */
export class WayFile implements WayMemory {
  #kept: Promise<Map<string, Kept>> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly diagnostics: Diagnostics,
  ) {}

  async recall(target: UpstreamTarget): Promise<Way | undefined> {
    const known = (await this.#read()).get(keyOf(target));
    return known !== undefined && Date.now() - known.at < KEPT ? known.way : undefined;
  }

  async remember(target: UpstreamTarget, way: Way | undefined): Promise<void> {
    const kept = await this.#read();
    const key = keyOf(target);
    if (way === undefined ? !kept.delete(key) : kept.get(key)?.way === way) return;
    if (way !== undefined) kept.set(key, { way, at: Date.now() });
    this.#writing = this.#writing.then(() => this.#write(kept));
    await this.#writing;
  }

  #read(): Promise<Map<string, Kept>> {
    return (this.#kept ??= this.#load());
  }

  async #load(): Promise<Map<string, Kept>> {
    try {
      const value: unknown = JSON.parse(await readFile(this.path, 'utf8'));
      return new Map(isObject(value) ? Object.entries(value).filter(isEntry) : []);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.diagnostics.note('era-cache-unreadable', { path: this.path, err: error });
      }
      return new Map();
    }
  }

  async #write(kept: ReadonlyMap<string, Kept>): Promise<void> {
    const draft = `${this.path}.${process.pid}`;
    try {
      await mkdir(dirname(this.path), { recursive: true });
      await writeFile(draft, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600 });
      // Whoever reads it meanwhile gets the one or the other, and whole.
      await rename(draft, this.path);
    } catch (error) {
      this.diagnostics.note('era-cache-unwritable', { path: this.path, err: error });
    }
  }
}

function isEntry(entry: [string, unknown]): entry is [string, Kept] {
  const [, kept] = entry;
  return isObject(kept) && WAYS.has(kept['way']) && typeof kept['at'] === 'number';
}

/** By its whole configuration, of which nothing can be read from the key: there may be secrets in it. */
function keyOf(target: UpstreamTarget): string {
  return createHash('sha256').update(JSON.stringify(target)).digest('hex');
}
