/**
 * Compiles a projection table to functions, once for each revision. A value in which nothing changes
 * comes back as it is; what changes is copied on the way down to the change and nowhere else. Stored
 * results are handed out more than once, so nothing is ever edited in place.
 */
import type { Revision } from '../../generated/revisions.js';
import type {
  ObjectShape,
  ProjectionTable,
  RecordShape,
  Shape,
  ShapeId,
  UnionShape,
} from '../../generated/projections/table.js';
import { isObject } from '../protocol/jsonrpc.js';
import type { ResultContext } from './contract.js';
import type { Conversion } from './conversions/conversion.js';

/** `context` for results only. Throws `RefusedError` where the revision cannot say the value. */
export type Projector = (value: unknown, context: ResultContext | undefined) => unknown;

/** By method. Absent: the revision has no such method. */
export interface Projection {
  readonly results: ReadonlyMap<string, Projector>;
  readonly requests: ReadonlyMap<string, Projector>;
  readonly notifications: ReadonlyMap<string, Projector>;
}

/** Throws if the table names a conversion or a shape that does not exist. */
export function compileProjection(
  table: ProjectionTable,
  conversions: Readonly<Record<string, Conversion>>,
): Projection {
  const compiler = new Compiler(table, conversions);
  return {
    results: compiler.methods(table.results),
    requests: compiler.methods(table.requests),
    notifications: compiler.methods(table.notifications),
  };
}

const unchanged: Projector = (value) => value;

class Compiler {
  readonly #compiled = new Map<ShapeId, Projector>();

  constructor(
    private readonly table: ProjectionTable,
    private readonly conversions: Readonly<Record<string, Conversion>>,
  ) {}

  methods(shapes: Record<string, ShapeId | null>): Map<string, Projector> {
    return mapEntries(shapes, (id) => this.#projector(id));
  }

  #projector(id: ShapeId | null): Projector {
    if (id === null) return unchanged;
    const known = this.#compiled.get(id);
    if (known !== undefined) return known;
    const shape = this.table.shapes[id];
    if (shape === undefined) throw new Error(`${this.table.revision}: there is no shape ${id}`);
    // A shape that contains itself finds this one, which by then leads to the finished function.
    let finished: Projector = unchanged;
    this.#compiled.set(id, (value, context) => finished(value, context));
    finished = this.#converting(shape, this.#structural(shape));
    this.#compiled.set(id, finished);
    return finished;
  }

  #structural(shape: Shape): Projector {
    switch (shape.kind) {
      case 'object':
        return this.#object(shape);
      case 'array':
        return this.#items(shape.items);
      case 'record':
        return this.#record(shape);
      case 'union':
        return this.#union(shape);
    }
  }

  #converting(shape: Shape, project: Projector): Projector {
    return (shape.convert ?? []).reduceRight((next, name) => {
      const convert = this.conversions[name];
      if (convert === undefined) {
        throw new Error(`${this.table.revision}: there is no conversion ${name}`);
      }
      const revision = this.table.revision as Revision;
      return (value, context) => next(convert(value, context, revision), context);
    }, project);
  }

  #object(shape: ObjectShape): Projector {
    const fields = mapEntries(shape.fields, (id) => this.#projector(id));
    const drop = new Set(shape.drop);
    return (value, context) => {
      if (!isObject(value)) return value;
      let replaced: Map<string, unknown> | undefined;
      for (const [key, project] of fields) {
        const before = value[key];
        if (before === undefined) continue;
        const after = project(before, context);
        if (after !== before) (replaced ??= new Map()).set(key, after);
      }
      if (replaced === undefined && !hasAny(value, drop)) return value;
      return rebuilt(value, drop, replaced);
    };
  }

  #items(id: ShapeId): Projector {
    const project = this.#projector(id);
    return (value, context) => {
      if (!Array.isArray(value)) return value;
      const items: readonly unknown[] = value;
      let copy: unknown[] | undefined;
      for (let at = 0; at < items.length; at++) {
        const after = project(items[at], context);
        if (after !== items[at]) (copy ??= items.slice())[at] = after;
      }
      return copy ?? items;
    };
  }

  #record(shape: RecordShape): Projector {
    const project = this.#projector(shape.values);
    return (value, context) => {
      if (!isObject(value)) return value;
      let replaced: Map<string, unknown> | undefined;
      for (const key of Object.keys(value)) {
        const before = value[key];
        const after = project(before, context);
        if (after !== before) (replaced ??= new Map()).set(key, after);
      }
      return replaced === undefined ? value : rebuilt(value, NOTHING, replaced);
    };
  }

  #union(shape: UnionShape): Projector {
    const { discriminator } = shape;
    const cases = mapEntries(shape.cases, (id) => this.#projector(id));
    const list = shape.items === undefined ? unchanged : this.#items(shape.items);
    return (value, context) => {
      if (Array.isArray(value)) return list(value, context);
      if (!isObject(value)) return value;
      const project = cases.get(value[discriminator] as string);
      return project === undefined ? value : project(value, context);
    };
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function hasAny(value: object, keys: ReadonlySet<string>): boolean {
  for (const key of keys) if (Object.hasOwn(value, key)) return true;
  return false;
}

/**
 * A copy in the same order. Built up rather than deleted from: an object that lost a property is slow
 * for good. An emptied `_meta` says nothing and goes.
 */
function rebuilt(
  value: Record<string, unknown>,
  drop: ReadonlySet<string>,
  replaced: ReadonlyMap<string, unknown> | undefined,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (drop.has(key)) continue;
    const after = replaced?.has(key) === true ? replaced.get(key) : value[key];
    if (key === '_meta' && after !== value[key] && isEmpty(after)) continue;
    if (key === '__proto__') Object.defineProperty(copy, key, { ...OWN, value: after });
    else copy[key] = after;
  }
  return copy;
}

/** Plain assignment to `__proto__` would set the prototype; from a peer it is a key like any other. */
const OWN = { writable: true, enumerable: true, configurable: true };

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function mapEntries<A, B>(record: Record<string, A>, change: (value: A) => B): Map<string, B> {
  return new Map(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
