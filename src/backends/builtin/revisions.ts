/** How the built-in tools take and offer revisions. */
import { REVISIONS, type Revision } from '../../../generated/revisions.js';

export const REVISION_NAMES: readonly Revision[] = REVISIONS.map(({ revision }) => revision);

export const REVISION_SCHEMA = {
  type: 'string',
  enum: REVISION_NAMES,
  description: 'A revision of the protocol',
};

export function completeRevision(value: string): string[] {
  return REVISION_NAMES.filter((revision) => revision.startsWith(value));
}
