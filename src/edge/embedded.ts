/** Whether a schema that travels inside a message is JSON Schema, in the dialect it declares. */
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../protocol/jsonrpc.js';
import { ALL_ERRORS } from './all-errors.js';
import { danglingRefs } from './schema-refs.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema';
const DRAFT_2020_12 = 'https://json-schema.org/draft/2020-12/schema';

const META_SCHEMAS: ReadonlyMap<string, ValidateFunction> = new Map([
  [DRAFT_07, metaSchema(new Ajv(ALL_ERRORS), DRAFT_07)],
  [DRAFT_2020_12, metaSchema(new Ajv2020(ALL_ERRORS), DRAFT_2020_12)],
]);

export interface SchemaFault {
  /** JSON pointer into the schema. */
  readonly pointer: string;
  readonly message: string;
}

/** Nothing is said of a dialect mcpx does not know. Without `$schema` it is 2020-12 (2025-11-25, basic). */
export function schemaFaults(schema: unknown): SchemaFault[] {
  if (!isObject(schema)) return [];
  const declared = schema['$schema'];
  const dialect = typeof declared === 'string' ? declared.replace(/#$/, '') : DRAFT_2020_12;
  const validate = META_SCHEMAS.get(dialect);
  if (validate === undefined) return [];
  if (!validate(schema)) {
    return (validate.errors ?? []).map((error) => ({
      pointer: error.instancePath,
      message: `is not JSON Schema: ${error.message ?? error.keyword}`,
    }));
  }
  return danglingRefs(schema).map((ref) => ({
    pointer: '',
    message: `refers to ${ref}, where there is nothing`,
  }));
}

function metaSchema(ajv: Ajv | Ajv2020, id: string): ValidateFunction {
  const validate = ajv.getSchema(id);
  if (validate === undefined) throw new Error(`ajv does not bring ${id}`);
  return validate as ValidateFunction;
}
