/** What the suite reads and subscribes to. */
import type { McpServer } from '../../../src/index.js';
import { PNG } from './media.js';

export function declareResources(server: McpServer): void {
  server.resource(
    {
      uri: 'test://static-text',
      name: 'static-text',
      description: 'A text that never changes.',
      mimeType: 'text/plain',
    },
    () => 'The same text every time.',
  );
  server.resource(
    {
      uri: 'test://static-binary',
      name: 'static-binary',
      description: 'An image that never changes.',
      mimeType: 'image/png',
    },
    () => Buffer.from(PNG, 'base64'),
  );
  server.resource(
    {
      uri: 'test://watched-resource',
      name: 'watched-resource',
      description: 'A text that a client may subscribe to.',
      mimeType: 'text/plain',
    },
    () => 'Being watched.',
  );
  server.resourceTemplate(
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template-data',
      description: 'A small JSON document about any id.',
      mimeType: 'application/json',
    },
    (_, { id }) => JSON.stringify({ id, templateTest: true }),
  );
}
