/** Made-up messages of the newest revision, for every method, in the shape handlers build. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { METHODS } from '../../generated/methods.js';
import { NEWEST } from '../../generated/revisions.js';
import { arbitraryOf, anyJson, type Definitions, type Overrides } from './arbitrary.js';

const schema = JSON.parse(
  readFileSync(new URL(`../../generated/${NEWEST}/schema.json`, import.meta.url), 'utf8'),
) as { $defs: Definitions };

/** What `execution` may say: no field of the newest revision, but kept with tools for one that has it. */
const execution = fc.record(
  { taskSupport: fc.constantFrom('required', 'optional', 'forbidden') },
  { requiredKeys: [] },
);

const leafSchema = fc.constantFrom<unknown>(
  {},
  { type: 'string' },
  { type: 'integer', minimum: 0 },
  { enum: ['a', 1, null] },
  { $ref: '#/$defs/Shared' },
);

const DIALECTS = [
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
];

const objectSchema = fc.record(
  {
    $schema: fc.constantFrom(...DIALECTS),
    type: fc.constant('object'),
    properties: fc.dictionary(
      fc.constantFrom('a', 'b', '$ref'),
      fc.oneof(leafSchema, fc.boolean()),
      {
        noNullPrototype: true,
      },
    ),
    required: fc.constant(['a']),
    additionalProperties: fc.oneof(fc.boolean(), leafSchema),
    oneOf: fc.array(leafSchema, { minLength: 1, maxLength: 2 }),
    title: fc.string(),
    'x-mine': anyJson,
    $defs: fc.constant({ Shared: { type: 'number' } }),
  },
  { requiredKeys: ['type', '$defs'], noNullPrototype: true },
);

const otherSchema = fc.record(
  {
    $schema: fc.constantFrom(...DIALECTS),
    type: fc.constantFrom<unknown>('array', 'string', ['object', 'null']),
    items: leafSchema,
    anyOf: fc.array(leafSchema, { minLength: 1, maxLength: 2 }),
    $defs: fc.constant({ Shared: { $ref: '#' } }),
  },
  { requiredKeys: ['$defs'], noNullPrototype: true },
);

const OVERRIDES: Overrides = {
  'Tool.inputSchema': objectSchema,
  'Tool.outputSchema': fc.oneof(objectSchema, otherSchema),
};

/** By definition name. */
export const newest = (name: string): fc.Arbitrary<unknown> =>
  arbitraryOf(name, schema.$defs, OVERRIDES);

export interface Made {
  method: string;
  value: fc.Arbitrary<Record<string, unknown>>;
}

const facts = Object.entries(METHODS[NEWEST]).filter(([, fact]) => fact.extension === undefined);

/** Complete results of every request, without the envelope's `resultType`. */
export const RESULTS = results('request');

/** What a client answers to questions. */
export const ANSWERS = results('inputRequest');

export const NOTIFICATIONS = made('notification');
export const REQUESTS = made('request');
export const INPUT_REQUESTS = made('inputRequest');

function made(kind: string): readonly Made[] {
  return facts
    .filter(([, fact]) => fact.kind === kind)
    .map(([method, { definition }]) => ({
      method,
      value: newest(definition).map(
        (message) => ((message as { params?: object }).params ?? {}) as Record<string, unknown>,
      ),
    }));
}

function results(ofKind: string): readonly Made[] {
  return facts.flatMap(([method, { kind, result }]) =>
    kind === ofKind && result !== undefined ? [{ method, value: bare(result) }] : [],
  );
}

function bare(result: string): fc.Arbitrary<Record<string, unknown>> {
  const value = newest(result).map((made) => {
    const { resultType: _type, ...rest } = made as Record<string, unknown>;
    return rest;
  });
  return result === 'ListToolsResult' ? fc.tuple(value, execution).map(withExecution) : value;
}

function withExecution([list, execution]: [Record<string, unknown>, unknown]): Record<
  string,
  unknown
> {
  const tools = list['tools'] as object[];
  return {
    ...list,
    tools: tools.map((tool, at) => (at % 2 === 0 ? tool : { ...tool, execution })),
  };
}
