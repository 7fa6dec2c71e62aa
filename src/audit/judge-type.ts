/** A value against one definition of a revision, for what is no message by itself. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Revision } from '../../generated/revisions.js';
import { schemaFaults } from '../edge/embedded.js';
import { faultsOf } from '../edge/faults.js';
import { isObject } from '../protocol/jsonrpc.js';
import { checkOfKeyword, type Finding } from './checks.js';
import { hintForEmbedded } from './hints.js';
import { detailsOf, finding, misspelt, onePerPlace } from './judge.js';
import { strictDefinitionsOf } from './schemas.js';

const compilers = new Map<Revision, Ajv2020>();

/** Throws where the revision has no definition of that name. */
export function judgeType(
  revision: Revision,
  definition: string,
  value: unknown,
  strict: boolean,
): Finding[] {
  const definitions = strictDefinitionsOf(revision);
  if (!(definition in definitions)) {
    const near = Object.keys(definitions)
      .filter((name) => name.toLowerCase().includes(definition.toLowerCase()))
      .slice(0, 5);
    const such = near.length === 0 ? '' : `; it has ${near.join(', ')}`;
    throw new Error(`${revision} has no definition ${definition}${such}`);
  }
  const validate = compilerOf(revision).compile({ $ref: `mcp#/$defs/${definition}` });
  const rooted = { revision, definition, value, at: '' };
  const faults = validate(value) ? [] : faultsOf(validate.errors ?? []);
  return [
    ...faults.map(({ kind, pointer, message, keyword }) => {
      const check = kind === 'foreign' ? 'foreign-field' : checkOfKeyword(keyword);
      const details = detailsOf(check, pointer, message, value, rooted);
      return finding(check, pointer, message, strict, details);
    }),
    ...onePerPlace(embedded(value, strict)),
    ...misspelt(rooted, strict),
  ];
}

function compilerOf(revision: Revision): Ajv2020 {
  let ajv = compilers.get(revision);
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $defs: strictDefinitionsOf(revision) }, 'mcp');
    compilers.set(revision, ajv);
  }
  return ajv;
}

function embedded(value: unknown, strict: boolean): Finding[] {
  const tools = isObject(value) && Array.isArray(value['tools']) ? value['tools'] : undefined;
  const carriers = tools?.map((tool: unknown, at): [unknown, string] => [tool, `/tools/${at}`]) ?? [
    [value, ''],
  ];
  return carriers.flatMap(([tool, at]) =>
    ['inputSchema', 'outputSchema'].flatMap((key) => {
      const schema = isObject(tool) ? tool[key] : undefined;
      return schemaFaults(schema).map(({ pointer, message }) =>
        finding('embedded-schema', `${String(at)}/${key}${pointer}`, message, strict, {
          hint: hintForEmbedded(schema, pointer),
        }),
      );
    }),
  );
}
