/**
 * What can be asked of a running mcpx. One description of each operation serves its HTTP route, the
 * OpenAPI document and the tool that it may be offered as.
 */
import type { Core } from '../server/contract.js';
import type { Broker } from '../questions/broker.js';

/** The mcpx that is asked. */
export interface House {
  readonly core: Core;
  readonly broker: Broker;
  readonly info: { readonly name: string; readonly version: string };
  readonly started: Date;
  /** Aborted when mcpx is told to end: requests in flight may end, others should go elsewhere. */
  readonly ending: AbortSignal;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** By name. Those named in the path are its; others are the query of a GET, the body of a POST. */
export interface Input {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Operation {
  /** `operationId` of the document, name of the tool. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Below `/v1`, as OpenAPI has it: `/tools/{name}/call`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly input: Input;
  /** Of the answer: an object. */
  readonly output: JsonSchema;
  /** Statuses with which it answers beside 200, and what each says. */
  readonly answers?: Readonly<Record<number, string>>;
  /** Statuses with which it refuses, and why it does. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** `args` fit `input`. Throws `Refused`. `signal`: nobody waits any more. */
  run(house: House, args: Arguments, signal: AbortSignal): Answer | Promise<Answer>;
}

export interface Answer {
  /** 200 unless given. */
  readonly status?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const NO_INPUT: Input = { properties: {} };

/** An operation that cannot be done, and why. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    /** Of HTTP. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function inputSchema({ properties, required = [] }: Input): Record<string, unknown> {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
}

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** Of an object, every property of which is there. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
  };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export const TEXT: JsonSchema = { type: 'string' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
