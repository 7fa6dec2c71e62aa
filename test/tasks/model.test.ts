/**
 * The state machine of tasks against a model: several clients start, ask, answer, cancel, read and wait
 * in any order; handlers end whenever they like, tasks grow old, and connections close.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Question } from '../../src/backends/context.js';
import { Diagnostics } from '../../src/protocol/diagnostics.js';
import { Continuation } from '../../src/questions/continuation.js';
import { MemoryStore } from '../../src/store/memory.js';
import type { TaskRecord, TaskStatus } from '../../src/store/record.js';
import { SqliteStore } from '../../src/store/sqlite.js';
import type { TaskStore } from '../../src/store/store.js';
import { Tasks } from '../../src/tasks/tasks.js';

const TTL = 1000;
const OWNERS = ['ann', 'bob', ''];
const KEYS = ['a', 'b', 'c'];
const QUESTION: Question = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

/** What a task ought to be. */
interface ModelTask {
  readonly id: string;
  readonly owner: string;
  readonly created: number;
  ttl: number;
  status: TaskStatus;
  /** Open questions. */
  readonly open: Set<string>;
  /** Keys that were asked for: they are not asked for again. */
  readonly used: Set<string>;
  /** Why what ran for it was stopped. */
  abandoned: boolean;
  gone: boolean;
}

interface Model {
  readonly tasks: ModelTask[];
}

interface Real {
  readonly tasks: Tasks;
  readonly continuations: Continuation[];
  readonly abandoned: boolean[];
  /** Answers that handlers got, by task and key: an action, or why there is none. */
  readonly answers: Map<string, string>;
  /** Records that those who wait for the end got, by task. */
  readonly waited: Map<number, TaskRecord[]>;
  readonly waiters: Map<number, number>;
  readonly told: TaskRecord[];
}

type Command = fc.AsyncCommand<Model, Real>;

const ENDED: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled']);
const isEnded = ({ status }: ModelTask): boolean => ENDED.has(status);
const isOver = (task: ModelTask): boolean =>
  task.gone || (isEnded(task) && task.created + task.ttl < Date.now());

/** Lets everything happen that is due at once. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

function end(task: ModelTask, status: TaskStatus): void {
  task.status = status;
  task.open.clear();
  task.ttl = Math.max(task.ttl, Date.now() - task.created + TTL);
}

/** On a task that exists. */
abstract class OnTask implements Command {
  constructor(readonly pick: number) {}

  check({ tasks }: Model): boolean {
    return tasks.length > 0 && this.applies(this.task({ tasks }));
  }

  protected at({ tasks }: Model): number {
    return this.pick % tasks.length;
  }

  protected task(model: Model): ModelTask {
    const task = model.tasks[this.at(model)];
    if (task === undefined) throw new Error('there is no task yet');
    return task;
  }

  protected applies(task: ModelTask): boolean {
    return !isEnded(task);
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.act(this.task(model), real, this.at(model));
    await settle();
    verify(model, real);
  }

  protected abstract act(task: ModelTask, real: Real, at: number): void | Promise<void>;
  abstract toString(): string;
}

class Create implements Command {
  constructor(
    readonly owner: string,
    readonly ttl: number | undefined,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const at = model.tasks.length;
    const continuation = new Continuation();
    const abandon = (): void => {
      real.abandoned[at] = true;
      continuation.giveUp(new Error('abandoned'));
    };
    const running = { continuation, tool: undefined, abandon };
    const { id } = real.tasks.create(this.owner, 'tool', running, this.ttl);
    real.continuations.push(continuation);
    real.abandoned.push(false);
    model.tasks.push({
      ...{ id, owner: this.owner, created: Date.now(), ttl: this.ttl ?? TTL, status: 'working' },
      ...{ open: new Set<string>(), used: new Set<string>(), abandoned: false, gone: false },
    });
    await settle();
    verify(model, real);
  }

  toString = (): string => `create(${this.owner}, ${this.ttl ?? 'default'})`;
}

class Ask extends OnTask {
  constructor(
    pick: number,
    readonly key: string,
  ) {
    super(pick);
  }

  protected override applies(task: ModelTask): boolean {
    return !isEnded(task) && !task.used.has(this.key);
  }

  protected act(task: ModelTask, { continuations, answers }: Real, at: number): void {
    task.used.add(this.key);
    task.open.add(this.key);
    task.status = 'input_required';
    continuations[at]?.ask(QUESTION, { key: this.key }).then(
      (answer) => answers.set(`${at} ${this.key}`, (answer as { action: string }).action),
      (error: unknown) => answers.set(`${at} ${this.key}`, (error as Error).message),
    );
  }

