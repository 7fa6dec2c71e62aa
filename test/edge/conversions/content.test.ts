import { describe, expect, test } from 'vitest';
import { convert } from './convert.js';

describe('audio for a client without audio', () => {
  test('becomes a text block that says type and size', () => {
    expect(
      convert('audioAsText', {
        type: 'audio',
        data: 'UklGRg==',
        mimeType: 'audio/wav',
        annotations: { priority: 1 },
        'x-mine': true,
      }),
    ).toEqual({
      type: 'text',
      text: '[audio: audio/wav, 4 bytes]',
      annotations: { priority: 1 },
      'x-mine': true,
    });
  });

  test('leaves every other block as it is', () => {
    for (const block of [{ type: 'text', text: 'audio' }, { type: 'image' }, null, 'audio']) {
      expect(convert('audioAsText', block)).toBe(block);
    }
  });
});

describe('a resource link for a client without links', () => {
  test('becomes an embedded resource under the same URI, whose text names the link', () => {
    const converted = convert('resourceLinkAsEmbedded', {
      type: 'resource_link',
      uri: 'file:///r/1.txt',
      name: '1.txt',
      title: 'The first',
      description: 'What came first.',
      mimeType: 'text/csv',
      size: 12,
      icons: [{ src: 'https://example.com/i.png' }],
      annotations: { audience: ['user'] },
      'x-mine': 1,
    });
    expect(converted).toEqual({
      type: 'resource',
      resource: {
        uri: 'file:///r/1.txt',
        mimeType: 'text/plain',
        text: 'Resource link: The first\nWhat came first.\ntext/csv, 12 bytes\nfile:///r/1.txt',
      },
      annotations: { audience: ['user'] },
      'x-mine': 1,
    });
  });

  test('is named by its name where it has no title', () => {
    const converted = convert('resourceLinkAsEmbedded', {
      type: 'resource_link',
      uri: 'a:b',
      name: 'n',
    });
    expect(converted).toMatchObject({ resource: { text: 'Resource link: n\na:b' } });
  });
});
