/** Since when the field at a place exists, in whatever revision. */
import { findHistory, type Found } from './history.js';

/** `owner` as `locate` gives it. In a sentence's end: `Tool.title since 2025-06-18`. */
export function historyOfField(owner: string, field: string): string | undefined {
  const exact = findHistory(`${owner}.${field}`).filter(isField(`${owner}.${field}`));
  const found = exact.length > 0 ? exact : elsewhere(field);
  return found.length === 0 ? undefined : found.map(inWords).join('; ');
}

export function lifetimeInWords({ since, until }: Pick<Found, 'since' | 'until'>): string {
  return until === undefined ? `since ${since}` : `from ${since} until ${until}`;
}

function isField(name: string): (found: Found) => boolean {
  return (found) => found.kind === 'field' && found.name === name;
}

/** An older definition may count with the one that took its place, so the field alone has to do. */
function elsewhere(field: string): Found[] {
  const found = findHistory(field).filter(
    ({ kind, name }) => kind === 'field' && name.split('.').at(-1) === field,
  );
  const lifetimes = new Map(found.map((one) => [lifetimeInWords(one), one]));
  return lifetimes.size <= 3 ? [...lifetimes.values()] : [];
}

function inWords(found: Found): string {
  return `${found.name} ${lifetimeInWords(found)}`;
}
