/** `tools/call` over stdio, with many requests in flight. */
import type { Era } from '../../generated/revisions.js';
import type { Outcome } from './http-bench.js';
import { table } from './report.js';
import { median, ratios, spread, takeTurns, type RoundSettings } from './rounds.js';
import { ServerProcess } from './server-process.js';
import { StdioLoad } from './stdio-load.js';

const IN_FLIGHT = 64;
const BASE = 'bare echo';

interface Entrant {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly era: Era;
  readonly handshake: boolean;
}

const ENTRANTS: readonly Entrant[] = [
  { name: BASE, script: 'stdio-echo', era: 'legacy', handshake: false },
  { name: 'mcpx, legacy', script: 'mcpx', args: ['stdio', '1'], era: 'legacy', handshake: true },
  { name: 'mcpx, modern', script: 'mcpx', args: ['stdio', '1'], era: 'modern', handshake: false },
  { name: 'SDK, legacy', script: 'sdk', args: ['stdio', '1'], era: 'legacy', handshake: true },
  { name: 'SDK, modern', script: 'sdk', args: ['stdio', '1'], era: 'modern', handshake: false },
];

export async function benchStdio(settings: RoundSettings): Promise<Outcome> {
  const processes: ServerProcess[] = [];
  try {
    const loads: StdioLoad[] = [];
    for (const { name, script, args, era, handshake } of ENTRANTS) {
      const process = await ServerProcess.start({ script, args, stdio: true });
      processes.push(process);
      const asked = { method: 'tools/call', era, tools: 1 } as const;
      loads.push(await StdioLoad.open(name, process, asked, { inFlight: IN_FLIGHT, handshake }));
    }
    const samples = await takeTurns(loads, settings);
    const rows = [...samples].map(([name, taken]) => {
      const toEcho = ratios(samples, name, BASE);
      return [
        name,
        median(taken.map(({ perSecond }) => perSecond)).toFixed(0),
        median(toEcho).toFixed(2),
        `${(100 * spread(toEcho)).toFixed(0)} %`,
        median(taken.map(({ cpu }) => cpu)).toFixed(1),
        median(ratios(samples, name, BASE, 'cpu')).toFixed(2),
      ];
    });
    const head = [
      `stdio, ${IN_FLIGHT} in flight`,
      'req/s',
      '× echo',
      'spread',
      'CPU µs',
      'CPU × echo',
    ];
    const aims = ['mcpx, legacy', 'mcpx, modern'].map((name) => ({
      what: `stdio, ${name}: of the bare echo`,
      figure: median(ratios(samples, name, BASE)),
      atLeast: 0.4,
    }));
    return { text: table(head, rows), aims };
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
}
