/** Schemas of a document as JSON Schema 2020-12. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { imported, operationAt } from '../../support/openapi.js';

interface Translated {
  schema: Record<string, unknown>;
  $defs: Record<string, unknown>;
  repairs: string[];
}

async function translated(
  schema: unknown,
  { version = '3.0.3', schemas = {} }: { version?: string; schemas?: object } = {},
): Promise<Translated> {
  const requestBody = { content: { 'application/json': { schema } } };
  const more = { openapi: version, components: { schemas } };
  const { backend, report } = await imported(operationAt('/x', { requestBody }, 'post', more));
  const [tool] = await backend.tools();
  const { properties = {}, ...rest } = tool?.inputSchema as {
    properties?: Record<string, Record<string, unknown>>;
    $defs?: Record<string, unknown>;
  };
  // What a client does with it: it has to be valid, and to have no reference that leads nowhere.
  new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile({
    properties,
    ...rest,
  });
  return {
    schema: properties['body'] ?? {},
    $defs: rest.$defs ?? {},
    repairs: report.repairs.map(({ where, what }) => `${where}: ${what}`),
  };
}

describe('a schema of 3.0', () => {
  it.each([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      { nullable: true, allOf: [{ type: 'string' }] },
      { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
    ],
    [{ nullable: true }, {}],
    [{ type: 'string', nullable: false }, { type: 'string' }],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    [
      { type: 'string', example: 'a' },
      { type: 'string', examples: ['a'] },
    ],
    [
      { type: 'string', format: 'byte' },
      { type: 'string', contentEncoding: 'base64' },
    ],
    [{ oneOf: [{ type: 'string' }, {}] }, { anyOf: [{ type: 'string' }, {}] }],
    [
      { type: 'object', discriminator: {}, xml: {}, externalDocs: {}, 'x-own': 1 },
      { type: 'object' },
    ],
    [
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }] },
    ],
  ])('%j becomes %j', async (given, expected) => {
    const { schema, repairs } = await translated(given);
    expect(schema).toEqual(expected);
    expect(repairs).toEqual([]);
  });

  it('has nothing count beside a reference', async () => {
    const given = {
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/A', minimum: 3 } },
    };
    const { schema } = await translated(given, { schemas: { A: { type: 'number' } } });
    expect(schema['properties']).toEqual({ a: { $ref: '#/$defs/A' } });
  });
});

describe('a schema of 3.1', () => {
  const version = '3.1.1';

  it('keeps what stands beside a reference', async () => {
    const given = {
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/A', minimum: 3, description: 'here' } },
    };
    const { schema } = await translated(given, { version, schemas: { A: { type: 'number' } } });
    expect(schema['properties']).toEqual({
      a: { $ref: '#/$defs/A', minimum: 3, description: 'here' },
    });
  });

  it('is JSON Schema already', async () => {
    const given = {
      type: ['object', 'null'],
      properties: { a: true, b: { const: 1 }, c: { examples: [1] } },
      patternProperties: { '^x': { exclusiveMinimum: 1 } },
      if: { required: ['a'] },
      then: { dependentRequired: { a: ['b'] } },
      unevaluatedProperties: false,
    };
    expect((await translated(given, { version })).schema).toEqual(given);
  });
});

describe('references', () => {
  const Node = {
    type: 'object',
    properties: {
      value: { type: 'string', nullable: true },
      children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    },
  };

  it('that go round in a circle are kept, and the first is resolved where it stands', async () => {
    const { schema, $defs } = await translated(
      { $ref: '#/components/schemas/Node' },
      { schemas: { Node } },
    );
    const expected = {
      type: 'object',
      properties: {
        value: { type: ['string', 'null'] },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
    };
    expect(schema).toEqual(expected);
    expect($defs).toEqual({ Node: expected });
  });

  it('go to any place of the document, each under a name of its own', async () => {
    const given = {
      type: 'object',
      properties: {
        a: { $ref: '#/components/schemas/Holder/properties/Node' },
        b: { $ref: '#/components/schemas/Node' },
        c: { $ref: '#/components/schemas/with~1slash%20and~0tilde' },
      },
    };
    const schemas = {
      Node,
      Holder: { properties: { Node: { type: 'integer' } } },
      'with/slash and~tilde': { type: 'boolean' },
    };
    const { schema, $defs } = await translated(given, { schemas });
    expect(schema['properties']).toEqual({
      a: { $ref: '#/$defs/Node' },
      b: { $ref: '#/$defs/Node_2' },
      c: { $ref: '#/$defs/with_slash_and_tilde' },
    });
    expect(Object.keys($defs)).toEqual(['Node', 'Node_2', 'with_slash_and_tilde']);
  });

  it.each([
    ['https://schemas.example.test/x.json', 'points out of the document, and is not fetched'],
    ['other.yaml#/A', 'points out of the document, and is not fetched'],
    ['#/components/schemas/Gone', 'points at nothing'],
    ['#anchor', 'is no JSON pointer'],
  ])('B22: that cannot be followed (%s) let anything fit, and are told', async ($ref, why) => {
    const { schema, repairs } = await translated({ type: 'array', items: { $ref } });
    expect(schema).toEqual({ type: 'array', items: {} });
    expect(repairs).toEqual([`POST /x body/items: ${$ref} ${why}; anything fits instead`]);
  });

  it('that lead only to each other let anything fit', async () => {
    const schemas = {
      A: { $ref: '#/components/schemas/B' },
      B: { $ref: '#/components/schemas/A' },
    };
    const { backend, report } = await imported(
      operationAt(
        '/x',
        {
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
          },
        },
        'post',
        { components: { schemas } },
      ),
    );
    const [tool] = await backend.tools();
    expect(tool?.inputSchema.properties).toEqual({ body: {} });
    expect(report.repairs.map(({ what }) => what)).toEqual([
      '#/components/schemas/B refers to itself without end; anything fits instead',
    ]);
  });
});

describe('a keyword that cannot be used', () => {
  it.each([
    [{ type: 'file' }, 'type'],
    [{ pattern: '(?<!a' }, 'pattern'],
    [{ required: true }, 'required'],
    [{ enum: [] }, 'enum'],
    [{ minimum: '3' }, 'minimum'],
    [{ multipleOf: 0 }, 'multipleOf'],
    [{ maxLength: -1 }, 'maxLength'],
    [{ properties: [] }, 'properties'],
    [{ allOf: {} }, 'allOf'],
    [{ patternProperties: { '(': {} } }, 'patternProperties'],
  ])('is left out and told: %j', async (given, key) => {
    const { schema, repairs } = await translated(given);
    expect(schema[key] ?? {}).toEqual({});
    expect(repairs).toHaveLength(1);
    expect(repairs[0]).toContain(`POST /x body/${key}`);
  });

  it.each([null, 'string', 3])('is a whole schema that is none: %j', async (given) => {
    const { schema, repairs } = await translated({ type: 'array', items: given });
    expect(schema).toEqual({ type: 'array', items: {} });
    expect(repairs).toEqual(['POST /x body/items: is no schema; anything fits instead']);
  });
});

describe('properties of one direction', () => {
  const Pet = {
    type: 'object',
    required: ['id', 'name', 'secret'],
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
  };
  const schemas = { Pet, Id: { type: 'integer', readOnly: true } };

  it('are not asked for where only the service writes them', async () => {
    const { schema } = await translated({ $ref: '#/components/schemas/Pet' }, { schemas });
    expect(Object.keys(schema['properties'] as object)).toEqual(['name', 'secret']);
    expect(schema['required']).toEqual(['name', 'secret']);
  });

  it('are not promised where the service never shows them', async () => {
    const schema = { $ref: '#/components/schemas/Pet' };
    const responses = { 200: { content: { 'application/json': { schema } } } };
    const { backend } = await imported(
      operationAt('/x', { responses }, 'get', { components: { schemas } }),
    );
    const [tool] = await backend.tools();
    expect(tool?.outputSchema).toMatchObject({ type: 'object', required: ['id', 'name'] });
  });
});
