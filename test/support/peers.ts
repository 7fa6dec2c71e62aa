/** The five kinds of client a test can be: how each opens a conversation and words a request. */
import { NEWEST, REVISIONS, type Revision } from '../../generated/revisions.js';
import type { StdioClient } from './stdio-client.js';

export const ALL_REVISIONS: readonly Revision[] = REVISIONS.map(({ revision }) => revision);
export const LEGACY: readonly Revision[] = REVISIONS.filter((r) => r.era === 'legacy').map(
  ({ revision }) => revision,
);

/** `_meta` of a modern request. */
export function modernMeta(extra: object = {}): { _meta: Record<string, unknown> } {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': NEWEST,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      ...extra,
    },
  };
}

export const isModern = (revision: Revision): boolean => !LEGACY.includes(revision);

/** Params as a client of the revision writes them. */
export function paramsFor(revision: Revision, params: object = {}, meta: object = {}): object {
  if (isModern(revision)) return { ...params, ...modernMeta(meta) };
  return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
}

export async function open(client: StdioClient, revision: Revision): Promise<void> {
  if (!isModern(revision)) await client.initialize(revision);
}
