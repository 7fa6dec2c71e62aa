import { isObject } from '../../protocol/jsonrpc.js';
import type { Conversion } from './conversion.js';

/**
 * On a content block: a link, where there is none, becomes an embedded text resource under the same
 * URI, so that a program still finds it. The text names the link; what it points at is not read.
 */
export const resourceLinkAsEmbedded: Conversion = (block) => {
  if (!isObject(block) || block['type'] !== 'resource_link') return block;
  const {
    type: _type,
    uri,
    name,
    title,
    description,
    mimeType,
    size,
    icons: _icons,
    ...rest
  } = block;
  const facts = [mimeType, typeof size === 'number' ? `${size} bytes` : undefined];
  const lines = [
    `Resource link: ${String(title ?? name ?? uri)}`,
    description,
    facts.filter(Boolean).join(', '),
    uri,
  ];
  const text = lines.filter(Boolean).join('\n');
  return { type: 'resource', resource: { uri, mimeType: 'text/plain', text }, ...rest };
};
