/** The prompts that the suite gets, by the names it asks for. */
import type { McpServer, protocol } from '../../../src/index.js';
import { PNG } from './media.js';

export function declarePrompts(server: McpServer): void {
  server.prompt(
    { name: 'test_simple_prompt', description: 'One message, no arguments.' },
    () => 'Say hello.',
  );
  server.prompt(
    {
      name: 'test_prompt_with_arguments',
      description: 'One message that repeats both arguments.',
      arguments: [
        {
          name: 'arg1',
          description: 'The first value',
          required: true,
          complete: (value) =>
            ['test', 'testing', 'other'].filter((word) => word.startsWith(value)),
        },
        { name: 'arg2', description: 'The second value', required: true },
      ],
    },
    ({ arg1, arg2 }) => `First ${arg1}, then ${arg2}.`,
  );
  server.prompt(
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'A resource to look at, and what to do with it.',
      arguments: [{ name: 'resourceUri', description: 'Which resource', required: true }],
    },
    ({ resourceUri = '' }) => [
      user({
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'What the resource says.' },
      }),
      user({ type: 'text', text: 'Sum up the resource above.' }),
    ],
  );
  server.prompt(
    {
      name: 'test_prompt_with_image',
      description: 'An image to look at, and what to do with it.',
    },
    () => [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      user({ type: 'text', text: 'Describe the image above.' }),
    ],
  );
}

function user(content: protocol.ContentBlock): protocol.PromptMessage {
  return { role: 'user', content };
}
