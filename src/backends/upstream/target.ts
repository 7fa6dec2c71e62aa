/** Where an upstream is. */

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
