/** A value against one definition of a revision, for what is no message by itself. */
import type { Revision } from '../../generated/revisions.js';
import { schemaFaults } from '../edge/embedded.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { Finding } from './checks.js';
import { hintForEmbedded } from './hints.js';
import { faultFindings, finding, misspelt, onePerPlace } from './judge.js';
import { strictDefinitionsOf } from './schemas.js';
import { typeFaults } from './type-faults.js';

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
  const rooted = { revision, definition, value, at: '' };
  return [
    ...faultFindings(typeFaults(revision, definition, value), value, rooted, strict),
    ...onePerPlace(embedded(value, strict)),
    ...misspelt(rooted, strict),
  ];
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
        finding('embedded-schema', `${at}/${key}${pointer}`, message, strict, {
          hint: hintForEmbedded(schema, pointer),
        }),
      );
    }),
  );
}
