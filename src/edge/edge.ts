/** One edge for each revision, compiled when it is first asked for and kept. */
import { METHODS } from '../../generated/methods.js';
import { PROJECTIONS } from '../../generated/projections/index.js';
import { NEWEST_LEGACY, eraOf, type Era, type Revision } from '../../generated/revisions.js';
import { RpcError } from '../protocol/errors.js';
import { CONVERSIONS } from './conversions/index.js';
import type { Edge, ErrorObject, Refusal, ResultContext } from './contract.js';
import { withResultEnvelope, withoutResultEnvelope } from './envelope.js';
import { errorObject, liftedError } from './errors.js';
import { compileProjection, type Projection, type Projector } from './projection.js';
import { RefusedError } from './refusal.js';

const edges = new Map<Revision, CompiledEdge>();

export function edgeFor(revision: Revision): Edge {
  return compiledEdge(revision);
}

function compiledEdge(revision: Revision): CompiledEdge {
  let edge = edges.get(revision);
  if (edge === undefined) edges.set(revision, (edge = new CompiledEdge(revision)));
  return edge;
}

/** What a missing `resultType` means (2026-07-28, basic). */
const COMPLETE = 'complete';

/** What a modern peer can be handed; it declared what the last two need. */
const MODERN_RESULT_TYPES: ReadonlySet<unknown> = new Set([COMPLETE, 'input_required', 'task']);

class CompiledEdge implements Edge {
  readonly era: Era;
  readonly projection: Projection;
  readonly #methods: (typeof METHODS)[Revision];

  constructor(readonly revision: Revision) {
    this.era = eraOf(revision);
    this.projection = compileProjection(PROJECTIONS[revision], CONVERSIONS);
    this.#methods = METHODS[revision];
  }

  result(method: string, result: object, context: ResultContext): object {
    const type = (result as { resultType?: unknown }).resultType ?? COMPLETE;
    if (type !== COMPLETE && !(this.era === 'modern' && MODERN_RESULT_TYPES.has(type))) {
      throw new RpcError(
        'internal',
        `The result of ${method} has resultType ${JSON.stringify(type)}, which ${this.revision} cannot carry`,
      );
    }
    const projected = this.#resultProjector(method)(result, context) as object;
    if (this.era === 'legacy') return projected;
    const cacheable = type === COMPLETE && this.#methods[method]?.cacheable === true;
    return withResultEnvelope(projected, type as string, cacheable, context);
  }

  notification(
    method: string,
    params: object | undefined,
  ): { params: object | undefined } | undefined {
    const sent = this.#params(this.projection.notifications, method, params);
    return 'refused' in sent ? undefined : sent;
  }

  request(method: string, params: object | undefined): { params: object | undefined } | Refusal {
    return this.#params(this.projection.requests, method, params);
  }

  error(error: RpcError): ErrorObject {
    return errorObject(error, this.revision);
  }

  liftResult(_method: string, result: object): object {
    return 'resultType' in result ? result : { resultType: COMPLETE, ...result };
  }

  liftError(method: string, error: ErrorObject): RpcError {
    return liftedError(method, error);
  }

  /**
   * A legacy peer that asks for what a later legacy revision has is answered as that one would be;
   * for what only the modern era has, with the bare result.
   */
  #resultProjector(method: string): Projector {
    const project = this.projection.results.get(method);
    if (project !== undefined) return project;
    if (this.era === 'modern') return unchanged;
    return compiledEdge(NEWEST_LEGACY).projection.results.get(method) ?? bare;
  }

  #params(
    projectors: ReadonlyMap<string, Projector>,
    method: string,
    params: object | undefined,
  ): { params: object | undefined } | Refusal {
    const project = projectors.get(method);
    if (project === undefined) return { refused: `${this.revision} has no ${method}` };
    if (params === undefined) return { params };
    try {
      return { params: project(params, undefined) as object };
    } catch (error) {
      if (error instanceof RefusedError) return { refused: error.message };
      throw error;
    }
  }
}

const unchanged: Projector = (value) => value;
const bare: Projector = (value) => withoutResultEnvelope(value as object);
