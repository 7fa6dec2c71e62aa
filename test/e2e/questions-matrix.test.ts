/**
 * Who is asked, and what becomes of it: clients of every revision, upstreams of four, real processes
 * and sockets. Prints the outcomes as a table.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { McpxProcess, askingServer, configFile } from '../support/mcpx-process.js';
import { ALL_REVISIONS } from '../support/peers.js';
import { LegacyClient, askedClient, type ModernClient, type Reaction } from './asked-client.js';

const UPSTREAMS = ['2024-11-05', '2025-06-18', '2025-11-25', NEWEST] as const;
type Upstream = (typeof UPSTREAMS)[number];

interface Scenario {
  readonly tool: string;
  readonly reaction: Reaction;
  readonly tasks?: true;
}

const SCENARIOS = {
  'question at once': { tool: 'once', reaction: 'answers' },
  'question late': { tool: 'late', reaction: 'answers', tasks: true },
  'two questions': { tool: 'two', reaction: 'answers' },
  'url question': { tool: 'url', reaction: 'answers' },
  decline: { tool: 'once', reaction: 'declines' },
  timeout: { tool: 'once', reaction: 'waits' },
  'cancel while asking': { tool: 'late', reaction: 'waits', tasks: true },
  'client gone': { tool: 'once', reaction: 'waits' },
} as const satisfies Record<string, Scenario>;
type Name = keyof typeof SCENARIOS;
const NAMES = Object.keys(SCENARIOS) as Name[];

interface Cell {
  readonly client: Revision;
  readonly upstream: Upstream;
  readonly scenario: Name;
}

/** Whether a client can be asked what the upstream asks: one of 2024-11-05 asks for sampling. */
function canBeAsked({ client, upstream, scenario }: Cell): boolean {
  if (upstream === '2024-11-05') return true;
  return client >= (scenario === 'url question' ? '2025-11-25' : '2025-06-18');
}

/** Undefined where there is no such thing. Where nobody can be asked, nobody answers the broker here. */
function expected(cell: Cell): string | undefined {
  const { client, upstream, scenario } = cell;
  const can = canBeAsked(cell);
  const modern = client === NEWEST;
  const told = upstream === NEWEST ? '' : ', upstream told';
  const sampling = upstream === '2024-11-05';
  const name = sampling ? 'Ann' : 'accept Ann';
  switch (scenario) {
    case 'question at once':
      return can ? name : 'cancel';
    case 'question late': {
      const asTask = wantsTask(cell) && upstream >= '2025-11-25';
      return (asTask ? 'task: ' : '') + (can ? name : 'cancel');
    }
    case 'two questions':
      if (!can) return 'cancel, cancel';
      return sampling ? 'Ann, red' : 'accept Ann, accept red';
    case 'url question':
      if (upstream < '2025-11-25') return undefined;
      return can ? 'accept' : 'cancel';
    case 'decline':
      if (!can) return 'cancel';
      // A modern client has no words for it: it does not come back.
      if (sampling) return modern ? undefined : 'refused';
      return 'decline';
    case 'timeout':
      if (!can) return 'cancel';
      if (modern) return `run again: ${name}`;
      return upstream === NEWEST ? 'error -32603' : 'refused';
    case 'cancel while asking':
      // Without a task there is no request that a modern client could cancel.
      if (modern) return upstream >= '2025-11-25' ? 'task: cancelled, upstream told' : undefined;
      return (can ? 'question withdrawn' : 'no answer') + told;
    case 'client gone':
      if (modern) return upstream === NEWEST ? undefined : 'asked, upstream told';
      return `no answer${told}`;
  }
}

const CELLS: Cell[] = UPSTREAMS.flatMap((upstream) =>
  NAMES.flatMap((scenario) => ALL_REVISIONS.map((client) => ({ client, upstream, scenario }))),
).filter((cell) => expected(cell) !== undefined);

/** A client of 2025-11-25 may where the tool says so, and cancels the call itself in the other scenario. */
function wantsTask({ client, upstream, scenario }: Cell): boolean {
  const { tasks, reaction }: Scenario = SCENARIOS[scenario];
  if (tasks === undefined) return false;
  return client === NEWEST || (upstream === client && reaction === 'answers');
}

/** Questions end soon of themselves here; everywhere else they would outlive the test. */
function isHasty(cell: Cell): boolean {
  const { client, scenario } = cell;
  if (scenario === 'timeout') return true;
  if (scenario === 'client gone') return client === NEWEST;
  return !canBeAsked(cell) && scenario !== 'cancel while asking';
}

const outcomes = new Map<Cell, { outcome: string; questions: AskedQuestions }>();
type AskedQuestions = LegacyClient['questions'];

class Gateway {
  private constructor(
    private readonly mcpx: McpxProcess,
    private readonly url: string,
  ) {}

  static async start(path: string, ...flags: string[]): Promise<Gateway> {
    const mcpx = new McpxProcess([
      ...['serve', '--config', path, '--http', '127.0.0.1:0', '--timing-task-eager', '20ms'],
      ...flags,
    ]);
    return new Gateway(mcpx, await mcpx.printed(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/));
  }

