/** A value that a schema describes, made from its examples where it has some. Knows 3.0 and 3.1. */
import fc from 'fast-check';
import { References } from '../../src/backends/openapi/references.js';

type Schema = Readonly<Record<string, unknown>>;

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2024-01-02T03:04:05Z',
  date: '2024-01-02',
  uri: 'https://example.test/',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'jo@example.test',
};

/** `direction`: whose properties are left out, those only read or those only written. */
export class Sampler {
  readonly #references: References;

  constructor(
    root: Schema,
    private readonly hidden: 'readOnly' | 'writeOnly',
  ) {
    this.#references = new References(root);
  }

  /** Optional properties end at a depth, so that a cycle does too. */
  sample(given: unknown, depth = 0): unknown {
    if (typeof given !== 'object' || given === null) return 'anything';
    const schema = this.#references.resolve(given);
    const { type, example, examples, properties, items } = schema;
    if (schema['const'] !== undefined) return schema['const'];
    if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
    const all = listOf(schema['allOf']);
    if (all.length > 0) {
      const { allOf: _all, ...own } = schema;
      const parts = [...all, ...(own['properties'] === undefined ? [] : [own])];
      const samples = parts.map((part) => this.sample(part, depth));
      return samples.every((one) => typeof one === 'object' && one !== null)
        ? (Object.assign({}, ...samples) as object)
        : samples[0];
    }
    const [one] = [schema['oneOf'], schema['anyOf']].flatMap((list) => listOf(list));
    if (one !== undefined && properties === undefined) return this.sample(one, depth);
    const kind = [type].flat().find((each) => each !== 'null');
    if (kind === 'object' || properties !== undefined) return this.#object(schema, depth);
    if (kind === 'array' || items !== undefined) {
      const empty = depth > 4 && !(Number(schema['minItems']) > 0);
      return empty ? [] : [this.sample(items ?? {}, depth + 1)];
    }
    const shown = example ?? (Array.isArray(examples) ? (examples[0] as unknown) : undefined);
    const fits = (value: unknown): boolean =>
      typeof value === (kind === 'integer' ? 'number' : kind) && value !== null;
    if (fits(shown)) return shown;
    if (fits(schema['default'])) return schema['default'];
    if (kind === 'string') return textFor(schema);
    if (kind === 'integer' || kind === 'number') return Number(schema['minimum'] ?? 1);
    return kind === 'boolean' ? true : kind === 'null' ? null : 'anything';
  }

  #object({ properties, required }: Schema, depth: number): object {
    const needed = listOf(required);
    const entries = Object.entries((properties ?? {}) as Schema).filter(([name, property]) => {
      if (this.#references.resolve(property)[this.hidden] === true) return false;
      return needed.includes(name) || depth < 3;
    });
    const described = Object.keys(properties ?? {});
    return Object.fromEntries([
      // A document may require what it does not describe.
      ...needed
        .filter((name) => !described.includes(name as string))
        .map((name) => [name, 'anything']),
      ...entries.map(([name, property]) => [name, this.sample(property, depth + 1)]),
    ]) as object;
  }
}

function textFor({ format, minLength, maxLength, pattern }: Schema): string {
  if (typeof pattern === 'string') {
    const matches = fc
      .stringMatching(new RegExp(pattern))
      .filter((one) => one.length <= Number(maxLength ?? Infinity));
    const [matching] = fc.sample(matches, { numRuns: 1, seed: 1 });
    return matching ?? '';
  }
  const text = TEXTS[String(format)] ?? 'text';
  return text.padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? Infinity));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
