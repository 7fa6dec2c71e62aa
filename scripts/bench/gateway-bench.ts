/** `tools/call` through mcpx and through other gateways, in front of the same server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, plural, start, type Entrant, type Outcome } from './http-bench.js';
import { HttpLoad, type Served } from './http-load.js';
import { table, type Aim } from './report.js';
import type { Asked } from './requests.js';
import { median, ratios, spread, takeTurns, type RoundSettings, type Samples } from './rounds.js';
import { ServerProcess } from './server-process.js';

const ROOT = join(import.meta.dirname, '../..');
const UPSTREAM = join(import.meta.dirname, 'servers/upstream.mjs');
const MCPX = join(ROOT, 'dist/src/cli/main.js');
const SUPERGATEWAY = join(ROOT, 'node_modules/supergateway/dist/index.js');
const MCP_PROXY = join(ROOT, 'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');

/** supergateway has a process of the upstream for each session, which keeps this number small. */
const CLIENTS = [1, 8];
/**
 * The way through a gateway is long, and slow until its code is compiled. In turns as short as those that
 * count: the servers of others close a connection on which nothing is asked for five seconds.
 */
const WARM_UP: RoundSettings = { rounds: 6, ms: 300 };
const RELAY = 'bare relay';
const ASKED: Asked = { method: 'tools/call', era: 'legacy', tools: 1 };

/** A server in front of which gateways stand. */
interface Upstream {
  readonly title: string;
  /** As `mcpServers` has it. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Its URL, or what starts it. */
  readonly direct: readonly string[];
  /** What starts it, or a bridge to it, on stdio. */
  readonly command: readonly string[];
  /** What the other gateways need beside themselves. */
  readonly bridge?: string;
}

export async function benchGateway(settings: RoundSettings): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpx-bench-'));
  const http = await ServerProcess.start({ script: 'upstream', args: ['http'] });
  try {
    const rows: string[][] = [];
    const aims: Aim[] = [];
    for (const upstream of [overStdio(), overHttp(http.url.href)]) {
      const entrants = await entrantsFor(upstream, folder);
      for (const { title, samples } of await runAll(upstream, entrants, settings)) {
        rows.push(...rowsOf(title, samples));
        aims.push(...aimsOf(title, samples));
      }
    }
    const head = [
      '',
      'server',
      'req/s',
      '× Fastify',
      'spread',
      'mcpx ×',
      'spread',
      'CPU µs',
      'CPU × mcpx',
    ];
    return { text: table(head, rows), aims };
  } finally {
    await http.stop();
    await rm(folder, { recursive: true });
  }
}

function overStdio(): Upstream {
  const command = [process.execPath, UPSTREAM, 'stdio'];
  const entry = { command: process.execPath, args: [UPSTREAM, 'stdio'] };
  return { title: 'stdio upstream', entry, direct: command, command };
}

/** The others serve over HTTP only what is on stdio, so a bridge has to go between. */
function overHttp(url: string): Upstream {
  const bridge = [SUPERGATEWAY, '--streamableHttp', url, '--logLevel', 'none'];
  // Node warns it of each request, for its signals gather listeners.
  const command = [process.execPath, '--no-warnings', ...bridge];
  return { title: 'HTTP upstream', entry: { url }, direct: [url], command, bridge: ', bridged' };
}

/** Each without its log, and the others in the way of theirs that keeps least. */
async function entrantsFor(
  { entry, direct, command, bridge = '' }: Upstream,
  folder: string,
): Promise<Entrant[]> {
  const config = join(folder, 'mcp.json');
  const upstream = { eraCache: false };
  await writeFile(config, JSON.stringify({ mcpServers: { bench: entry }, upstream }));
  const mcpx = ['--config', config, '--passthrough', 'bench', '--log-level', 'silent'];
  const supergateway = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
  const proxy = ['--host', '127.0.0.1', '--server', 'stream', '--no-eventStore'];
  return [
    fastify(1),
    { name: RELAY, launch: { script: 'relay', args: direct }, knowsSessions: false },
    commandLine('mcpx', [MCPX, 'serve', ...mcpx, '--http', '127.0.0.1:0']),
    commandLine(`supergateway${bridge}`, [
      ...[SUPERGATEWAY, '--stdio', command.map((word) => JSON.stringify(word)).join(' ')],
      ...[...supergateway, '--port', '0'],
    ]),
    commandLine(`mcp-proxy${bridge}`, [MCP_PROXY, ...proxy, '--port', '0', '--', ...command]),
  ];
}

function commandLine(name: string, args: readonly string[]): Entrant {
  return { name, launch: { script: 'command-line', args } };
}

interface Run {
  readonly title: string;
  readonly samples: Samples;
}

async function runAll(
  { title }: Upstream,
  entrants: readonly Entrant[],
  settings: RoundSettings,
): Promise<Run[]> {
  const served: Served[] = [];
  const runs: Run[] = [];
  try {
    for (const entrant of entrants) served.push(await start(entrant));
    await withLoads(served, 1, (loads) => takeTurns(loads, WARM_UP));
    for (const clients of CLIENTS) {
      const samples = await withLoads(served, clients, (loads) => takeTurns(loads, settings));
      runs.push({ title: `${title}, ${clients} ${plural(clients)}`, samples });
    }
  } finally {
    await Promise.all(served.map(({ process }) => process.stop()));
  }
  return runs;
}

/** One after the other: opening a session may start a process. */
async function withLoads<T>(
  served: readonly Served[],
  clients: number,
  use: (loads: readonly HttpLoad[]) => Promise<T>,
): Promise<T> {
  const loads: HttpLoad[] = [];
  for (const each of served) loads.push(await HttpLoad.open(each, ASKED, clients));
  try {
    return await use(loads);
  } finally {
    for (const load of loads) load.close();
  }
}

function rowsOf(title: string, samples: Samples): string[][] {
  return [...samples].map(([name, taken], at) => {
    const toFastify = ratios(samples, name, 'Fastify');
    const mcpxTo = ratios(samples, 'mcpx', name);
    return [
      at === 0 ? title : '',
      name,
      median(taken.map(({ perSecond }) => perSecond)).toFixed(0),
      median(toFastify).toFixed(2),
      percent(spread(toFastify)),
      median(mcpxTo).toFixed(2),
      percent(spread(mcpxTo)),
      median(taken.map(({ cpu }) => cpu)).toFixed(0),
      median(ratios(samples, name, 'mcpx', 'cpu')).toFixed(2),
    ];
  });
}

function aimsOf(title: string, samples: Samples): Aim[] {
  const [, , , ...others] = samples.keys();
  return [
    {
      what: `gateway, ${title}: of Fastify`,
      figure: median(ratios(samples, 'mcpx', 'Fastify')),
      atLeast: 0.4,
    },
    ...others.map((name) => ({
      what: `gateway, ${title}: of ${name}`,
      figure: median(ratios(samples, 'mcpx', name)),
      atLeast: 4,
    })),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
