/** How an upstream is reached, and how patient mcpx is with it. */
import type { Implementation } from '../../../generated/newest/types.js';
import type { Question } from '../context.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';
import type { WayMemory } from './ways.js';

export interface StdioTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of mcpx itself, without its own `MCPX_` variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Only what 2024-11-05 had will do. */
  readonly sse?: true;
}

export type UpstreamTarget = StdioTarget | HttpTarget;

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

export interface UpstreamOptions {
  readonly namespace: string;
  readonly target: UpstreamTarget;
  /** Who mcpx says it is. */
  readonly clientInfo: Implementation;
  readonly patience?: Partial<UpstreamPatience>;
  readonly diagnostics: Diagnostics;
  /** Where it is kept between starts how the upstream is reached. */
  readonly ways?: WayMemory;
  /** Offered under its own names, as if there were no mcpx. */
  readonly passThrough?: boolean;
  /** Takes questions of the upstream that no call in hand can be told to have caused. */
  readonly ask?: (
    method: Question['method'],
    params: unknown,
    signal: AbortSignal,
  ) => Promise<object>;
}
