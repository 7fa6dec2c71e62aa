/** What came of a document: for the log, and for whoever asks what would happen. */

export interface ImportReport {
  readonly title: string;
  readonly version: string;
  /** Size of the document. */
  readonly bytes: number;
  /** Operations in the document. */
  readonly operations: number;
  readonly imported: number;
  /** Left out by `include` and `exclude`. */
  readonly filtered: number;
  readonly skipped: readonly Remark[];
  readonly repairs: readonly Remark[];
  /** Tools that could not have their operation's name: it is too long, or another has it. */
  readonly renamed: readonly Renaming[];
  /** Tools without an `outputSchema` because it would be too large. */
  readonly outputSchemasLeftOut: number;
  /** Operations that ask for a security scheme no secret is configured for. */
  readonly withoutCredentials: readonly string[];
  /** Size of the tools as JSON. */
  readonly toolBytes: number;
}

export interface Remark {
  /** An operation (`GET /pets`), or a JSON pointer into the document. */
  readonly where: string;
  readonly what: string;
}

export interface Renaming {
  /** `GET /pets` */
  readonly operation: string;
  readonly from: string;
  readonly to: string;
}
