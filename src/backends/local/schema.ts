/**
 * Schemas in the two forms an author may have them: plain JSON Schema, or an object of a library that
 * implements Standard Schema (https://standardschema.dev), which brings its types along.
 */
import { isObject } from '../../protocol/jsonrpc.js';

export type JsonSchema = Record<string, unknown>;

/** The part of the Standard Schema interface that mcpx uses. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { target: 'draft-2020-12' }) => JsonSchema;
      readonly output: (options: { target: 'draft-2020-12' }) => JsonSchema;
    };
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type Schema = JsonSchema | StandardSchema;

/** What a handler gets for a schema. */
export type Parsed<S> = S extends { '~standard': { types?: infer T } }
  ? NonNullable<T> extends { output: infer Output }
    ? Output
    : unknown
  : Record<string, unknown>;

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const known = typeof schema === 'function' || isObject(schema);
  return known && isObject((schema as unknown as Record<string, unknown>)['~standard']);
}

/** For a library whose schemas cannot tell their JSON Schema themselves. */
export function withJsonSchema<S extends StandardSchema>(schema: S, jsonSchema: JsonSchema): S {
  const json = { input: () => jsonSchema, output: () => jsonSchema };
  return { '~standard': { ...schema['~standard'], jsonSchema: json } } as unknown as S;
}

/**
 * `side`: what goes in (arguments) or what comes out (structured content). Throws an `Error` where the
 * library has no way to say.
 */
export function jsonSchemaOf(schema: Schema, side: 'input' | 'output'): JsonSchema {
  if (!isStandardSchema(schema)) return schema;
  const standard = schema['~standard'];
  if (standard.jsonSchema !== undefined) {
    return standard.jsonSchema[side]({ target: 'draft-2020-12' });
  }
  const { toJSONSchema, toJsonSchema } = schema as unknown as Partial<
    Record<'toJSONSchema' | 'toJsonSchema', (options: object) => JsonSchema>
  >;
  const own = toJSONSchema ?? toJsonSchema;
  if (typeof own === 'function') return own.call(schema, { io: side });
  throw new Error(
    `A schema of ${standard.vendor} does not tell its JSON Schema; pass withJsonSchema(schema, jsonSchema)`,
  );
}

/** The value as the library makes it, defaults and transforms applied, or what it finds wrong. */
export async function parseStandard(
  schema: StandardSchema,
  value: unknown,
): Promise<{ value: unknown } | { fault: string }> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return { value: result.value };
  return { fault: result.issues.map(describe).join('; ') };
}

function describe({ message, path = [] }: StandardIssue): string {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
  return steps.length === 0 ? message : `/${steps.join('/')}: ${message}`;
}
