import { DEFAULT_NAME_LENGTH } from './catalog/names.js';

/** What the core can be told. `src/config` maps the settings of the configuration file onto it. */
export interface CoreSettings {
  /** `protoMessages.listMaxAge`, in milliseconds. */
  readonly listMaxAge: number;
  /** `protoMessages.readMaxAge`, in milliseconds. */
  readonly readMaxAge: number;
  /** `mcp.pageSize`: entries of a list page. */
  readonly pageSize: number;
  /** `mcp.nameLength`: characters in a namespaced name. */
  readonly nameLength: number;
  /** How long the calls of a backend that was taken away may go on, in milliseconds. */
  readonly drainGrace: number;
  /** Requests that may be in flight at once over all peers; further ones are refused. */
  readonly maxInFlight: number;
  /** `subscriptions/listen` streams that may be open at once over all peers. */
  readonly maxStreams: number;
  /** Nesting of arrays and objects in a frame. */
  readonly maxDepth: number;
  /** URIs in one listen filter, and subscriptions of one legacy connection. */
  readonly maxSubscriptions: number;
  /** For how long changes of a list are gathered before one notification, in milliseconds. */
  readonly listChangedDelay: number;
  /** `proto.askTimeout`: how long a client may take to answer a question, in milliseconds. */
  readonly askTimeout: number;
  /** `proto.askRounds`: how often one call may ask. */
  readonly askRounds: number;
  /** `proto.stateTTL`: how long a `requestState` can be used, in milliseconds. */
  readonly stateTTL: number;
  /** `proto.stateKeys`: keys of `requestState`, the newest first; without any, one of this process. */
  readonly stateKeys: readonly string[];
  /** Calls that may wait for an answer that comes with another request. */
  readonly maxParked: number;
  /** `timing.taskEager`: how long a call of a tool that supports tasks may go on before it is one, in ms. */
  readonly taskEager: number;
  /** `protoMessages.taskAfter`: the same for tools that say nothing of tasks, in milliseconds. */
  readonly taskAfter: number;
  /** `protoTasks.pollInterval`: how often clients are told to ask for a task, in milliseconds. */
  readonly pollInterval: number;
  /** `tasks.ttl`: how long a finished task is kept, in milliseconds. */
  readonly tasksTtl: number;
  /** Tasks that may be kept at once; beyond, calls stay what they are. */
  readonly maxTasks: number;
}

/** What is looked up whenever it is needed. */
export type AdjustableSettings = Pick<
  CoreSettings,
  'askTimeout' | 'askRounds' | 'taskEager' | 'taskAfter' | 'pollInterval' | 'tasksTtl'
>;

export const DEFAULT_CORE_SETTINGS: CoreSettings = {
  listMaxAge: 60_000,
  readMaxAge: 0,
  pageSize: 100,
  nameLength: DEFAULT_NAME_LENGTH,
  drainGrace: 60 * 60_000,
  maxInFlight: 2048,
  maxStreams: 20_000,
  maxDepth: 256,
  maxSubscriptions: 1000,
  listChangedDelay: 50,
  askTimeout: 600_000,
  askRounds: 8,
  stateTTL: 1_800_000,
  stateKeys: [],
  maxParked: 1000,
  taskEager: 250,
  taskAfter: 2000,
  pollInterval: 1000,
  tasksTtl: 600_000,
  maxTasks: 10_000,
};
