/** What stands behind mcpx, and how. */
import { eraOf } from '../../generated/revisions.js';
import type { BackendEntry } from '../backends/directory.js';
import { COUNT, NO_INPUT, TEXT, TIME, listOf, objectOf, type Operation } from './operation.js';

const BACKEND = objectOf(
  {
    namespace: { ...TEXT, description: 'In front of the names of its tools' },
    state: { enum: ['starting', 'up', 'down'] },
    capabilities: { type: 'object' },
    counts: objectOf({ tools: COUNT, resources: COUNT, resourceTemplates: COUNT, prompts: COUNT }),
  },
  {
    info: { type: 'object', description: 'What it says it is' },
    era: { enum: ['legacy', 'modern'] },
    revision: { ...TEXT, description: 'Of the protocol, that an upstream speaks' },
    lastError: objectOf({ message: TEXT, at: TIME }),
  },
);

export const backends: readonly Operation[] = [
  {
    id: 'list_backends',
    method: 'GET',
    path: '/backends',
    summary: 'The backends and their state',
    input: NO_INPUT,
    output: objectOf({ backends: listOf(BACKEND) }),
    async run({ core }) {
      return { body: { backends: (await core.directory.backends()).map(described) } };
    },
  },
];

function described({ revision, lastError, ...rest }: BackendEntry): object {
  return {
    ...rest,
    ...(revision !== undefined && { era: eraOf(revision), revision }),
    ...(lastError !== undefined && {
      lastError: { message: lastError.message, at: lastError.at.toISOString() },
    }),
  };
}
