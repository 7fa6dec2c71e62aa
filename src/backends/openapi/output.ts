/** What the document promises of a success, as far as mcpx can promise it on. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../protocol/jsonrpc.js';
import type { JsonObject } from './document.js';
import { mediaOf, type Media } from './media.js';
import { BrokenReference, type References } from './references.js';
import type { JsonSchema, SchemaBook } from './schema.js';

/** Characters of a schema. With larger ones a list of many tools would be nothing but promises. */
const MAX_LENGTH = 16 * 1024;

/** Content of each success (2xx) that the document describes, in its order. */
export function successes(operation: JsonObject, references: References): (readonly Media[])[] {
  const responses = isObject(operation['responses']) ? operation['responses'] : {};
  return Object.entries(responses)
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
    .map(([, response]) => {
      try {
        return mediaOf(references.resolve(response)['content']);
      } catch (error) {
        if (!(error instanceof BrokenReference)) throw error;
        return [];
      }
    });
}

/**
 * Undefined unless every success is JSON with a schema: `structuredContent` has to fit whatever success
 * it was. `tooLarge` where that alone is the reason.
 */
export function promisedOutput(
  described: readonly (readonly Media[])[],
  book: SchemaBook,
  where: string,
): JsonSchema | 'tooLarge' | undefined {
  const schemas: unknown[] = [];
  for (const media of described) {
    const json = media.find(({ kind }) => kind === 'json');
    if (json === undefined || !isObject(json.schema) || Object.keys(json.schema).length === 0) {
      return undefined;
    }
    if (!schemas.some((other) => isDeepStrictEqual(other, json.schema))) schemas.push(json.schema);
  }
  if (schemas.length === 0) return undefined;
  const uses = new Set<string>();
  const parts = schemas.map((schema) => book.part(schema, `${where} response`, uses));
  const [first] = parts;
  const root = parts.length === 1 && isObject(first) ? first : { anyOf: parts };
  const schema: JsonSchema = { ...root, ...book.definitions(uses) };
  return JSON.stringify(schema).length > MAX_LENGTH ? 'tooLarge' : schema;
}

/** `Accept`: JSON before all else, then what is described, then anything. */
export function acceptOf(described: readonly (readonly Media[])[]): string {
  const media = described.flat();
  const json = media.filter(({ kind }) => kind === 'json').map(({ type }) => type);
  const other = media.filter(({ kind }) => kind !== 'json').map(({ type }) => `${type};q=0.8`);
  const wanted = json.length + other.length === 0 ? ['application/json'] : [...json, ...other];
  return [...new Set([...wanted, '*/*;q=0.1'])].join(', ');
}
