/** A task as it is kept: plain data, of no revision. */
import type { RpcErrorKind } from '../protocol/errors.js';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface StoredError {
  readonly kind: RpcErrorKind;
  readonly message: string;
  readonly data?: unknown;
  readonly relayedCode?: number;
}

export interface TaskRecord {
  readonly id: string;
  /** Whose it is; to anybody else it does not exist. Empty: whoever knows the id. */
  readonly owner: string;
  readonly tool: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
  /** Milliseconds from creation for which it is kept; longer while it is not finished. */
  readonly ttl: number;
  /** Of a completed task: the result in the newest shape. */
  readonly result?: object;
  readonly error?: StoredError;
}

export function isFinished({ status }: Pick<TaskRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
