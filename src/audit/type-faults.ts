/** A value against one definition of a revision, as strictly as messages are checked. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Revision } from '../../generated/revisions.js';
import { ALL_ERRORS } from '../edge/all-errors.js';
import { faultsOf, type Fault } from '../edge/faults.js';
import { strictDefinitionsOf } from './schemas.js';

const compilers = new Map<Revision, Ajv2020>();

/** The revision has to have the definition. */
export function typeFaults(revision: Revision, definition: string, value: unknown): Fault[] {
  const validate = compilerOf(revision).getSchema(`mcp#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`${revision} has no definition ${definition}`);
  return validate(value) === true ? [] : faultsOf(validate.errors ?? []);
}

function compilerOf(revision: Revision): Ajv2020 {
  let ajv = compilers.get(revision);
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, ...ALL_ERRORS });
    addFormats.default(ajv);
    ajv.addSchema({ $defs: strictDefinitionsOf(revision) }, 'mcp');
    compilers.set(revision, ajv);
  }
  return ajv;
}
