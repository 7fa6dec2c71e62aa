/**
 * The form of `generated/projections/<revision>.ts`: what has to change in a message of the newest
 * shape (plus the few fields mcpx keeps internally for one revision only) before it may go to a peer
 * of `revision`. Codegen computes it; `src/edge` compiles it to functions. It is data, and is copied
 * to `generated/projections/table.ts` so that `src/` never imports `codegen/`.
 *
 * There is a table for every revision, the newest one included: a field that only an older revision
 * has (`Tool.execution`) has to go there too.
 */

/** Key into `shapes`. The name of the newest definition, or a path below one: `CompleteResult.completion`. */
export type ShapeId = string;

export interface ProjectionTable {
  revision: string;
  /** Method → shape of `result`. A method that is absent does not exist in this revision. `null`: nothing ever changes. */
  results: Record<string, ShapeId | null>;
  /** Method → shape of `params`, for requests and input requests in either direction. */
  requests: Record<string, ShapeId | null>;
  /** Method → shape of `params`. */
  notifications: Record<string, ShapeId | null>;
  /** Only shapes in which something changes, here or below. */
  shapes: Record<ShapeId, Shape>;
}

export type Shape = ObjectShape | ArrayShape | RecordShape | UnionShape;

export interface ObjectShape {
  kind: 'object';
  /** Properties that some revision defines at this place and this one does not. Unknown ones always pass. */
  drop: string[];
  /** Properties whose value has a shape of its own. */
  fields: Record<string, ShapeId>;
  /** Hand-written conversions that run on the value, in order, before the drop (they see the newest shape). */
  convert?: string[];
}

export interface ArrayShape {
  kind: 'array';
  items: ShapeId;
  convert?: string[];
}

/** A map with author-chosen keys (`inputRequests`, `requestedSchema.properties`). */
export interface RecordShape {
  kind: 'record';
  values: ShapeId;
  convert?: string[];
}

/** Members told apart by a property with a constant. A value that matches no case passes as it is. */
export interface UnionShape {
  kind: 'union';
  discriminator: string;
  /** Constant → shape, or `null` where that member passes unchanged. */
  cases: Record<string, ShapeId | null>;
  /** For the members of a list, where one may stand in place of a single member. */
  items?: ShapeId;
  /** Runs on the value before the case is chosen, e.g. where a member does not exist in this revision. */
  convert?: string[];
}
