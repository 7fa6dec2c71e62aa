/** Where an operation is called: the servers of the operation, its path or the document; or `baseUrl`. */
import { isObject } from '../../protocol/jsonrpc.js';
import { textOf } from '../text.js';
import type { JsonObject, OpenApiDocument } from './document.js';
import type { OpenApiTarget } from './options.js';

/** Throws an `Error` that says what is missing. */
export function serverUrl(
  document: OpenApiDocument,
  target: OpenApiTarget,
  ...holders: readonly JsonObject[]
): URL {
  if (target.baseUrl !== undefined) return new URL(target.baseUrl);
  const server = [...holders, document.root].map(firstServer).find((found) => found !== undefined);
  // Server Object: a document that names none means the place it came from.
  const stated = server === undefined ? '/' : expanded(server, target.serverVariables ?? {});
  if (URL.canParse(stated)) return checked(new URL(stated));
  if (document.url !== undefined && URL.canParse(stated, document.url.href)) {
    return checked(new URL(stated, document.url));
  }
  throw new Error(
    server === undefined
      ? 'the document names no server: give a baseUrl'
      : `the server ${stated} is no absolute URL: give a baseUrl`,
  );
}

function firstServer({ servers }: JsonObject): JsonObject | undefined {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  return isObject(first) && typeof first['url'] === 'string' ? first : undefined;
}

function expanded(server: JsonObject, given: Readonly<Record<string, string>>): string {
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return (server['url'] as string).replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const variable = variables[name];
    const { default: fallback, enum: allowed } = isObject(variable) ? variable : {};
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    if (own === undefined && fallback === undefined) {
      throw new Error(`the server's variable ${name} has no value: give one`);
    }
    const value = own ?? textOf(fallback);
    if (Array.isArray(allowed) && !allowed.map(textOf).includes(value)) {
      const accepted = allowed.map(textOf).join(', ');
      throw new Error(`the server's variable ${name} cannot be ${value}; accepted: ${accepted}`);
    }
    return value;
  });
}

function checked(url: URL): URL {
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new Error(`the server ${url.href} is not reached over http or https`);
}
