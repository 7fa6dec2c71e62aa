/** Arguments as text. */
import { RawNumber, stringifyJson, wholeNumber } from '../protocol/json.js';

/** A string as it is, nothing for null, what has parts as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (value instanceof RawNumber) return String(wholeNumber(value));
  if (typeof value === 'object') return stringifyJson(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
