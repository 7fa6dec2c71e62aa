/**
 * Measures mcpx, as built into dist/, against what it could be at best and against the official SDK and
 * other gateways.
 *
 *   npm run bench -- [--quick] [--only calls|lists|stdio|gateway|idle|start-up]
 *
 * Everything runs on this machine in one go and in turns, so ratios mean something where figures do not.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchGateway } from './gateway-bench.js';
import { benchCalls, benchLists, type Outcome } from './http-bench.js';
import { IDLE_CONTESTANTS, measureIdle } from './idle-streams.js';
import { aimsTable, table, type Aim } from './report.js';
import type { Asked } from './requests.js';
import { median, type RoundSettings } from './rounds.js';
import type { Launch } from './server-process.js';
import { measureStartUp, type StartUp } from './start-up.js';
import { benchStdio } from './stdio-bench.js';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const turns: RoundSettings = options.quick ? { rounds: 3, ms: 200 } : { rounds: 5, ms: 300 };

const PARTS: Readonly<Record<string, () => Promise<Outcome>>> = {
  calls: () => benchCalls(turns),
  lists: () => benchLists(turns),
  stdio: () => benchStdio(turns),
  gateway: () => benchGateway(turns),
  idle: () => benchIdle(options.quick ? 200 : 1000),
  'start-up': () => benchStartUp(options.quick ? 3 : 5),
};

const { only } = options;
if (only !== undefined && PARTS[only] === undefined) {
  throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}; given was ${only}`);
}
const started = performance.now();
const aims: Aim[] = [];
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`);
for (const [name, run] of Object.entries(PARTS)) {
  if (only !== undefined && name !== only) continue;
  const outcome = await run();
  aims.push(...outcome.aims);
  console.log(`\n${outcome.text}`);
}
if (aims.length > 0) console.log(`\n${aimsTable(aims)}`);
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`);

async function benchIdle(streams: number): Promise<Outcome> {
  const rows: string[][] = [];
  const aims: Aim[] = [];
  for (const contestant of IDLE_CONTESTANTS) {
    const { name, each } = await measureIdle(contestant, streams);
    rows.push([name, (each / 1000).toFixed(1)]);
    if (name.startsWith('mcpx')) {
      aims.push({ what: `kB a stream: ${name}`, figure: each / 1000, atMost: 20 });
    }
  }
  return { text: table([`idle streams, ${streams / 2} to ${streams}`, 'kB each'], rows), aims };
}

async function benchStartUp(times: number): Promise<Outcome> {
  const asked: Asked = { method: 'tools/call', era: 'modern', tools: 1 };
  const entrants: [string, Launch][] = [
    ['Fastify', { script: 'fastify', args: ['1'] }],
    ['mcpx', { script: 'mcpx', args: ['http', '1'] }],
    ['mcpx, 1000 tools', { script: 'mcpx', args: ['http', '1000'] }],
    ['SDK', { script: 'sdk', args: ['http', '1'] }],
  ];
  const taken = new Map<string, StartUp[]>(entrants.map(([name]) => [name, []]));
  for (let time = 0; time < times; time++) {
    for (const [name, launch] of entrants) {
      taken.get(name)?.push(await measureStartUp(name, launch, asked));
    }
  }
  const rows = [...taken].map(([name, all]) => [
    name,
    median(all.map(({ ms }) => ms)).toFixed(0),
    median(all.map(({ cpu }) => cpu)).toFixed(0),
    (median(all.map(({ rss }) => rss)) / 1e6).toFixed(0),
  ]);
  return { text: table(['start to first answer', 'ms', 'CPU ms', 'RSS MB'], rows), aims: [] };
}
