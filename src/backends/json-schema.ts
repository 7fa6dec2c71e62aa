/**
 * Values against a JSON Schema that came with a tool: 2020-12, or draft-07 where the schema says so
 * (2025-11-25, basic, JSON Schema usage). Nothing is ever fetched, formats are annotations.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDeeperThan } from '../protocol/depth.js';
import { plainNumbers } from '../protocol/json.js';
import { isObject } from '../protocol/jsonrpc.js';
import { TooLong, within } from './bounded.js';

const DEFAULT_DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const DIALECTS: Readonly<Record<string, typeof Ajv | typeof Ajv2020>> = {
  [DEFAULT_DIALECT]: Ajv2020,
  'http://json-schema.org/draft-07/schema': Ajv,
};

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  // The schema comes from a backend; checking it against its meta-schema would cost more than using it.
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
};

/** Bounds on a schema that somebody else wrote: compiling takes time and memory with each subschema. */
const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

/** Keywords with which a small value can take for ever: patterns backtrack, and items are compared in pairs. */
const COSTLY: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'uniqueItems']);
/** How long a value may take with them, in milliseconds. Nobody else is served meanwhile. */
const PATIENCE = 100;

/** The schema, not the value, is at fault. */
export class UnusableSchema extends Error {
  override readonly name = 'UnusableSchema';
}

const compiled = new WeakMap<object, Validate | UnusableSchema>();

type Validate = ValidateFunction & { readonly costly: boolean };

/**
 * What is wrong with the value, in words for whoever made it; undefined if nothing is. Raw numbers
 * count by their nearest double. A schema is compiled once. Throws `UnusableSchema`.
 */
export function schemaFault(schema: object, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  let valid: boolean;
  try {
    const plain = plainNumbers(value);
    valid = validate.costly ? within(PATIENCE, () => validate(plain)) : validate(plain);
  } catch (error) {
    if (error instanceof TooLong) {
      throw new UnusableSchema(`the value was not checked within ${PATIENCE} ms`);
    }
    throw new UnusableSchema('it refers to itself without end');
  }
  return valid ? undefined : describe(validate.errors?.[0]);
}

function validatorOf(schema: object): Validate {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = compile(schema);
    compiled.set(schema, validate);
  }
  if (validate instanceof UnusableSchema) throw validate;
  return validate;
}

function compile(given: object): Validate | UnusableSchema {
  if (isDeeperThan(given, MAX_DEPTH)) return unusable(`it nests deeper than ${MAX_DEPTH} levels`);
  const schema: unknown = plainNumbers(given);
  if (!isObject(schema)) return unusable('it is no object');
  if (nodes(schema) > MAX_NODES) return unusable(`it has more than ${MAX_NODES} parts`);
  const declared = schema['$schema'] ?? DEFAULT_DIALECT;
  const Dialect = typeof declared === 'string' ? DIALECTS[declared.replace(/#$/, '')] : undefined;
  if (Dialect === undefined) {
    const known = Object.keys(DIALECTS).join(' and ');
    return unusable(`its $schema is ${JSON.stringify(declared)}; supported are ${known}`);
  }
  try {
    // An instance each: two schemas may have the same $id, and one that goes takes its memory with it.
    return Object.assign(new Dialect(OPTIONS).compile(schema), { costly: isCostly(schema) });
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  }
}

function unusable(why: string): UnusableSchema {
  return new UnusableSchema(why);
}

function nodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const item of Object.values(value)) count += nodes(item);
  return count;
}

function isCostly(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([key, part]) => COSTLY.has(key) || isCostly(part));
}

/** Which of ajv's parameters a reader needs beside its message. */
const DETAILS: Readonly<Record<string, string>> = {
  enum: 'allowedValues',
  const: 'allowedValue',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
};

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not fit';
  const where = error.instancePath === '' ? '' : `${error.instancePath} `;
  const detail = (error.params as Record<string, unknown>)[DETAILS[error.keyword] ?? ''];
  const shown = detail === undefined ? '' : `: ${JSON.stringify(detail)}`;
  return `${where}${error.message ?? `breaks ${error.keyword}`}${shown}`;
}

/** Why no value can be held against the schema, in words; undefined if one can. */
export function schemaProblem(schema: object): string | undefined {
  const validate = compile(schema);
  return validate instanceof UnusableSchema ? validate.message : undefined;
}
