/** What method handlers work with: everything that is there before a request comes. */
import type { Implementation, ServerCapabilities } from '../../generated/newest/types.js';
import type { ResultContext } from '../edge/contract.js';
import type { Diagnostics } from '../protocol/diagnostics.js';
import type { QuestionDesk } from '../questions/desk.js';
import type { Artifacts } from '../backends/artifacts/artifacts.js';
import type { Hub } from '../subscriptions/hub.js';
import type { Tasks } from '../tasks/tasks.js';
import type { Call } from './call.js';
import type { Catalog } from './catalog/catalog.js';
import type { PreparedResult } from './reply.js';
import type { CoreSettings } from './settings.js';

export interface Serving {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly settings: CoreSettings;
  readonly diagnostics: Diagnostics;
  readonly catalog: Catalog;
  readonly hub: Hub;
  readonly desk: QuestionDesk;
  readonly tasks: Tasks;
  /** Keeps what is too large for a result. Absent: everything goes inline. */
  readonly artifacts: Artifacts | undefined;
  /** Cache hints and identity for a result of the method. */
  contextOf(method: string): ResultContext;
}

/** A result of the newest shape, or one that was prepared for the peer's revision. */
export type Outcome = object | PreparedResult;

export interface MethodHandler {
  /** What mcpx has to offer for the method to exist at all (2026-07-28, schema MethodNotFoundError). */
  readonly needs?: keyof ServerCapabilities;
  /** Open until somebody ends it, so it does not count among the requests in flight. */
  readonly lasting?: true;
  /** Whether legacy clients have it although no legacy revision does. */
  readonly harmlessToLegacy?: true;
  /** `call.params` are valid for the peer's revision. Throws `RpcError`. */
  handle(serving: Serving, call: Call): Outcome | Promise<Outcome>;
}

export type MethodFamily = Readonly<Record<string, MethodHandler>>;

/** For a request whose call waited for it and goes on: whoever holds the call will answer. */
export function elsewhere(): Promise<never> {
  return new Promise(() => undefined);
}
