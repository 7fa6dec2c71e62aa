/**
 * What mcpx serves when nothing is configured: itself as a reference to the protocol's revisions. The
 * answers come from the generated reports, the edge and the strict check, which is to say from what
 * mcpx acts upon.
 */
import type { Backend } from '../backend.js';
import { LocalBackend } from '../local/backend.js';
import { addAuditPrompt } from './audit-prompt.js';
import { addFieldHistory } from './field-history.js';
import { addMessageCheck } from './message-check.js';
import { addProjection } from './projection.js';
import { addReports } from './report-resources.js';
import { addRevisionChanges } from './revision-changes.js';

export function createBuiltinBackend(): Backend {
  const backend = new LocalBackend('builtin');
  addFieldHistory(backend);
  addRevisionChanges(backend);
  addMessageCheck(backend);
  addProjection(backend);
  addReports(backend);
  addAuditPrompt(backend);
  return backend;
}
