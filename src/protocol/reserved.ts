/** Names that the protocol keeps for itself: keys of `_meta`, and extensions (basic, _meta). */
import { EXTENSIONS } from '../../generated/revisions.js';

/** No author may use it. */
export const RESERVED_PREFIX = 'io.modelcontextprotocol/';

/** 2025-11-25, basic/utilities/tasks. */
export const RELATED_TASK_KEY = `${RESERVED_PREFIX}related-task`;
/** 2026-07-28, basic/utilities/subscriptions. */
export const SUBSCRIPTION_ID_KEY = `${RESERVED_PREFIX}subscriptionId`;

/** The name under which peers declare the tasks extension. */
export const TASKS_EXTENSION = EXTENSIONS['tasks']?.id ?? '';
