/** What the backend needs of an adapter, whichever kind it is. */
import type { CallToolResult } from '../../../generated/newest/types.js';
import type { Bare } from '../backend.js';

export interface Runner {
  /** Placeholders in its templates. */
  readonly names: readonly string[];
  /** Throws `ArgumentsRefused`; all else that fails is a result. */
  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Bare<CallToolResult>>;
  close(): Promise<void>;
}
