/** The HTTP request that a call of an operation is. */
import { ArgumentsRefused } from '../backend.js';
import type { HttpRequest } from '../http/exchange.js';
import { hasDotSegment } from '../http/path.js';
import { encodeBody } from './body.js';
import type { Operation } from './operation.js';
import { inCookie, inHeader, inPath, inQuery } from './serialize.js';

/** Throws `ArgumentsRefused` for what cannot be written. */
export function buildRequest(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
): HttpRequest {
  try {
    return build(operation, args);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new ArgumentsRefused('a text holds half of a surrogate pair, which cannot be sent');
  }
}

function build(operation: Operation, args: Readonly<Record<string, unknown>>): HttpRequest {
  const { server, credentials, accept, method, body } = operation;
  let path = operation.path;
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = { accept };
  for (const [argument, parameter] of operation.parameters) {
    if (!Object.hasOwn(args, argument)) continue;
    const value = args[argument];
    if (parameter.in === 'path') {
      const written = inPath(parameter, value);
      if (written === '')
        throw new ArgumentsRefused(`${argument} is empty, and stands in the path`);
      path = path.replaceAll(`{${parameter.name}}`, () => written);
    } else if (parameter.in === 'query') query.push(...inQuery(parameter, value));
    else if (parameter.in === 'cookie') cookies.push(...inCookie(parameter, value));
    else headers[parameter.name.toLowerCase()] = headerSafe(argument, inHeader(parameter, value));
  }
  if (hasDotSegment(path)) {
    throw new ArgumentsRefused('a part of the path would be "." or "..", which leads elsewhere');
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const url = new URL(server);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  url.search = [url.search.slice(1), ...query].filter((part) => part !== '').join('&');
  const value = body === undefined ? undefined : args[body.argument];
  return {
    method,
    url,
    headers,
    credentials,
    ...(body === undefined || value === undefined ? {} : { body: encodeBody(body.body, value) }),
  };
}

function headerSafe(argument: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new ArgumentsRefused(`${argument} has characters that a header cannot hold`);
}
