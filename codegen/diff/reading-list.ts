/**
 * What changed with the newest revision and is no loss on the way to an older one, so that no decision
 * is owed: the newest peers take less, or other things. For whoever writes handlers.
 */
import type { Places } from '../places/places.js';
import { diffRevisions, type FieldChange } from './diff.js';

/** Lines like a to-do; none where there is nothing to read. */
export function readingList(places: Places): string[] {
  const [before, newest] = places.revisions.slice(-2);
  if (before === undefined || newest === undefined) return [];
  const { methods, messages, constants } = diffRevisions(places, before, newest);
  const found = new Map<string, Set<string>>();
  const add = (what: string, where?: string): void => {
    const sent = found.get(what) ?? new Set<string>();
    found.set(what, where === undefined ? sent : sent.add(where));
  };
  for (const { method, change, was = '', now = '' } of methods) {
    if (change === 'removed') add(`method ${method} is gone`);
    if (change === 'changed') add(`method ${method}: ${was} → ${now}`);
  }
  for (const { path, was, now } of constants) {
    if (was !== undefined && path !== 'LATEST_PROTOCOL_VERSION') {
      add(`constant ${path}: ${was} → ${now ?? 'gone'}`);
    }
  }
  for (const { method, part, changes } of messages) {
    for (const change of changes) {
      const what = inWords(change);
      if (what !== undefined) add(what, `${part} ${method}`);
    }
  }
  if (found.size === 0) return [];
  return [
    `Also read what else changed from ${before} to ${newest}; no decision is owed, handlers may be:`,
    ...[...found].map(([what, where]) => `  - ${what}${sentIn(where)}`),
  ];
}

function inWords({ path, kind, was = '', now = '' }: FieldChange): string | undefined {
  const name = lastNames(path);
  if (kind === 'optionality' && now === 'required') return `${name} is required`;
  if (kind === 'type' || kind === 'constant') return `${name}: ${was} → ${now}`;
  return undefined;
}

/** The same thing stands at many paths; its name and its owner's tell it well enough. */
function lastNames(path: string): string {
  return path.split('.').slice(-2).join('.');
}

function sentIn(where: ReadonlySet<string>): string {
  const [...names] = where;
  if (names.length === 0) return '';
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return ` (${names.slice(0, 3).join(', ')}${more})`;
}
