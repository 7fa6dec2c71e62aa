/** What changed between two revisions, in either direction, for one message or all. */
import { METHODS, type Sender } from '../../generated/methods.js';
import { REVISIONS, type Revision } from '../../generated/revisions.js';
import { diff, type Diff, type FieldChange, type MethodChange } from './reports.js';

export interface ChangesFilter {
  readonly method?: string;
  readonly sender?: Sender;
}

export interface Changes extends Diff {
  readonly from: Revision;
  readonly to: Revision;
}

/** `from` may be the newer one: what it has then counts as removed. */
export function changesBetween(from: Revision, to: Revision, filter: ChangesFilter = {}): Changes {
  const { method, sender } = filter;
  const { methods, messages, constants } = inEitherDirection(from, to);
  const isMeant = (name: string): boolean => method === undefined || name === method;
  return {
    from,
    to,
    methods: methods.filter((change) => isMeant(change.method) && isSentBy(change.method, sender)),
    messages: messages.filter(
      (message) =>
        isMeant(message.method) && (sender === undefined || message.senders.includes(sender)),
    ),
    constants: method === undefined && sender === undefined ? constants : [],
  };
}

/** Every method of any revision, sorted. */
export function allMethods(): string[] {
  return [...new Set(REVISIONS.flatMap(({ revision }) => Object.keys(METHODS[revision])))].sort();
}

function isSentBy(method: string, sender: Sender | undefined): boolean {
  if (sender === undefined) return true;
  return REVISIONS.some(({ revision }) => METHODS[revision][method]?.senders.includes(sender));
}

function inEitherDirection(from: Revision, to: Revision): Diff {
  if (from === to) return { methods: [], messages: [], constants: [] };
  if (position(from) < position(to)) return diff(from, to);
  const { methods, messages, constants } = diff(to, from);
  return {
    methods: methods.map((change) => ({
      ...turned(change),
      change: opposite(change.change) as MethodChange['change'],
    })),
    messages: messages.map((message) => ({ ...message, changes: message.changes.map(reversed) })),
    constants: constants.map(reversed),
  };
}

function position(revision: Revision): number {
  return REVISIONS.findIndex((one) => one.revision === revision);
}

function reversed(change: FieldChange): FieldChange {
  return { ...turned(change), kind: opposite(change.kind) as FieldChange['kind'] };
}

function turned<T extends { was?: string; now?: string }>({ was, now, ...rest }: T): T {
  return {
    ...rest,
    ...(now !== undefined && { was: now }),
    ...(was !== undefined && { now: was }),
  } as T;
}

function opposite(kind: string): string {
  if (kind === 'added') return 'removed';
  return kind === 'removed' ? 'added' : kind;
}
