/**
 * Calls that outlive their request. One state machine for both eras: a task works, may wait for
 * answers, and ends once; what ended stays for a while to be read.
 */
import { randomBytes } from 'node:crypto';
import type { Tool } from '../backends/backend.js';
import type { Diagnostics } from '../protocol/diagnostics.js';
import { RpcError, invalidParams, toRpcError } from '../protocol/errors.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { Continuation, Outcome } from '../questions/continuation.js';
import { isFinished, type StoredError, type TaskRecord, type TaskStatus } from '../store/record.js';
import type { TaskStore } from '../store/store.js';
import { worded } from '../questions/desk.js';

export interface TaskSettings {
  /** How long a finished task is kept, in milliseconds. */
  readonly tasksTtl: number;
  /** Tasks that may be kept at once. */
  readonly maxTasks: number;
}

/** What a task that runs holds beside its record. */
export interface Running {
  readonly continuation: Continuation;
  /** As listed: list and result have to agree on wrapping. */
  readonly tool: Tool | undefined;
  /** Stops what runs. */
  abandon(reason: string): void;
}

interface Live extends Running {
  readonly owner: string;
  readonly waiting: Set<() => void>;
  /** Streams on which the client can be asked. */
  readonly streams: Set<(text: string) => void>;
  /** For the next of them: there was nowhere to say it. */
  unsaid: readonly string[];
  /** Questions that are open elsewhere than in the continuation. */
  asking: number;
}

/** The sixteen bytes of a UUID, all of them random: ids are what protects a task that nobody owns. */
const ID_BYTES = 16;
/** Bound on a requested time to live, in milliseconds. */
const LONGEST_TTL = 24 * 60 * 60_000;
const SWEEP = 30_000;

