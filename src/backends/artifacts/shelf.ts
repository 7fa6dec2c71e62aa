/** Where artifacts lie: bounded in bytes, each for a time, each for one caller. */
import { randomBytes } from 'node:crypto';
import type { Diagnostics } from '../../protocol/diagnostics.js';

export interface ShelfSettings {
  /** How long an artifact is kept, in milliseconds. */
  readonly ttl: number;
  /** Bytes of all of them together; the oldest go first. */
  readonly maxBytes: number;
}

export type Payload = { readonly text: string } | { readonly blob: string };

export interface Artifact {
  /** Unguessable: it is all that protects an artifact that nobody owns. */
  readonly id: string;
  /** See `RequestContext.caller`. */
  readonly caller: string;
  /** The tool whose result it was part of. */
  readonly tool: string;
  readonly mimeType: string;
  readonly payload: Payload;
  /** Bytes of the payload as it is kept: a blob counts in base64. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const ID_BYTES = 18;

export class Shelf {
  /** Oldest first. */
  readonly #artifacts = new Map<string, Artifact>();
  #bytes = 0;

  constructor(
    private readonly settings: ShelfSettings,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** Undefined where it is larger than the whole shelf. */
  put(about: Pick<Artifact, 'caller' | 'tool' | 'mimeType' | 'payload'>): Artifact | undefined {
    const { ttl, maxBytes } = this.settings;
    const { payload } = about;
    const bytes = Buffer.byteLength('text' in payload ? payload.text : payload.blob);
    if (bytes > maxBytes) {
      this.diagnostics.note('artifact-too-large', { tool: about.tool, bytes, maxBytes });
      return undefined;
    }
    this.#sweep();
    for (const oldest of this.#artifacts.values()) {
      if (this.#bytes + bytes <= maxBytes) break;
      this.diagnostics.note('artifact-displaced', { tool: oldest.tool, bytes: oldest.bytes });
      this.#remove(oldest);
    }
    const id = randomBytes(ID_BYTES).toString('base64url');
    const artifact: Artifact = { ...about, id, bytes, expires: Date.now() + ttl };
    this.#artifacts.set(id, artifact);
    this.#bytes += bytes;
    return artifact;
  }

  /** What the caller may read; what belongs to nobody is for whoever knows its id. */
  get(id: string, caller: string): Artifact | undefined {
    this.#sweep();
    const artifact = this.#artifacts.get(id);
    return artifact?.caller === '' || artifact?.caller === caller ? artifact : undefined;
  }

  /** Oldest first. Nothing for callers that cannot be told apart. */
  of(caller: string): Artifact[] {
    if (caller === '' || this.#artifacts.size === 0) return [];
    this.#sweep();
    return [...this.#artifacts.values()].filter((artifact) => artifact.caller === caller);
  }

  forget(caller: string): void {
    for (const artifact of this.of(caller)) this.#remove(artifact);
  }

  clear(): void {
    this.#artifacts.clear();
    this.#bytes = 0;
  }

  /** All have the same time to live, so those that are over come first. */
  #sweep(): void {
    const now = Date.now();
    for (const artifact of this.#artifacts.values()) {
      if (artifact.expires > now) return;
      this.#remove(artifact);
    }
  }

  #remove({ id, bytes }: Artifact): void {
    if (this.#artifacts.delete(id)) this.#bytes -= bytes;
  }
}
