/** A command line or an HTTP call as a tool, as the configuration declares it. */
import type { ToolAnnotations } from '../../../generated/newest/types.js';
import type { Diagnostics } from '../../protocol/diagnostics.js';

interface AdapterTool {
  readonly title?: string;
  readonly description?: string;
  /** Absent: no arguments. Every placeholder is one of its properties. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Where given, the answer has to be JSON that fits it. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
  /** Milliseconds that a call may take. */
  readonly timeout?: number;
  /** Bytes of an answer. */
  readonly maxOutput?: number;
}

export interface CommandAdapter extends AdapterTool {
  readonly kind: 'command';
  readonly command: string;
  /** Several in a group stand or fall together: the group goes where a placeholder in it has no value. */
  readonly args: readonly (string | readonly string[])[];
  readonly stdin?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface HttpAdapter extends AdapterTool {
  readonly kind: 'http';
  /** Placeholders stand in the path and the query, never in what says which host is meant. */
  readonly url: string;
  /** Absent: POST where there is a body, GET where there is none. */
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as it is; anything else as JSON. */
  readonly body?: unknown;
}

export type Adapter = CommandAdapter | HttpAdapter;

export interface AdaptersOptions {
  readonly namespace: string;
  /** By the name of the tool. */
  readonly adapters: Readonly<Record<string, Adapter>>;
  /** Milliseconds that a call may take where the adapter does not say. */
  readonly timeout?: number;
  readonly diagnostics: Diagnostics;
}

export const DEFAULT_TIMEOUT = 120_000;
export const DEFAULT_MAX_OUTPUT = 8 * 1024 ** 2;
