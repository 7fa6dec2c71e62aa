/** The prompts that the suite gets, by the names it asks for. */
import { PNG } from './media.js';
import type { SurfacePrompt } from './surface.js';

export const PROMPTS: readonly SurfacePrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'One message, no arguments.',
    get: () => ({ messages: [user({ type: 'text', text: 'Say hello.' })] }),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'One message that repeats both arguments.',
    arguments: [
      { name: 'arg1', description: 'The first value', required: true },
      { name: 'arg2', description: 'The second value', required: true },
    ],
    get: ({ arg1, arg2 }) => ({
      messages: [user({ type: 'text', text: `First ${arg1}, then ${arg2}.` })],
    }),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource to look at, and what to do with it.',
    arguments: [{ name: 'resourceUri', description: 'Which resource', required: true }],
    get: ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri: resourceUri!, mimeType: 'text/plain', text: 'What the resource says.' },
        }),
        user({ type: 'text', text: 'Sum up the resource above.' }),
      ],
    }),
  },
  {
    name: 'test_prompt_with_image',
    description: 'An image to look at, and what to do with it.',
    get: () => ({
      messages: [
        user({ type: 'image', data: PNG, mimeType: 'image/png' }),
        user({ type: 'text', text: 'Describe the image above.' }),
      ],
    }),
  },
];

function user<Content>(content: Content): { role: 'user'; content: Content } {
  return { role: 'user', content };
}