  toString = (): string => `ask(${this.pick}, ${this.key})`;
}

class Withdraw extends OnTask {
  constructor(
    pick: number,
    readonly key: string,
  ) {
    super(pick);
  }

  protected override applies(task: ModelTask): boolean {
    return task.open.has(this.key);
  }

  protected act(task: ModelTask, { continuations }: Real, at: number): void {
    continuations[at]?.decline(this.key, new Error('withdrawn'));
    task.open.delete(this.key);
    if (task.open.size === 0) task.status = 'working';
  }

  toString = (): string => `withdraw(${this.pick}, ${this.key})`;
}

class Update extends OnTask {
  constructor(
    pick: number,
    readonly owner: string,
    readonly keys: readonly string[],
    readonly valid: boolean,
  ) {
    super(pick);
  }

  protected override applies(): boolean {
    return true;
  }

  protected act(task: ModelTask, { tasks, answers }: Real, at: number): void {
    const action = this.valid ? 'decline' : 'perhaps';
    const given = Object.fromEntries(this.keys.map((key) => [key, { action }]));
    const update = (): void => tasks.update(task.id, this.owner, given);
    if (isOver(task) || task.owner !== this.owner) {
      expect(update).toThrow('Unknown task');
      return;
    }
    const awaited = this.keys.filter((key) => task.open.has(key));
    if (!this.valid && awaited.length > 0) {
      expect(update).toThrow('/params/inputResponses/');
      return;
    }
    update();
    for (const key of awaited) {
      task.open.delete(key);
      expect(answers.has(`${at} ${key}`)).toBe(false);
    }
    if (awaited.length > 0 && task.open.size === 0) task.status = 'working';
  }

  toString = (): string =>
    `update(${this.pick}, ${this.owner}, ${this.keys.join()}, ${String(this.valid)})`;
}

class Cancel extends OnTask {
  constructor(
    pick: number,
    readonly owner: string,
  ) {
    super(pick);
  }

  protected override applies(): boolean {
    return true;
  }

  protected act(task: ModelTask, { tasks }: Real): void {
    const cancel = (): TaskRecord => tasks.cancel(task.id, this.owner);
    if (isOver(task) || task.owner !== this.owner) {
      expect(cancel).toThrow('Unknown task');
      return;
    }
    const { status } = cancel();
    if (!isEnded(task)) {
      task.abandoned = true;
      end(task, 'cancelled');
    }
    expect(status).toBe(task.status);
  }

  toString = (): string => `cancel(${this.pick}, ${this.owner})`;
}

class End extends OnTask {
  constructor(
    pick: number,
    readonly how: 'result' | 'isError' | 'error',
  ) {
    super(pick);
  }

  /** Also that of a task that has ended: its handler goes on for as long as it likes. */
  protected override applies(): boolean {
    return true;
  }

  protected act(task: ModelTask, { continuations }: Real, at: number): void {
    if (continuations[at]?.outcome !== undefined) return;
    const outcome =
      this.how === 'error'
        ? { error: new Error('broken') }
        : { result: { content: [], ...(this.how === 'isError' && { isError: true }) } };
    continuations[at]?.ended(outcome);
    if (!isEnded(task)) end(task, this.how === 'error' ? 'failed' : 'completed');
  }

  toString = (): string => `end(${this.pick}, ${this.how})`;
}

class Wait extends OnTask {
  constructor(
    pick: number,
    readonly leaves: boolean,
  ) {
    super(pick);
  }

  protected override applies(task: ModelTask): boolean {
    return !isOver(task);
  }

  protected act(task: ModelTask, { tasks, waited, waiters }: Real, at: number): void {
    const client = new AbortController();
    const ended = waited.get(at) ?? [];
    waited.set(at, ended);
    if (!this.leaves) waiters.set(at, (waiters.get(at) ?? 0) + 1);
    tasks.finished(task.id, task.owner, client.signal).then(
      (record) => !this.leaves && ended.push(record),
      () => undefined,
    );
    if (this.leaves) client.abort(new Error('left'));
  }

  toString = (): string => `wait(${this.pick}, ${this.leaves ? 'leaves' : 'stays'})`;
}