export class Tasks {
  readonly #live = new Map<string, Live>();
  /** Of tasks that were started by this process. */
  readonly #tools = new Map<string, Tool>();
  readonly #listeners = new Set<(record: TaskRecord) => void>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    private readonly store: TaskStore,
    private readonly settings: TaskSettings,
    private readonly diagnostics: Diagnostics,
  ) {
    this.#sweeper = setInterval(() => {
      try {
        this.sweep();
      } catch (error) {
        diagnostics.note('tasks-not-swept', { err: error });
      }
    }, SWEEP);
    this.#sweeper.unref();
    for (const record of store.all()) {
      if (!isFinished(record)) this.#end(record, failure(RESTARTED));
    }
  }

  get hasRoom(): boolean {
    return this.store.size < this.settings.maxTasks;
  }

  /** From here on the continuation is the task's. `ttl`: what the client asked for, in milliseconds. */
  create(owner: string, tool: string, running: Running, ttl?: number): TaskRecord {
    const now = Date.now();
    const record: TaskRecord = {
      id: randomBytes(ID_BYTES).toString('hex'),
      owner,
      tool,
      status: 'working',
      statusMessage: 'The call is in progress',
      created: now,
      updated: now,
      ttl: Math.min(ttl ?? this.settings.tasksTtl, LONGEST_TTL),
    };
    this.store.put(record);
    this.#live.set(record.id, {
      ...running,
      owner,
      waiting: new Set(),
      streams: new Set(),
      unsaid: [],
      asking: 0,
    });
    if (running.tool !== undefined) this.#tools.set(record.id, running.tool);
    running.continuation.heldBy({
      ended: (outcome) => this.#ended(record.id, outcome),
      asked: () => this.#move(record.id, 'input_required'),
      settled: () => this.#move(record.id, 'working'),
    });
    return record;
  }

  /** Throws `RpcError` `invalidParams` where there is no such task for the owner. */
  get(id: string, owner: string): TaskRecord {
    const record = this.store.get(id);
    if (record?.owner !== owner || this.#isOver(record)) {
      throw invalidParams(`Unknown task: ${id}`, { taskId: id });
    }
    return record;
  }

  knows(id: string, owner: string): boolean {
    const record = this.store.get(id);
    return record?.owner === owner && !this.#isOver(record);
  }

  /** What the task waits for, by key; empty where it waits for nothing. */
  questions(id: string): Record<string, object> {
    const open = [...(this.#live.get(id)?.continuation.open ?? [])];
    return Object.fromEntries(open.map(([key, { question }]) => [key, worded(question)]));
  }

  list(owner: string): TaskRecord[] {
    return this.store.of(owner).filter((record) => !this.#isOver(record));
  }

  /** Whoever owns them. */
  all(): TaskRecord[] {
    return [...this.store.all()].filter((record) => !this.#isOver(record));
  }

  /** Takes the answers that are waited for. Throws `RpcError` for an unknown task, and for no answers. */
  update(id: string, owner: string, answers: Readonly<Record<string, unknown>>): void {
    this.get(id, owner);
    const continuation = this.#live.get(id)?.continuation;
    if (continuation === undefined) return;
    const awaited = Object.entries(answers).filter(([key]) => continuation.open.has(key));
    continuation.answer(Object.fromEntries(awaited));
    if (awaited.length > 0 && continuation.open.size > 0) this.#tell(this.get(id, owner));
  }

  /** The task is cancelled when this returns, unless it had ended: then it stays what it was. */
  cancel(id: string, owner: string): TaskRecord {
    const record = this.get(id, owner);
    if (isFinished(record)) return record;
    const live = this.#live.get(id);
    this.#finish(id, { status: 'cancelled', statusMessage: CANCELLED });
    live?.abandon(CANCELLED);
    return this.get(id, owner);
  }

  /** Nobody can ask for the owner's tasks any more: those that run are cancelled. */
  disown(owner: string): void {
    for (const [id, live] of [...this.#live]) {
      if (live.owner === owner) this.cancel(id, owner);
    }
  }

  /** Resolves when the task has ended; rejects when the signal aborts. */
  async finished(id: string, owner: string, signal: AbortSignal): Promise<TaskRecord> {
    const record = this.get(id, owner);
    signal.throwIfAborted();
    const live = this.#live.get(id);
    if (isFinished(record) || live === undefined) return record;
    await new Promise<void>((resolve, reject) => {
      live.waiting.add(resolve);
      signal.addEventListener(
        'abort',
        () => {
          live.waiting.delete(resolve);
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
    return this.get(id, owner);
  }

  /** Offers a stream for messages of the task, until the function it gives is called. */
  listen(id: string, send: (text: string) => void): () => void {
    const live = this.#live.get(id);
    if (live === undefined) return () => undefined;
    live.streams.add(send);
    const { unsaid } = live;
    live.unsaid = [];
    for (const text of unsaid) send(text);
    return () => void live.streams.delete(send);
  }

  hasStream(id: string): boolean {
    return (this.#live.get(id)?.streams.size ?? 0) > 0;
  }

  /** On the stream that was offered first, or on the next that is. */
  say(id: string, text: string): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    const [stream] = live.streams;
    if (stream === undefined) live.unsaid = [...live.unsaid, text];
    else stream(text);
  }

  /** Nobody is to hear it any more, unless somebody has. */
  unsay(id: string, said: readonly string[]): void {
    const live = this.#live.get(id);
    if (live !== undefined) live.unsaid = live.unsaid.filter((text) => !said.includes(text));
  }

  toolOf(id: string): Tool | undefined {
    return this.#tools.get(id);
  }

  /** While the questions of a task are asked elsewhere, it is seen to wait for input. */
  asking(id: string, asks: boolean): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.asking += asks ? 1 : -1;
    this.#move(id, live.asking > 0 ? 'input_required' : 'working');
  }

  /** Gives the function that ends it. */
  onChange(listener: (record: TaskRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets what is over, and gives up what has ended without a trace: its end could not be written. */
  sweep(): void {
    for (const record of this.store.all()) {
      if (!isFinished(record) && !this.#live.has(record.id)) {
        this.#end(record, failure('How the task ended could not be kept'));
      } else if (this.#isOver(record)) {
        this.store.delete(record.id);
        this.#tools.delete(record.id);
      }
    }
  }

  /** Tasks that still run fail. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const [id, live] of [...this.#live]) {
      this.#finish(id, failure(SHUT_DOWN));
      live.abandon(SHUT_DOWN);
    }
    this.store.close();
  }

  #isOver(record: TaskRecord): boolean {
    return isFinished(record) && record.created + record.ttl < Date.now();
  }

  #ended(id: string, outcome: Outcome): void {
    if ('error' in outcome) {
      const error = stored(toRpcError(outcome.error));
      this.#finish(id, { status: 'failed', statusMessage: error.message, error });
      return;
    }
    const { result } = outcome;
    const failed = isObject(result) && result['isError'] === true;
    const statusMessage = failed ? 'The tool reported an error' : 'The call has ended';
    this.#finish(id, { status: 'completed', statusMessage, result });
  }

  /** Whatever the store makes of it: those who wait are told, and nothing is thrown. */
  #finish(id: string, change: Partial<TaskRecord>): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    for (const attempt of [change, failure('The result of the call could not be kept')]) {
      try {
        const record = this.store.get(id);
        if (record !== undefined) this.#end(record, attempt);
        return;
      } catch (error) {
        this.diagnostics.note('task-not-kept', { taskId: id, err: error });
      }
    }
    this.#live.delete(id);
    for (const resolve of live.waiting) resolve();
  }

  /** What is shown of a task that still runs; a store that fails does not stop it. */
  #move(id: string, status: TaskStatus): void {
    if (!this.#live.has(id)) return;
    try {
      const record = this.store.get(id);
      if (record === undefined || record.status === status) return;
      const statusMessage =
        status === 'working' ? 'The call is in progress' : 'The call waits for an answer';
      this.#tell(this.#write(record, { status, statusMessage }));
    } catch (error) {
      this.diagnostics.note('task-not-kept', { taskId: id, err: error });
    }
  }

  #end(record: TaskRecord, change: Partial<TaskRecord>): TaskRecord {
    // From now on it is kept for as long as a finished task is, however long it took.
    const ttl = Math.max(record.ttl, Date.now() - record.created + this.settings.tasksTtl);
    const ended = this.#write(record, { ...change, ttl });
    const live = this.#live.get(record.id);
    this.#live.delete(record.id);
    for (const resolve of live?.waiting ?? []) resolve();
    this.#tell(ended);
    return ended;
  }

  #write(record: TaskRecord, change: Partial<TaskRecord>): TaskRecord {
    const changed: TaskRecord = { ...record, ...change, updated: Date.now() };
    this.store.put(changed);
    return changed;
  }

  #tell(record: TaskRecord): void {
    for (const listener of this.#listeners) listener(record);
  }
}

const CANCELLED = 'The task was cancelled';
const RESTARTED = 'The server was restarted while the task ran';
const SHUT_DOWN = 'The server was shut down while the task ran';

function failure(message: string): Partial<TaskRecord> {
  return { status: 'failed', statusMessage: message, error: { kind: 'internal', message } };
}

function stored({ kind, message, data, relayedCode }: RpcError): StoredError {
  return {
    kind,
    message,
    ...(data !== undefined && { data }),
    ...(relayedCode !== undefined && { relayedCode }),
  };
}

/** The error a failed task ended with. */
export function errorOf({ error }: TaskRecord): RpcError {
  if (error === undefined) return new RpcError('internal', 'The task failed');
  return new RpcError(error.kind, error.message, error.data, error.relayedCode);
}
