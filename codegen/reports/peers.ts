/** `client-<revision>`: what a client of that revision gets otherwise than the newest shape has it. */
import type { Decided, Decision } from '../decisions/decision.js';
import type { Carrier, Change } from '../projection/changes.js';
import { jsonComment } from '../emit/header.js';
import type { RevisionEntry } from '../sources.js';
import { code, marker, table } from './markdown.js';

const SOURCES = ['schemas/*/schema.ts', 'codegen/decisions/table.ts'];

export interface Loss {
  /** Place in the newest shape. */
  at: string;
  change: Change['kind'];
  outcome: 'converted' | 'left out' | 'passes' | 'never sent';
  /** Where it is converted. */
  conversion?: string;
  reason: string;
  messages: Carrier[];
}

export function peerReports(
  revisions: readonly RevisionEntry[],
  decided: readonly Decided[],
): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of revisions) {
    const losses = lossesOf(entry.revision, decided);
    const name = `generated/reports/client-${entry.revision}`;
    const data = { $comment: jsonComment(...SOURCES), revision: entry.revision, losses };
    files.set(`${name}.json`, `${JSON.stringify(data, null, 2)}\n`);
    files.set(`${name}.md`, [marker(...SOURCES), '', ...page(entry, losses)].join('\n'));
  }
  return files;
}

export function lossesOf(revision: string, decided: readonly Decided[]): Loss[] {
  return decided
    .filter(({ change }) => change.revision === revision)
    .map(({ change, decision }) => ({
      at: change.at,
      change: change.kind,
      ...outcomeOf(decision),
      reason: decision.reason,
      messages: change.messages,
    }));
}

function outcomeOf({ outcome }: Decision): Pick<Loss, 'outcome' | 'conversion'> {
  if (typeof outcome !== 'string') return { outcome: 'converted', conversion: outcome.convert };
  if (outcome === 'drop') return { outcome: 'left out' };
  return { outcome: outcome === 'pass' ? 'passes' : outcome };
}

function page({ revision, era }: RevisionEntry, losses: readonly Loss[]): string[] {
  const sentBy = (sender: 'server' | 'client'): Loss[] =>
    losses
      .map((loss) => ({ ...loss, messages: loss.messages.filter((m) => m.sender === sender) }))
      .filter(({ messages }) => messages.length > 0);
  return [
    `# What a ${revision} client gets`,
    '',
    `${revision} is a revision of the ${era} era. Handlers answer in the newest shape; this is what`,
    'becomes of it on the way to a client of this revision. All that is not listed arrives as it is.',
    '',
    ...section('Said another way, or refused', sentBy('server'), 'converted'),
    ...section('Left out', sentBy('server'), 'left out'),
    ...section('Never sent', sentBy('server'), 'never sent'),
    ...section('Arrives as it is', sentBy('server'), 'passes'),
    `# What a ${revision} upstream gets`,
    '',
    'The same for what mcpx sends as a client.',
    '',
    ...section('Said another way, or refused', sentBy('client'), 'converted'),
    ...section('Left out', sentBy('client'), 'left out'),
    ...section('Never sent', sentBy('client'), 'never sent'),
  ];
}

function section(title: string, losses: readonly Loss[], outcome: Loss['outcome']): string[] {
  const rows = byReason(losses.filter((loss) => loss.outcome === outcome));
  if (rows.length === 0) return [];
  return [`## ${title}`, '', ...table(['what', 'why, and how', 'in'], rows)];
}

function byReason(losses: readonly Loss[]): string[][] {
  const groups = new Map<string, Loss[]>();
  for (const loss of losses) groups.set(loss.reason, [...(groups.get(loss.reason) ?? []), loss]);
  return [...groups].map(([reason, group]) => {
    const messages = new Set(group.flatMap((loss) => loss.messages.map(inWords)));
    const shown = [...messages].slice(0, 6);
    const more = messages.size - shown.length;
    return [
      [...new Set(group.map(({ at }) => code(at)))].join(', '),
      reason,
      shown.join(', ') + (more > 0 ? ` and ${more} more` : ''),
    ];
  });
}

function inWords({ method, part }: Carrier): string {
  return part === 'result' ? `${code(method)} result` : code(method);
}
