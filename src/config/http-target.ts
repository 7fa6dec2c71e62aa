/** How a server behind HTTP is reached, as the configuration file says it. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HttpTarget } from '../backends/upstream/options.js';
import type { Fields } from './fields.js';
import type { Reading } from './reading.js';

/** What is said of each request as it is sent. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  ...['content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect'],
]);

/** `key`: where the address is. */
export function httpTarget(fields: Fields, key: string, reading: Reading): HttpTarget {
  const sse = ['type', 'transport'].some((type) => fields.raw(type) === 'sse');
  const text = fields.url(key) ?? '';
  const basic = credentialsIn(text, fields.at(key), reading);
  const headers = headersOf(fields, reading);
  return {
    kind: 'http',
    url: basic === undefined ? text : withoutCredentials(text),
    // One that is configured is stronger, however its name is written.
    headers: basic === undefined ? headers : { authorization: basic, ...headers },
    ...(sse && { sse }),
  };
}

function headersOf(fields: Fields, reading: Reading): Record<string, string> {
  const headers = fields.texts('headers') ?? {};
  for (const [name, value] of Object.entries(headers)) {
    const where = fields.at('headers', name);
    if (!passes(() => validateHeaderName(name))) {
      reading.mistake(where, 'is no name that an HTTP header can have');
    } else if (OF_THE_REQUEST.has(name.toLowerCase())) {
      reading.mistake(where, 'is set by mcpx itself, for each request');
    } else if (!passes(() => validateHeaderValue(name, value))) {
      // It may be a secret, and is not shown.
      reading.mistake(where, 'has a character that no HTTP header can have, such as a line end');
    }
  }
  return headers;
}

/** A user name and a password in the address go as a header: nothing else would ever send them. */
function credentialsIn(address: string, where: string, reading: Reading): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { username, password } = new URL(address);
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    reading.mistake(where, 'has a "%" in its user name or password, which is written as "%25"');
    return undefined;
  }
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

function passes(validate: () => void): boolean {
  try {
    validate();
    return true;
  } catch {
    return false;
  }
}
