/** How an upstream is reached, and how patient mcpx is with it. */
import type { Implementation } from '../../../generated/newest/types.js';
import type { Question } from '../context.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import type { UpstreamTarget } from './target.js';
import type { ToolSelection } from './selection.js';
import type { WayMemory } from './ways.js';

export type { HttpTarget, StdioTarget, UpstreamTarget } from './target.js';

/** All in milliseconds. */
export interface UpstreamPatience {
  /** `pool.callTimeout` */
  readonly callTimeout: number;
  /** `pool.startTimeout` */
  readonly startTimeout: number;
  /** `upstream.probeTimeout` */
  readonly probeTimeout: number;
  /** `pool.idleTimeout`; 0: never. */
  readonly idleTimeout: number;
}

export const DEFAULT_PATIENCE: UpstreamPatience = {
  callTimeout: 120_000,
  startTimeout: 60_000,
  probeTimeout: 2_000,
  idleTimeout: 5 * 60_000,
};

/**
 * `upstream.maxMessage`: bytes of one message of an upstream. Results with images are large; a line or
 * an event that never ends is a broken upstream's.
 */
export const DEFAULT_MAX_MESSAGE = 64 * 1024 ** 2;

export interface UpstreamOptions {
  readonly namespace: string;
  readonly target: UpstreamTarget;
  /** Who mcpx says it is. */
  readonly clientInfo: Implementation;
  readonly patience?: Partial<UpstreamPatience>;
  /** In bytes: an HTTP answer, an event of a stream, a line on stdio. */
  readonly maxMessage?: number;
  readonly diagnostics: Diagnostics;
  /** Where it is kept between starts how the upstream is reached. */
  readonly ways?: WayMemory;
  /** Absent: all of its tools, under the names that it gives them. */
  readonly selection?: ToolSelection;
  /** Offered under its own names, as if there were no mcpx. */
  readonly passThrough?: boolean;
  /** Takes questions of the upstream that no call in hand can be told to have caused. */
  readonly ask?: (
    method: Question['method'],
    params: unknown,
    signal: AbortSignal,
  ) => Promise<object>;
}
