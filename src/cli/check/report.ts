/** What a check has found, as text. */
import type { Checked, CheckedBackend } from './check.js';

export function checkedAsText({ backends, collisions }: Checked): string {
  const parts = backends.map((backend) => [headline(backend), ...details(backend)].join('\n'));
  const names = collisions.map(
    ({ list, namespace, key }) => `  ${list}: ${key} of ${namespace} is taken by another`,
  );
  if (names.length > 0) parts.push(['Collisions', ...names].join('\n'));
  if (parts.length === 0) parts.push('Nothing is configured.');
  return `${parts.join('\n\n')}\n`;
}

function headline({ namespace, up, revision, era, transport, info }: CheckedBackend): string {
  const server = info === undefined ? [] : [`${info.name} ${info.version}`];
  const spoken = revision === undefined ? [] : [`${revision} (${era})`];
  const way = transport === undefined ? [] : [WAYS[transport]];
  return `${namespace}: ${[up ? 'up' : 'DOWN', ...spoken, ...way, ...server].join(', ')}`;
}

const WAYS = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP with the streams of 2024-11-05',
} as const;

function details(backend: CheckedBackend): string[] {
  const { error, capabilities, counts, findings, notes, imported } = backend;
  const lines: string[] = [];
  if (error !== undefined) lines.push(error);
  const offered = Object.entries(counts).filter(([, count]) => count > 0);
  if (offered.length > 0) {
    lines.push(`offers ${offered.map(([list, count]) => `${count} ${LISTS[list]}`).join(', ')}`);
  }
  const can = Object.keys(capabilities);
  if (can.length > 0) lines.push(`can do ${can.join(', ')}`);
  lines.push(...translations(findings));
  for (const { tool, kind, pointer, what } of findings) {
    if (kind !== 'translated') lines.push(`${KINDS[kind]} ${tool} ${pointer}: ${what}`);
  }
  for (const { event, details: told } of notes) lines.push(`noted ${event} ${said(told)}`);
  if (imported !== undefined) {
    const { operations, imported: taken, filtered, skipped } = imported;
    lines.push(`${taken} of ${operations} operations, ${filtered} filtered`);
    for (const { where, what } of skipped) lines.push(`left out ${where}: ${what}`);
  }
  return lines.map((line) => `  ${line}`);
}

const LISTS: Readonly<Record<string, string>> = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resource templates',
  prompts: 'prompts',
};

/** Whole servers are written in an older dialect. */
function translations(findings: CheckedBackend['findings']): string[] {
  const translated = findings.filter(({ kind }) => kind === 'translated');
  const whats = new Set(translated.map(({ what }) => what));
  return [...whats].map((what) => {
    const same = translated.filter((finding) => finding.what === what);
    const tools = new Set(same.map(({ tool }) => tool)).size;
    return `${same.length} schemas of ${tools} tools ${what}`;
  });
}

const KINDS = {
  repaired: 'repaired',
  'schema-dropped': 'without outputSchema:',
  isolated: 'NOT OFFERED:',
} as const;

function said({ namespace: _namespace, err, ...rest }: Readonly<Record<string, unknown>>): string {
  const error = err instanceof Error ? [err.message] : [];
  return [...error, ...Object.entries(rest).map(([k, v]) => `${k}=${JSON.stringify(v)}`)].join(' ');
}
