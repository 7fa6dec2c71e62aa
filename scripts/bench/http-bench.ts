/** `tools/call` and `tools/list` over HTTP, in either era, for one client and for many. */
import type { Era } from '../../generated/revisions.js';
import { HttpLoad, type Served } from './http-load.js';
import { table, type Aim } from './report.js';
import type { Asked } from './requests.js';
import { median, ratios, spread, takeTurns, type RoundSettings, type Samples } from './rounds.js';
import { ServerProcess, type Launch } from './server-process.js';

export interface Entrant {
  readonly name: string;
  readonly launch: Launch;
  readonly path?: Served['path'];
  readonly knowsSessions?: boolean;
}

const MANY = 1000;
const LISTED = 100;

export const fastify = (tools: number): Entrant => ({
  name: 'Fastify',
  launch: { script: 'fastify', args: [String(tools)] },
  knowsSessions: false,
});
const mcpx = (tools: number): Entrant => ({
  name: tools === MANY ? `mcpx, ${MANY} tools` : 'mcpx',
  launch: { script: 'mcpx', args: ['http', String(tools)] },
});
const sdk = (tools: number): Entrant => ({
  name: 'SDK',
  launch: { script: 'sdk', args: ['http', String(tools)] },
  path: (era) => (era === 'modern' ? '/mcp' : '/session'),
});

const ERAS: readonly Era[] = ['legacy', 'modern'];
const CLIENTS = [1, 32];

export interface Outcome {
  readonly text: string;
  readonly aims: readonly Aim[];
}

export async function benchCalls(settings: RoundSettings): Promise<Outcome> {
  const entrants = [fastify(1), mcpx(1), mcpx(MANY), sdk(1)];
  const runs = await runAll('tools/call', 1, entrants, settings);
  const aims = runs.flatMap(({ title, samples }) => [
    { what: `${title}: of Fastify`, figure: of(samples, 'mcpx', 'Fastify'), atLeast: 0.7 },
    { what: `${title}: of the SDK`, figure: of(samples, 'mcpx', 'SDK'), atLeast: 6 },
    {
      what: `${title}: ${MANY} tools, processor time`,
      figure: median(ratios(samples, `mcpx, ${MANY} tools`, 'mcpx', 'cpu')),
      atMost: 1.05,
    },
  ]);
  return { text: textOf(runs), aims };
}

export async function benchLists(settings: RoundSettings): Promise<Outcome> {
  const entrants = [fastify(LISTED), mcpx(LISTED), sdk(LISTED)];
  const runs = await runAll('tools/list', LISTED, entrants, settings);
  const aims = runs.flatMap(({ title, samples }) => [
    { what: `${title}: of Fastify`, figure: of(samples, 'mcpx', 'Fastify'), atLeast: 0.9 },
    { what: `${title}: of the SDK`, figure: of(samples, 'mcpx', 'SDK'), atLeast: 6 },
  ]);
  return { text: textOf(runs), aims };
}

interface Run {
  readonly title: string;
  readonly samples: Samples;
}

async function runAll(
  method: Asked['method'],
  tools: number,
  entrants: readonly Entrant[],
  settings: RoundSettings,
): Promise<Run[]> {
  const served = await Promise.all(entrants.map(start));
  const runs: Run[] = [];
  try {
    for (const era of ERAS) {
      for (const clients of CLIENTS) {
        const asked: Asked = { method, era, tools };
        const loads = await Promise.all(served.map((each) => HttpLoad.open(each, asked, clients)));
        const samples = await takeTurns(loads, settings);
        for (const load of loads) load.close();
        runs.push({ title: `${method}, ${era}, ${clients} ${plural(clients)}`, samples });
      }
    }
  } finally {
    await Promise.all(served.map(({ process }) => process.stop()));
  }
  return runs;
}

export async function start({
  name,
  launch,
  path,
  knowsSessions = true,
}: Entrant): Promise<Served> {
  const process = await ServerProcess.start(launch);
  return { name, process, path: path ?? (() => '/mcp'), knowsSessions };
}

export function plural(clients: number): string {
  return clients === 1 ? 'connection' : 'connections';
}

function of(samples: Samples, name: string, base: string): number {
  return median(ratios(samples, name, base));
}

function textOf(runs: readonly Run[]): string {
  const rows = runs.flatMap(({ title, samples }) =>
    [...samples].map(([name, taken], at) => {
      const toFastify = ratios(samples, name, 'Fastify');
      return [
        at === 0 ? title : '',
        name,
        median(taken.map(({ perSecond }) => perSecond)).toFixed(0),
        median(toFastify).toFixed(2),
        `${(100 * spread(toFastify)).toFixed(0)} %`,
        of(samples, name, 'SDK').toFixed(1),
        median(taken.map(({ cpu }) => cpu)).toFixed(0),
        median(ratios(samples, name, 'Fastify', 'cpu')).toFixed(2),
      ];
    }),
  );
  const head = ['', 'server', 'req/s', '× Fastify', 'spread', '× SDK', 'CPU µs', 'CPU × Fastify'];
  return table(head, rows);
}
