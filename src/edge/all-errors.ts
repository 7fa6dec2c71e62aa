/** Options of an ajv that is to find everything, in time that grows with what it finds and no faster. */
import type { Options } from 'ajv';

export const ALL_ERRORS = { allErrors: true, code: { process: inPlace } } satisfies Options;

/**
 * ajv copies all errors so far to add those of a definition, and so takes minutes for a value that is
 * wrong in thousands of places. Each call of a validate function makes a list of its own, so nobody else
 * holds the one that grows.
 */
function inPlace(code: string): string {
  const append =
    'function append(errors, more) { for (const error of more) errors.push(error); return errors; }';
  return `${append}\n${code.replace(/vErrors\.concat\(([\w.]+)\)/g, 'append(vErrors, $1)')}`;
}
