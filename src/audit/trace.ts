/**
 * Why a message looks as it does to a peer: the projection table walked beside the value, noting each
 * row and each conversion that changes something. It explains what the edge does and is not it.
 */
import { PROJECTIONS } from '../../generated/projections/index.js';
import type { ShapeId } from '../../generated/projections/table.js';
import type { Revision } from '../../generated/revisions.js';
import type { ResultContext } from '../edge/contract.js';
import { CONVERSIONS } from '../edge/conversions/index.js';
import { RefusedError } from '../edge/refusal.js';
import { isObject } from '../protocol/jsonrpc.js';
import { losses, type Loss, type Part } from './reports.js';
import { escapedStep } from '../protocol/pointer.js';

export interface Step {
  /** JSON pointer into the message, as it is at this step. */
  readonly pointer: string;
  readonly what: 'dropped' | 'converted' | 'refused' | 'added';
  /** Row of the projection table, conversion, or part of the envelope. */
  readonly by: string;
  readonly reason: string;
}

export interface Traced {
  readonly revision: Revision;
  readonly method: string;
  readonly part: Part;
  /** Where the value stands in the message. */
  readonly at: string;
  readonly context: ResultContext | undefined;
}

/** In the order in which it happens. */
export function traceProjection(value: unknown, traced: Traced): Step[] {
  const table = PROJECTIONS[traced.revision];
  const root = table[`${traced.part}s`][traced.method];
  if (root === undefined || root === null) return [];
  const trace = new Trace(traced);
  trace.walk(root, value, traced.at);
  return trace.steps;
}

class Trace {
  readonly steps: Step[] = [];
  readonly #losses: readonly Loss[];

  constructor(private readonly traced: Traced) {
    this.#losses = losses(traced.revision).losses;
  }

  walk(id: ShapeId | null, value: unknown, pointer: string): void {
    if (id === null) return;
    const shape = PROJECTIONS[this.traced.revision].shapes[id];
    if (shape === undefined) return;
    const converted = this.#converted(shape.convert ?? [], value, pointer);
    if (converted === REFUSED) return;
    switch (shape.kind) {
      case 'object':
        this.#object(id, shape, converted, pointer);
        return;
      case 'array':
        this.#items(shape.items, converted, pointer);
        return;
      case 'record':
        if (!isObject(converted)) return;
        for (const [key, inner] of Object.entries(converted)) {
          this.walk(shape.values, inner, `${pointer}/${escapedStep(key)}`);
        }
        return;
      case 'union':
        if (Array.isArray(converted)) this.#items(shape.items ?? null, converted, pointer);
        else if (isObject(converted)) {
          this.walk(
            shape.cases[String(converted[shape.discriminator])] ?? null,
            converted,
            pointer,
          );
        }
    }
  }

  #converted(names: readonly string[], value: unknown, pointer: string): unknown {
    let current = value;
    for (const by of names) {
      const { context, revision } = this.traced;
      try {
        const next = CONVERSIONS[by]?.(current, context, revision);
        if (next !== current) {
          this.steps.push({ pointer, what: 'converted', by, reason: this.#reasonOf(by) });
        }
        current = next;
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        this.steps.push({ pointer, what: 'refused', by, reason: this.#reasonOf(by) });
        return REFUSED;
      }
    }
    return current;
  }

  #object(
    id: ShapeId,
    { drop, fields }: { drop: readonly string[]; fields: Readonly<Record<string, ShapeId>> },
    value: unknown,
    pointer: string,
  ): void {
    if (!isObject(value)) return;
    for (const key of drop) {
      if (!Object.hasOwn(value, key)) continue;
      const by = `${id}.${key}`;
      const reason = this.#reasonOfDrop(by, key);
      this.steps.push({ pointer: `${pointer}/${escapedStep(key)}`, what: 'dropped', by, reason });
    }
    for (const [key, inner] of Object.entries(fields)) {
      if (!drop.includes(key)) this.walk(inner, value[key], `${pointer}/${escapedStep(key)}`);
    }
  }

  #items(id: ShapeId | null, value: unknown, pointer: string): void {
    if (!Array.isArray(value)) return;
    value.forEach((item, index) => this.walk(id, item, `${pointer}/${index}`));
  }

  #reasonOf(conversion: string): string {
    return this.#best((loss) => loss.conversion === conversion);
  }

  /** A row may be named by the definition that had the field last. */
  #reasonOfDrop(row: string, key: string): string {
    return (
      this.#best((loss) => loss.at === row) ||
      this.#best((loss) => loss.change === 'field' && loss.at.endsWith(`.${key}`))
    );
  }

  #best(fits: (loss: Loss) => boolean): string {
    const { method, part } = this.traced;
    const found = this.#losses.filter(fits);
    const here = found.find(({ messages }) =>
      messages.some((message) => message.method === method && message.part === part),
    );
    return (here ?? found[0])?.reason ?? '';
  }
}

const REFUSED = Symbol('refused');
