/**
 * The one intermediate form between `schemas/<revision>/schema.ts` and everything in `generated/`.
 *
 * It is plain data: no classes, no methods, JSON-serialisable. The reader fills it from TypeScript,
 * the emitters, the differ and the projector only read it. Nothing in it depends on the order in
 * which a source file declares things, or on its comments: two files that state the same facts give
 * the same model, byte for byte.
 */

/** Facts of one revision (or of an extension) under their official names. */
export interface Model {
  /** Folder name below `schemas/`: `2024-11-05` … or `tasks`. */
  source: string;
  /** Sorted by name. */
  definitions: Record<string, Definition>;
  /** Exported constants: error codes, `JSONRPC_VERSION`, … Sorted by name. */
  constants: Record<string, string | number>;
}

export interface Definition {
  name: string;
  /** Whether the source wrote an `interface` or a `type`; only reports and nominal hashes look at it. */
  form: 'interface' | 'alias';
  /** Names this definition extends, as written (heritage is already flattened into `type`). Sorted. */
  extends: string[];
  type: TypeNode;
}

/**
 * A type as the wire sees it. `integer` is what TypeScript's `number` means in these schemas unless
 * tagged `@TJS-type number`; `null` is kept here although the official JSON Schema drops it.
 */
export type TypeNode =
  | { kind: 'any' }
  | { kind: 'never' }
  | { kind: 'null' }
  | { kind: 'boolean' }
  | StringNode
  | NumberNode
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'ref'; name: string }
  | ArrayNode
  | ObjectNode
  | { kind: 'union'; members: TypeNode[] }
  | { kind: 'intersection'; members: TypeNode[] };

export interface StringNode {
  kind: 'string';
  /** `uri`, `uri-template`, `byte`, … */
  format?: string;
}

export interface NumberNode {
  kind: 'number' | 'integer';
  minimum?: number;
  maximum?: number;
}

export interface ArrayNode {
  kind: 'array';
  items: TypeNode;
  minItems?: number;
  maxItems?: number;
}

export interface ObjectNode {
  kind: 'object';
  /** Sorted by name. */
  properties: Record<string, Property>;
  /**
   * The index signature's value type, if one is written (or inherited). Absent means the type says
   * nothing; every such object is still open on the wire. `{ kind: 'never' }` is a closed object.
   */
  index?: TypeNode;
}

export interface Property {
  optional: boolean;
  type: TypeNode;
}

/** Who sends a message. `client` covers mcpx towards its upstreams, `server` mcpx towards its clients. */
export type Sender = 'client' | 'server';

/** One JSON-RPC method of one revision, as the role unions (`ClientRequest`, …) of that revision say. */
export interface Method {
  method: string;
  kind: 'request' | 'notification' | 'inputRequest';
  /** Definition of the request or notification, e.g. `CallToolRequest`. */
  definition: string;
  /** Definition of the result; `EmptyResult` where the revision names no other. Requests only. */
  result?: string;
  senders: Sender[];
}

/** `since`/`until` of a definition or property, computed over all revisions in order. */
export interface Lifetime {
  /** First revision that has it. */
  since: string;
  /** First revision that no longer has it; absent while the newest one has it. */
  until?: string;
}
