/** From everything ajv says about a value to what a reader needs. */
import type { ErrorObject } from 'ajv';

export interface Fault {
  readonly kind: 'schema' | 'foreign';
  /** JSON pointer into the validated value. */
  readonly pointer: string;
  readonly message: string;
  /** Of JSON Schema. */
  readonly keyword: string;
}

const UNIONS = new Set(['anyOf', 'oneOf']);

/**
 * ajv reports every branch of a union that did not match. The branch that was meant is the one whose
 * constants fit, so all that comes from branches with a wrong constant goes, and then the union's own
 * complaint, if something more telling is left below it.
 */
export function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const unions = errors.filter((error) => UNIONS.has(error.keyword));
  const below = errorsBelow(errors, unions);
  const dropped = new Set<ErrorObject>();
  for (const union of unions) dropOtherBranches(union, below, dropped);
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    if (dropped.has(error)) continue;
    const fault = faultOf(error);
    const key = JSON.stringify([fault.pointer, fault.message]);
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}

/**
 * By the place of each union: the errors there and below, in their order. Found by their own paths
 * and not by a search for each union, since a message may be wrong in thousands of places.
 */
function errorsBelow(
  errors: readonly ErrorObject[],
  unions: readonly ErrorObject[],
): Map<string, ErrorObject[]> {
  const below = new Map(unions.map(({ instancePath }) => [instancePath, [] as ErrorObject[]]));
  for (const error of errors) {
    const { instancePath } = error;
    for (let end = instancePath.length; end >= 0;) {
      below.get(instancePath.slice(0, end))?.push(error);
      end = end === 0 ? -1 : instancePath.lastIndexOf('/', end - 1);
    }
  }
  return below;
}

function dropOtherBranches(
  union: ErrorObject,
  places: ReadonlyMap<string, ErrorObject[]>,
  dropped: Set<ErrorObject>,
): void {
  const below = (places.get(union.instancePath) ?? []).filter(
    (error) => error !== union && !dropped.has(error),
  );
  const branches = branchesOf(below, union);
  const wrong = new Set(
    below.filter((error) => isDiscriminator(error, union)).map((error) => branches.get(error)),
  );
  const meant = below.filter((error) => !wrong.has(branches.get(error)));
  const kept = new Set(meant.length > 0 ? meant : [union]);
  for (const error of [union, ...below]) if (!kept.has(error)) dropped.add(error);
}

/**
 * Which branch raised what. The schema path names it, except for a definition that ajv compiled to a
 * function of its own: there it starts anew at `#`. Such functions are told apart by their order,
 * since each complains of what is missing first, and of a constant once.
 */
function branchesOf(errors: readonly ErrorObject[], union: ErrorObject): Map<ErrorObject, string> {
  const branches = new Map<ErrorObject, string>();
  let own = 0;
  let pastMissing = false;
  const constants = new Set<string>();
  for (const error of errors) {
    const named = /^(?:.*\/(?:anyOf|oneOf)\/\d+|#\/\$defs\/[^/]+)/.exec(error.schemaPath)?.[0];
    if (named === undefined) {
      const missing = error.instancePath === union.instancePath;
      const again = isDiscriminator(error, union) && constants.has(error.instancePath);
      if ((missing && pastMissing) || again) {
        own++;
        constants.clear();
      }
      pastMissing = !missing;
      if (isDiscriminator(error, union)) constants.add(error.instancePath);
    }
    branches.set(error, named ?? `#${own}`);
  }
  return branches;
}

function isDiscriminator(error: ErrorObject, union: ErrorObject): boolean {
  return (error.keyword === 'const' || error.keyword === 'enum') && depth(error, union) === 1;
}

function depth(error: ErrorObject, union: ErrorObject): number {
  return error.instancePath.slice(union.instancePath.length).split('/').length - 1;
}

function faultOf(error: ErrorObject): Fault {
  if (error.keyword === 'false schema') {
    return {
      kind: 'foreign',
      pointer: error.instancePath,
      message: 'is a field of another revision',
      keyword: error.keyword,
    };
  }
  const { instancePath: pointer, keyword } = error;
  return { kind: 'schema', pointer, message: messageOf(error), keyword };
}

function messageOf(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(params['allowedValues'])}`;
  return error.message ?? `breaks ${error.keyword}`;
}
