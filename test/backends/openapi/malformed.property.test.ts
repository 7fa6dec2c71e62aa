/** A document with anything in any of its places: the rest is imported, and nothing but words come of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/backends/openapi/import.js';
import { schemaFault } from '../../../src/backends/json-schema.js';

const schema = {
  type: 'object',
  required: ['a'],
  nullable: true,
  properties: {
    a: { $ref: '#/components/schemas/A' },
    b: {
      oneOf: [
        { type: 'string', pattern: '^x' },
        { type: 'array', items: {} },
      ],
    },
    c: { type: 'number', minimum: 1, exclusiveMinimum: true, enum: [2, 3] },
  },
  patternProperties: { '^x': { type: 'string', readOnly: true } },
  additionalProperties: false,
};

const sound = {
  openapi: '3.0.3',
  info: { title: 'x', version: '1' },
  servers: [{ url: 'https://{a}.example.test', variables: { a: { default: 'x', enum: ['x'] } } }],
  security: [{ key: [] }],
  paths: {
    '/x/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      put: {
        operationId: 'op',
        tags: ['t'],
        summary: 's',
        parameters: [
          { $ref: '#/components/parameters/P' },
          { name: 'q', in: 'query', style: 'deepObject', explode: true, schema },
          { name: 'j', in: 'query', content: { 'application/json': { schema } } },
        ],
        requestBody: {
          required: true,
          content: { 'multipart/form-data': { schema, encoding: { a: { contentType: 'x/y' } } } },
        },
        responses: { 200: { content: { 'application/json': { schema } } } },
        servers: [{ url: 'https://other.example.test' }],
      },
    },
    '/untouched': { get: { operationId: 'untouched', servers: [{ url: 'https://x.test' }] } },
  },
  components: {
    schemas: { A: { type: 'object', properties: { self: { $ref: '#/components/schemas/A' } } } },
    parameters: { P: { name: 'p', in: 'header', schema: { type: 'integer' } } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'k' } },
  },
};

type Path = readonly (string | number)[];

/** Every place below the root but `/paths/untouched` and what leads there. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const place = [...at, key];
    if (place[1] === '/untouched') return [];
    return key === 'paths' || key === 'openapi'
      ? placesIn(item, place)
      : [place, ...placesIn(item, place)];
  });
}

function replaced(value: unknown, [key, ...rest]: Path, junk: unknown): unknown {
  if (key === undefined) return junk;
  const copy = (
    Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
  ) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, junk);
  return copy;
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 0, '', 'x', [], {}, [null], { $ref: '#' }, { $ref: 3 }, { $ref: '' }],
    ...[{ $ref: '#/paths/~1x~1{id}/put' }, { $ref: '#/components/schemas/A/properties/self' }],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

describe('a document', () => {
  it('that is wrong in one or two places loses no other operation', () => {
    const place = fc.constantFrom(...placesIn(sound));
    fc.assert(
      fc.property(place, junk, place, junk, (firstPlace, first, secondPlace, second) => {
        const once = replaced(sound, firstPlace, first);
        // The second place may be gone with the first.
        let root = once as typeof sound;
        try {
          root = replaced(once, secondPlace, second) as typeof sound;
          // A hole in an array is nothing that JSON has.
          root = JSON.parse(JSON.stringify(root)) as typeof sound;
        } catch {
          // Then one fault has to do.
        }
        const document = { root, version: '3.0', url: undefined, bytes: 0 } as const;
        const { operations, report } = importDocument(document, { document: 'x' });
        expect([...operations.keys()]).toContain('untouched');
        for (const { what } of [...report.skipped, ...report.repairs]) {
          expect(what).not.toMatch(/Cannot |is not a function|is not iterable|of undefined/);
        }
        for (const { tool } of operations.values()) {
          expect(() => schemaFault(tool.inputSchema, {})).not.toThrow();
        }
      }),
      { numRuns: 500 },
    );
  });
});
