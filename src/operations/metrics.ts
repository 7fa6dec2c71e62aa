/**
 * What mcpx has counted, in the text format of Prometheus (exposition format 0.0.4). Everything is
 * counted where it happens; this only writes it down when asked.
 */
import { DURATION_BOUNDS, type MethodFigures } from '../server/meter.js';
import type { House } from './operation.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

export async function metricsText(house: House): Promise<string> {
  const { core, broker, info, started } = house;
  const { load } = core;
  const backends = await core.directory.backends();
  const methods = [...load.methods];
  const { rss } = process.memoryUsage();
  const cpu = process.cpuUsage();
  return [
    ...family('mcpx_info', 'gauge', 'Which mcpx this is', [[{ version: info.version }, 1]]),
    ...family('mcpx_uptime_seconds', 'gauge', 'Since when it runs', [
      [{}, (Date.now() - started.getTime()) / 1000],
    ]),
    ...family(
      'mcpx_requests_total',
      'counter',
      'Requests that have ended, by method and by how',
      methods.flatMap(([method, { endings }]) =>
        Object.entries(endings).map(([ending, count]): Sample => [{ method, ending }, count]),
      ),
    ),
    ...family('mcpx_requests_refused_total', 'counter', 'Requests that came to no method', [
      [{}, load.refused],
    ]),
    ...durations(methods),
    ...gauge('mcpx_requests_in_flight', 'Requests that are being answered', load.inFlight),
    ...gauge('mcpx_listen_streams', 'Streams of subscriptions/listen', load.streams),
    ...gauge('mcpx_connections', 'stdio clients and legacy HTTP sessions', load.connections),
    ...gauge(
      'mcpx_backends_leaving',
      'Backends that were taken away and still have calls in hand',
      load.leaving,
    ),
    ...gauge(
      'mcpx_questions_waiting',
      'Questions that wait at /v1/questions',
      broker.list().length,
    ),
    ...family('mcpx_tasks', 'gauge', 'Tasks that are kept, by status', taskSamples(house)),
    ...family(
      'mcpx_backend_up',
      'gauge',
      'Whether the backend is up',
      backends.map(({ namespace, state }) => [{ backend: namespace }, state === 'up' ? 1 : 0]),
    ),
    ...family(
      'mcpx_backend_tools',
      'gauge',
      'Tools of the backend that are listed',
      backends.map(({ namespace, counts }) => [{ backend: namespace }, counts.tools]),
    ),
    ...family(
      'mcpx_diagnostics_total',
      'counter',
      'What was dropped, repaired or refused, by event',
      [...core.diagnostics.counts()].map(([event, count]) => [{ event }, count]),
    ),
    ...gauge('process_resident_memory_bytes', 'Memory of the process', rss),
    ...family('process_cpu_seconds_total', 'counter', 'Processor time of the process', [
      [{}, (cpu.user + cpu.system) / 1e6],
    ]),
    '',
  ].join('\n');
}

function taskSamples({ core }: House): Sample[] {
  const counts = new Map<string, number>();
  for (const { status } of core.tasks()) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Array.from(counts, ([status, count]) => [{ status }, count]);
}

function durations(methods: readonly (readonly [string, Readonly<MethodFigures>])[]): string[] {
  const name = 'mcpx_request_duration_seconds';
  const lines = methods.flatMap(([method, { durations: buckets, total }]) => {
    let count = 0;
    const cumulated = buckets.map((more, at) => {
      count += more;
      const bound = DURATION_BOUNDS[at];
      return sample(`${name}_bucket`, [
        { method, le: bound ? String(bound / 1000) : '+Inf' },
        count,
      ]);
    });
    return [
      ...cumulated,
      sample(`${name}_sum`, [{ method }, total / 1000]),
      sample(`${name}_count`, [{ method }, count]),
    ];
  });
  return [...heading(name, 'histogram', 'How long requests took, by method'), ...lines];
}

function gauge(name: string, help: string, value: number): string[] {
  return family(name, 'gauge', help, [[{}, value]]);
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string[] {
  return [...heading(name, type, help), ...samples.map((one) => sample(name, one))];
}

function heading(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function sample(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join()}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
