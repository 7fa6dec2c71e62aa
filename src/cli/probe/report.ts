/** What a probe found, as a person reads it. */
import type { Mistake, Probed } from './probe.js';

export interface Reported extends Probed {
  /** What was wrong below the protocol, and how often: lines that are no JSON, streams that broke. */
  readonly transport: Readonly<Record<string, number>>;
}

export function probedAsText(results: readonly Reported[]): string {
  return results.map(section).join('\n');
}

function section(probed: Reported): string {
  const {
    asked,
    era,
    revision,
    refused,
    server,
    capabilities,
    answers,
    leaks,
    mistakes,
    transport,
  } = probed;
  const settled = revision === asked ? 'served' : `settled on ${String(revision)}`;
  return [
    `${asked} (${era}): ${revision === undefined ? `not served: ${refused ?? ''}` : settled}`,
    ...(server === undefined ? [] : [`  server        ${server}`]),
    ...(capabilities === undefined
      ? []
      : [`  capabilities  ${Object.keys(capabilities).join(', ') || 'none'}`]),
    ...Object.entries(answers).map(([method, answer]) => `  ${method}: ${answer}`),
    ...Object.entries(transport).map(([event, times]) => `  ${event}: ${times} times`),
    ...list('leaks', leaks),
    ...list('mistakes', mistakes),
    '',
  ].join('\n');
}

function list(title: string, mistakes: readonly Mistake[]): string[] {
  if (mistakes.length === 0) return [];
  return [
    `  ${title}:`,
    ...mistakes.flatMap(({ in: place, check, pointer, message, exists, hint, times }) => [
      `    ${check} in ${place} at ${pointer || '/'}: ${message}${times > 1 ? ` (${times} times)` : ''}`,
      ...(exists === undefined ? [] : [`      exists: ${exists}`]),
      ...(hint === undefined ? [] : [`      hint: ${hint}`]),
    ]),
  ];
}
