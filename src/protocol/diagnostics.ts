/**
 * Where everything goes that mcpx drops, repairs or refuses without anybody being told on the wire:
 * each kind is counted, and its first occurrence is logged with its details.
 */
import { SILENT, type Logger } from './log.js';

/** Occurrences after which one is logged again, so that a flood shows as one in the log. */
const LOG_AGAIN = 1000;

export class Diagnostics {
  readonly #counts = new Map<string, number>();

  constructor(readonly logger: Logger = SILENT) {}

  /** `event` is a short kebab-case name: it is a key of `counts`, so never made of a peer's input. */
  note(event: string, details: object = {}): void {
    const count = (this.#counts.get(event) ?? 0) + 1;
    this.#counts.set(event, count);
    if (count === 1) this.logger.warn(details, event);
    else if (count % LOG_AGAIN === 0) this.logger.warn({ ...details, count }, event);
  }

  count(event: string): number {
    return this.#counts.get(event) ?? 0;
  }

  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
