/**
 * Everything that `mcpx validate` can find, under ids that stay: scripts and suppressions name them.
 * `lenient` is the severity without `--strict`; with it, everything is an error.
 */
export type Severity = 'error' | 'warning';

interface Check {
  readonly lenient: Severity;
  /** What is wrong, for somebody who reads the id only. */
  readonly title: string;
}

export const CHECKS = {
  'json-syntax': { lenient: 'error', title: 'The text is not JSON' },
  frame: { lenient: 'error', title: 'The value is no JSON-RPC 2.0 message' },
  'frame-batch': { lenient: 'error', title: 'The revision has no batches' },
  'method-unknown': { lenient: 'error', title: 'The revision has no such method' },
  'method-sender': { lenient: 'error', title: 'The method exists, but not from this sender' },
  'schema-required': { lenient: 'error', title: 'A required field is missing' },
  'schema-type': { lenient: 'error', title: 'A value has another type than the revision takes' },
  'schema-const': { lenient: 'error', title: 'A value is not the one the revision prescribes' },
  'schema-enum': { lenient: 'error', title: 'A value is none of those the revision lists' },
  'schema-range': { lenient: 'error', title: 'A number or a list is out of its bounds' },
  'schema-union': { lenient: 'error', title: 'A value fits none of the forms the revision takes' },
  'schema-format': { lenient: 'warning', title: 'A text is not of the format the revision names' },
  'schema-other': { lenient: 'error', title: 'A value breaks the schema in another way' },
  'foreign-field': { lenient: 'warning', title: 'A field that only other revisions define' },
  'misspelt-field': {
    lenient: 'warning',
    title: 'An unknown field with nearly the name of a known one',
  },
  'embedded-schema': {
    lenient: 'warning',
    title: 'A schema inside the message is not JSON Schema',
  },
  'error-code': {
    lenient: 'warning',
    title: 'An error code that the revision does not leave to its peers',
  },
  'answer-unasked': { lenient: 'error', title: 'An answer to no request of the transcript' },
  'id-reused': {
    lenient: 'error',
    title: 'A request with the id of an earlier one of the same sender',
  },
  'header-version': {
    lenient: 'error',
    title: 'The version header is missing or names another revision',
  },
  'header-method': {
    lenient: 'error',
    title: 'A header that mirrors the body is missing or differs',
  },
  unjudged: {
    lenient: 'error',
    title: 'Nothing says by which revision or method to judge the message',
  },
} as const satisfies Record<string, Check>;

export type CheckId = keyof typeof CHECKS;

export interface Finding {
  readonly check: CheckId;
  readonly severity: Severity;
  /** JSON pointer into the message. */
  readonly pointer: string;
  readonly message: string;
  /** What the revision has at the place. */
  readonly allowed?: string;
  /** Where the field exists: its definition, and since and until when. */
  readonly exists?: string;
  /** What was probably meant. */
  readonly hint?: string;
}

export function severityOf(check: CheckId, strict: boolean): Severity {
  return strict ? 'error' : CHECKS[check].lenient;
}

const BY_KEYWORD: Readonly<Record<string, CheckId>> = {
  required: 'schema-required',
  type: 'schema-type',
  const: 'schema-const',
  enum: 'schema-enum',
  format: 'schema-format',
  minimum: 'schema-range',
  maximum: 'schema-range',
  minItems: 'schema-range',
  maxItems: 'schema-range',
  anyOf: 'schema-union',
  oneOf: 'schema-union',
};

export function checkOfKeyword(keyword: string | undefined): CheckId {
  return BY_KEYWORD[keyword ?? ''] ?? 'schema-other';
}
