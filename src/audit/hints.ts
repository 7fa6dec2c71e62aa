/** What was probably meant, for mistakes that are made again and again. */
import { CONSTANTS } from '../../generated/constants.js';
import { eraOf, type Revision } from '../../generated/revisions.js';
import { METHODS } from '../../generated/methods.js';
import { PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY } from '../edge/envelope.js';
import { isObject } from '../protocol/jsonrpc.js';
import { lifetimeInWords } from './history-of-field.js';
import { findHistory } from './history.js';

/** Names that stand where another one is meant, in code written against a draft or another protocol. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  uriTemplate: ['uri', 'template', 'url'],
  uri: ['url', 'href'],
  supportedVersions: ['protocolVersions', 'versions', 'protocolVersion'],
  inputSchema: ['parameters', 'schema', 'input'],
  arguments: ['args', 'params', 'input'],
  mimeType: ['contentType', 'mediaType'],
  content: ['contents', 'result', 'output'],
  contents: ['content'],
  requestedSchema: ['schema'],
  data: ['base64', 'blob'],
  blob: ['data'],
};

export const SAME_LETTERS = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `missing`: the required field; `object`: where it is missing. */
export function hintForMissing(
  missing: string,
  object: unknown,
  revision: Revision,
): string | undefined {
  if (isObject(object)) {
    const keys = Object.keys(object);
    const alike = keys.find((key) => SAME_LETTERS(key) === SAME_LETTERS(missing));
    const meant = alike ?? ALIASES[missing]?.find((alias) => keys.includes(alias));
    if (meant !== undefined) return `\`${meant}\` should be \`${missing}\`.`;
  }
  if (missing === 'resultType') {
    return 'Every result says what it is: `"resultType": "complete"`, unless it asks for input.';
  }
  if (missing === 'ttlMs' || missing === 'cacheScope') {
    return 'Lists, reads and discovery carry cache hints; `"ttlMs": 0, "cacheScope": "private"` promises nothing.';
  }
  const envelope = [PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY, '_meta'];
  if (eraOf(revision) === 'modern' && (envelope.includes(missing) || missing === 'params')) {
    return `There is no handshake: each request carries \`${PROTOCOL_VERSION_KEY}\` and \`${CLIENT_CAPABILITIES_KEY}\` in \`params._meta\`.`;
  }
  if (missing === 'type' && isObject(object)) {
    return 'A schema says what it describes: `"type": "object"` at its root.';
  }
  return undefined;
}

/** Of a value that has the wrong type; `field` is its name. */
export function hintForType(field: string, value: unknown): string | undefined {
  if (field === 'content' && typeof value === 'string') {
    return 'Content is made of blocks: `[{ "type": "text", "text": "…" }]`.';
  }
  if (field === 'structuredContent' && !isObject(value)) {
    return 'Only an object can be said here; put the value under a key, as `{ "result": … }`.';
  }
  if (field === 'id' && value === null) return 'An id is a string or an integer, never null.';
  if (typeof value === 'string' && value !== '' && Number.isFinite(Number(value))) {
    return 'The number is written as a string.';
  }
  if (value === null) return 'Leave the field out where there is nothing to say.';
  return undefined;
}

/** Of a field that other revisions have. */
export function hintForForeign(field: string, revision: Revision): string | undefined {
  if (field === 'serverInfo' && eraOf(revision) === 'modern') {
    return 'The identity of a server is in `_meta` under `io.modelcontextprotocol/serverInfo`.';
  }
  if (field === 'protocolVersion' && eraOf(revision) === 'modern') {
    return 'Discovery lists `supportedVersions`; requests name theirs in `_meta`.';
  }
  return undefined;
}

export function hintForMethod(method: string, revision: Revision): string | undefined {
  const known = Object.keys(METHODS[revision]);
  if (known.includes(`notifications/${method}`)) return `It is called \`notifications/${method}\`.`;
  const alike = known.find((name) => SAME_LETTERS(name) === SAME_LETTERS(method));
  if (alike !== undefined) return `It is called \`${alike}\`.`;
  const [found] = findHistory(method).filter((one) => one.kind === 'method' && one.name === method);
  if (found === undefined) return undefined;
  if (method === 'initialize') return 'There is no handshake; ask `server/discover`.';
  return `Exists ${lifetimeInWords(found)}.`;
}

/** Numbers of drafts of the modern era, and of the legacy one, that no longer mean what they did. */
const FORMER_CODES: Readonly<Record<number, string>> = {
  [-32001]: 'HEADER_MISMATCH',
  [-32003]: 'MISSING_REQUIRED_CLIENT_CAPABILITY',
  [-32004]: 'UNSUPPORTED_PROTOCOL_VERSION',
  [-32002]: 'INVALID_PARAMS',
};

/** The range of the modern era that is the protocol's own (2026-07-28, basic). */
const RESERVED = { from: -32099, to: -32020 };

/** What is wrong with an error code, and what was meant; undefined where nothing is. */
export function codeFault(
  code: number,
  revision: Revision,
): { message: string; hint?: string } | undefined {
  if (eraOf(revision) === 'legacy') return undefined;
  const defined = Object.values(CONSTANTS[revision]);
  if (defined.includes(code)) return undefined;
  const former = FORMER_CODES[code];
  if (former !== undefined) {
    const now = String(CONSTANTS[revision][former]);
    const message = `${code} is a number of another revision or of a draft`;
    return { message, hint: `${former} is ${now} here.` };
  }
  if (code < RESERVED.from || code > RESERVED.to) return undefined;
  return { message: `${code} is reserved and defined by no part of ${revision}` };
}

/** Of a schema that is no JSON Schema: where `pointer` leads inside it. */
export function hintForEmbedded(schema: unknown, pointer: string): string | undefined {
  const steps = pointer.split('/').slice(1);
  const last = steps.at(-1);
  const value = steps.reduce<unknown>(
    (at, step) => (Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined),
    schema,
  );
  if (last === 'required' && typeof value === 'boolean') {
    return 'The object lists its required properties: `"required": ["name"]` beside `properties`.';
  }
  if (last === 'type' && typeof value === 'string') {
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
    const known: Readonly<Record<string, string>> = {
      str: 'string',
      int: 'integer',
      float: 'number',
      double: 'number',
      bool: 'boolean',
      list: 'array',
      dict: 'object',
    };
    const meant = types.find((type) => type === value.toLowerCase()) ?? known[value.toLowerCase()];
    if (meant !== undefined) return `The type is called "${meant}".`;
    return value === 'any' ? 'For any value, leave `type` out.' : undefined;
  }
  if (/^exclusiveM(in|ax)imum$/.test(last ?? '') && typeof value === 'boolean') {
    return 'That is draft-04; since draft-06 the bound itself stands here.';
  }
  if (last === 'items' && Array.isArray(value)) {
    return 'A list of schemas is `prefixItems` in 2020-12.';
  }
  return undefined;
}
