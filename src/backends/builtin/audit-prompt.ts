/** `audit_client`: hands a model the facts about one revision and asks it to look at a server with them. */
import { invalidParams } from '../../protocol/errors.js';
import type { LocalBackend } from '../local/backend.js';
import { reportText } from '../../audit/reports.js';
import { REVISION_NAMES, completeRevision } from './revisions.js';

export function addAuditPrompt(backend: LocalBackend): void {
  backend.addPrompt(
    {
      name: 'audit_client',
      title: 'Audit a server for an older client',
      description:
        'What a client of a revision would not get of a server, with the facts to tell it.',
      arguments: [
        {
          name: 'revision',
          description: 'The revision of the client',
          required: true,
          complete: completeRevision,
        },
      ],
    },
    ({ revision = '' }) => {
      const facts = reportText(`client-${revision}.md`);
      if (facts === undefined) {
        throw invalidParams(`revision: "${revision}" is none of ${REVISION_NAMES.join(', ')}`);
      }
      return [
        { role: 'user', content: { type: 'text', text: facts } },
        {
          role: 'user',
          content: {
            type: 'text',
            text:
              `Go through the tools, resources and prompts of the server at hand, and say what of them ` +
              `a ${revision} client does not get, by the facts above. Leave out what nobody would miss.`,
          },
        },
      ];
    },
  );
}
