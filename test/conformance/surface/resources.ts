/** What the suite reads and subscribes to. */
import { PNG } from './media.js';

export const RESOURCES = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    contents: { text: 'The same text every time.' },
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    contents: { blob: PNG },
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text that a client may subscribe to.',
    mimeType: 'text/plain',
    contents: { text: 'Being watched.' },
  },
] as const;

export const TEMPLATE = {
  uriTemplate: 'test://template/{id}/data',
  name: 'template-data',
  description: 'A small JSON document about any id.',
  mimeType: 'application/json',
  contents: (id: string) => ({ text: JSON.stringify({ id, templateTest: true }) }),
} as const;