class Disown implements Command {
  constructor(readonly owner: string) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    real.tasks.disown(this.owner);
    for (const task of model.tasks) {
      if (task.owner !== this.owner || isEnded(task)) continue;
      task.abandoned = true;
      end(task, 'cancelled');
    }
    await settle();
    verify(model, real);
  }

  toString = (): string => `disown(${this.owner})`;
}

class Pass implements Command {
  constructor(readonly ms: number) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    vi.setSystemTime(Date.now() + this.ms);
    await settle();
    verify(model, real);
  }

  toString = (): string => `pass(${this.ms})`;
}

class Sweep implements Command {
  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    real.tasks.sweep();
    for (const task of model.tasks) task.gone = isOver(task);
    await settle();
    verify(model, real);
    expect(real.tasks.all()).toHaveLength(model.tasks.filter(({ gone }) => !gone).length);
  }

  toString = (): string => 'sweep()';
}

function verify({ tasks: expected }: Model, real: Real): void {
  for (const [at, task] of expected.entries()) {
    for (const owner of OWNERS) {
      const mine = owner === task.owner && !isOver(task);
      expect(real.tasks.knows(task.id, owner)).toBe(mine);
      if (!mine) expect(() => real.tasks.get(task.id, owner)).toThrow('Unknown task');
    }
    expect(real.abandoned[at]).toBe(task.abandoned);
    if (isOver(task)) continue;
    const record = real.tasks.get(task.id, task.owner);
    expect(record.status).toBe(task.status);
    expect(record.ttl).toBe(task.ttl);
    expect('result' in record).toBe(task.status === 'completed');
    expect('error' in record).toBe(task.status === 'failed');
    expect(new Set(Object.keys(real.tasks.questions(task.id)))).toEqual(task.open);
    if (!isEnded(task)) continue;
    const waited = real.waited.get(at) ?? [];
    expect(waited).toHaveLength(real.waiters.get(at) ?? 0);
    for (const { status } of waited) expect(status).toBe(task.status);
  }
  for (const owner of OWNERS) {
    const own = expected.filter((task) => task.owner === owner && !isOver(task));
    expect(real.tasks.list(owner).map(({ id }) => id)).toEqual(own.map(({ id }) => id));
  }
  // Whoever is told of a task is told of an end once, and of nothing after it.
  for (const { id } of expected) {
    const statuses = real.told.filter((record) => record.id === id).map(({ status }) => status);
    expect(statuses.slice(0, -1).filter((status) => ENDED.has(status))).toEqual([]);
  }
}

const pick = fc.nat(30);
const owner = fc.constantFrom(...OWNERS);
const key = fc.constantFrom(...KEYS);
const COMMANDS = fc.commands(
  [
    fc.tuple(owner, fc.option(fc.nat(3000), { nil: undefined })).map((a) => new Create(...a)),
    fc.tuple(pick, key).map((a) => new Ask(...a)),
    fc.tuple(pick, key).map((a) => new Withdraw(...a)),
    fc.tuple(pick, owner, fc.uniqueArray(key), fc.boolean()).map((a) => new Update(...a)),
    fc.tuple(pick, owner).map((a) => new Cancel(...a)),
    fc.tuple(pick, fc.constantFrom('result', 'isError', 'error')).map((a) => new End(...a)),
    fc.tuple(pick, fc.boolean()).map((a) => new Wait(...a)),
    owner.map((one) => new Disown(one)),
    fc.nat(1500).map((ms) => new Pass(ms)),
    fc.constant(new Sweep()),
  ],
  { maxCommands: 60, size: 'max' },
);

const folder = mkdtempSync(join(tmpdir(), 'mcpx-model-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each<[string, number, () => TaskStore]>([
  ['memory', 150, () => new MemoryStore()],
  ['SQLite', 15, () => new SqliteStore(join(folder, `${++files}.db`))],
])('tasks in %s', (_name, numRuns, open) => {
  test('are what the model says, whatever happens in whichever order', async () => {
    await fc.assert(
      fc.asyncProperty(COMMANDS, async (commands) => {
        const tasks = new Tasks(open(), { tasksTtl: TTL, maxTasks: 1000 }, new Diagnostics());
        const told: TaskRecord[] = [];
        tasks.onChange((record) => told.push(record));
        await fc.asyncModelRun(
          () => ({
            model: { tasks: [] },
            real: {
              ...{ tasks, continuations: [], abandoned: [], told },
              ...{ answers: new Map(), waited: new Map(), waiters: new Map() },
            },
          }),
          commands,
        );
        tasks.close();
      }),
      { numRuns },
    );
  });
});
