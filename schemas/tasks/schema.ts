/*
 * What the extension io.modelcontextprotocol/tasks adds to revision 2026-07-28 on the wire: a
 * transcription of its names and shapes. Source of the facts: Model Context Protocol specification,
 * tasks extension, draft. The grouping and the comments are ours. `number` means an integer;
 * `@nullable` and `@format` are as in the core files. Nothing here is run: codegen reads it.
 */

import type {
  Error,
  InputRequests,
  InputResponses,
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  Result,
} from '../2026-07-28/schema.js';

// ── Negotiation ────────────────────────────────────────────────────────────────────────────────

/** The value under the extension's key in `capabilities.extensions`, of client and server alike. */
export type TasksExtensionCapability = Record<string, never>;

// ── Tasks, one shape for each status ───────────────────────────────────────────────────────────

/** A tool result with `isError` is `completed`; `failed` is for JSON-RPC errors alone. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /**
   * Milliseconds from creation, free to change; null keeps the task for good.
   *
   * @format int
   * @nullable
   */
  ttlMs: number | null;
  /**
   * Milliseconds, free to change.
   *
   * @format int
   */
  pollIntervalMs?: number;
}

export interface WorkingTask extends Task {
  status: 'working';
}

export interface InputRequiredTask extends Task {
  status: 'input_required';
  inputRequests: InputRequests;
}

export interface CompletedTask extends Task {
  status: 'completed';
  /** What the request would have been answered without a task. */
  result: { [key: string]: unknown };
}

export interface FailedTask extends Task {
  status: 'failed';
  error: Error;
}

export interface CancelledTask extends Task {
  status: 'cancelled';
}

export type DetailedTask =
  WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

// ── Creation: a result the server may give in place of the usual one ───────────────────────────

export type CreateTaskResult = Result & Task & { resultType: 'task' };

// ── Requests ───────────────────────────────────────────────────────────────────────────────────

export type GetTaskRequest = JSONRPCRequest & {
  method: 'tasks/get';
  params: {
    taskId: string;
  };
};

export type GetTaskResult = Result & DetailedTask & { resultType: 'complete' };

export type UpdateTaskRequest = JSONRPCRequest & {
  method: 'tasks/update';
  params: {
    taskId: string;
    /** Under keys of requests still open. */
    inputResponses: InputResponses;
  };
};

export type UpdateTaskResult = Result & { resultType: 'complete' };

export type CancelTaskRequest = JSONRPCRequest & {
  method: 'tasks/cancel';
  params: {
    taskId: string;
  };
};

/** Says that the wish arrived, not that the task has ended. */
export type CancelTaskResult = Result & { resultType: 'complete' };

// ── Notifications, and the fields that ask for them ────────────────────────────────────────────

export type TaskStatusNotificationParams = NotificationParams &
  DetailedTask & { [key: string]: unknown };

export type TaskStatusNotification = JSONRPCNotification & {
  method: 'notifications/tasks';
  params: TaskStatusNotificationParams;
};

/** Joins the `notifications` of `subscriptions/listen`. */
export interface TaskSubscriptionNotifications {
  taskIds?: string[];
}

/** Joins the `notifications` of the acknowledgement. */
export interface TaskSubscriptionAcknowledgedNotifications {
  taskIds?: string[];
}