  /** One after the other: what a stdio upstream asks during two calls at once could be anybody's. */
  async run(cells: readonly Cell[]): Promise<void> {
    for (const cell of cells) {
      const { reaction }: Scenario = SCENARIOS[cell.scenario];
      const tasks = wantsTask(cell);
      const client = askedClient(this.url, cell.client, reaction, tasks);
      try {
        const outcome = await this.#play(cell, client).catch(String);
        outcomes.set(cell, { outcome, questions: client.questions });
      } finally {
        await client.close();
      }
    }
  }

  async #play(cell: Cell, client: LegacyClient | ModernClient): Promise<string> {
    const { scenario, upstream } = cell;
    const tag = `${scenario}-${cell.client}`.replaceAll(' ', '-');
    const tool = `${upstream}_${SCENARIOS[scenario].tool}`;
    const call = client.call(tool, tag);
    if (scenario === 'cancel while asking' && client instanceof LegacyClient) {
      await this.#asked(cell, client, tag);
      await client.cancel();
      if (!canBeAsked(cell)) return (await call) + (await this.#told(cell, tag));
      await Promise.all([client.withdrawn, call]);
      return 'question withdrawn' + (await this.#told(cell, tag));
    }
    if (scenario === 'cancel while asking')
      return (await call) + (await this.#told(cell, tag, true));
    if (scenario === 'client gone') {
      await this.#asked(cell, client, tag);
      if (client instanceof LegacyClient) await client.leave();
      return (await call) + (await this.#told(cell, tag));
    }
    const outcome = await call;
    if (outcome !== 'asked' || client instanceof LegacyClient) return outcome;
    await this.#told(cell, tag);
    return `run again: ${await client.answerLate(tool, tag)}`;
  }

  async #asked(cell: Cell, client: LegacyClient | ModernClient, tag: string): Promise<void> {
    await (canBeAsked(cell) ? client.asked : this.#said(cell, 'asks', tag));
  }

  /** A modern upstream has nothing open while it waits, unless it is a task. */
  async #told(cell: Cell, tag: string, task = false): Promise<string> {
    if (cell.upstream === NEWEST && !task) return '';
    await this.#said(cell, 'cancelled', tag);
    return ', upstream told';
  }

  async #said({ upstream }: Cell, what: string, tag: string): Promise<void> {
    await this.mcpx.printed(new RegExp(`${what} ${tag} of ${upstream}`));
  }

  async stop(): Promise<void> {
    await this.mcpx.stop();
    expect(this.mcpx.stderr).not.toContain('"outgoing');
  }
}

let config: Awaited<ReturnType<typeof configFile>>;

beforeAll(async () => {
  config = await configFile({
    mcpServers: Object.fromEntries(UPSTREAMS.map((one) => [one, askingServer(one)])),
  });
  const [patient, hasty] = await Promise.all([
    Gateway.start(config.path),
    Gateway.start(config.path, '--proto-ask-timeout', '400ms', '--elicit-ttl', '300ms'),
  ]);
  await Promise.all(
    UPSTREAMS.flatMap((upstream) => {
      const own = CELLS.filter((cell) => cell.upstream === upstream);
      return [
        patient.run(own.filter((cell) => !isHasty(cell))),
        hasty.run(own.filter((cell) => isHasty(cell))),
      ];
    }),
  );
  await Promise.all([patient.stop(), hasty.stop()]);
});

afterAll(async () => {
  await config.remove();
  console.log(table());
});

function table(): string {
  const lines = UPSTREAMS.flatMap((upstream) => [
    [`upstream ${upstream}`, ...ALL_REVISIONS.map((client) => `client ${client}`)],
    ...NAMES.map((scenario) => [
      `  ${scenario}`,
      ...ALL_REVISIONS.map((client) => {
        const cell = CELLS.find(
          (one) => one.client === client && one.upstream === upstream && one.scenario === scenario,
        );
        return (cell && outcomes.get(cell)?.outcome) ?? '-';
      }),
    ]),
  ]);
  const widths = lines[0]?.map((_column, at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths?.[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

describe.each(CELLS)('$scenario: client $client, upstream $upstream', (cell) => {
  const seen = (): AskedQuestions => outcomes.get(cell)?.questions ?? [];

  test('B40: ends as it should', () => {
    expect(outcomes.get(cell)?.outcome).toBe(expected(cell));
  });

  test('asks nobody who has not declared that he can be asked', () => {
    expect(seen().length > 0).toBe(canBeAsked(cell));
  });
});

describe('a url question', () => {
  const idsFor = (revision: Revision): unknown[] =>
    CELLS.filter(({ client, scenario }) => client === revision && scenario === 'url question')
      .flatMap((cell) => outcomes.get(cell)?.questions ?? [])
      .map(({ params }) => params?.['elicitationId']);

  test('B11: has an id for clients of 2025-11-25, the one of its upstream where that gave one', () => {
    expect(idsFor('2025-11-25')).toEqual([
      'id-url-question-2025-11-25',
      expect.stringMatching(/^mcpx-/),
    ]);
  });

  test('B11: has none for modern clients', () => {
    expect(idsFor(NEWEST)).toEqual([undefined, undefined]);
  });
});
