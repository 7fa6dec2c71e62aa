/**
 * Definitions that stand for the same thing under different names. Reviewed by hand: a new revision
 * that renames a definition gets a line here, or its fields count as removed and added anew.
 */
interface Renamed {
  /** The name it has in the newest revision, or had last. */
  now: string;
  then: string;
  /** Revisions that call it `then`. */
  revisions: readonly string[];
}

const BEFORE_2025_11 = ['2024-11-05', '2025-03-26', '2025-06-18'];
const LEGACY = [...BEFORE_2025_11, '2025-11-25'];

const RENAMED: readonly Renamed[] = [
  { now: 'JSONRPCResultResponse', then: 'JSONRPCResponse', revisions: BEFORE_2025_11 },
  { now: 'JSONRPCErrorResponse', then: 'JSONRPCError', revisions: BEFORE_2025_11 },
  { now: 'ResourceTemplateReference', then: 'ResourceReference', revisions: BEFORE_2025_11 },
  { now: 'LegacyTitledEnumSchema', then: 'EnumSchema', revisions: ['2025-06-18'] },
  // The handshake's answer says what the discovery's says.
  { now: 'DiscoverResult', then: 'InitializeResult', revisions: LEGACY },
];

/** The methods whose results those are. */
export const SAME_ANSWER = [{ now: 'server/discover', then: 'initialize' }] as const;

/** The name under which `name` of `revision` is compared over all revisions. */
export function logicalName(revision: string, name: string): string {
  const renamed = RENAMED.find((r) => r.then === name && r.revisions.includes(revision));
  return renamed?.now ?? name;
}
