/**
 * Resource URIs of namespaced backends: `mcpx://<namespace>/<original uri>`, in lists, in contents
 * and in every link and embedded resource of a result, so that a client can read what it is handed.
 * Web addresses inside results stay: a client fetches those itself (server/resources, https scheme).
 */
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '../../../generated/newest/types.js';
import type { Bare } from '../../backends/backend.js';

const SCHEME = 'mcpx://';
const WEB = /^https?:/i;

export function namespacedUri(namespace: string, uri: string): string {
  return `${SCHEME}${namespace}/${uri}`;
}

/** The namespace and the original URI; undefined for every other URI. */
export function splitUri(uri: string): { namespace: string; uri: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const slash = uri.indexOf('/', SCHEME.length);
  if (slash <= SCHEME.length || slash === uri.length - 1) return undefined;
  return { namespace: uri.slice(SCHEME.length, slash), uri: uri.slice(slash + 1) };
}

export function namespacedToolResult(
  namespace: string,
  result: Bare<CallToolResult>,
): Bare<CallToolResult> {
  const content = mapped(result.content, (block) => namespacedBlock(namespace, block));
  return content === result.content ? result : { ...result, content };
}

export function namespacedPromptResult(
  namespace: string,
  result: Bare<GetPromptResult>,
): Bare<GetPromptResult> {
  const messages = mapped(result.messages, (message) => {
    const content = namespacedBlock(namespace, message.content);
    return content === message.content ? message : { ...message, content };
  });
  return messages === result.messages ? result : { ...result, messages };
}

export function namespacedContents(
  namespace: string,
  result: Bare<ReadResourceResult>,
): Bare<ReadResourceResult> {
  const contents = mapped(result.contents, (part) => ({
    ...part,
    uri: namespacedUri(namespace, part.uri),
  }));
  return { ...result, contents };
}

function namespacedBlock(namespace: string, block: ContentBlock): ContentBlock {
  if (block.type === 'resource_link') {
    return WEB.test(block.uri) ? block : { ...block, uri: namespacedUri(namespace, block.uri) };
  }
  if (block.type !== 'resource' || WEB.test(block.resource.uri)) return block;
  const uri = namespacedUri(namespace, block.resource.uri);
  return { ...block, resource: { ...block.resource, uri } };
}

/** The array itself where nothing changed. What an upstream sent may be anything but an array. */
function mapped<T>(items: T[], change: (item: T) => T): T[] {
  if (!Array.isArray(items)) return items;
  let copy: T[] | undefined;
  for (const [at, item] of items.entries()) {
    const changed = change(item);
    if (changed !== item) (copy ??= items.slice())[at] = changed;
  }
  return copy ?? items;
}
