/** A message of one revision as a peer of another one would receive it from mcpx, and why. */
import { METHODS } from '../../generated/methods.js';
import { eraOf, type Revision } from '../../generated/revisions.js';
import type { ResultContext } from '../edge/contract.js';
import { edgeFor } from '../edge/edge.js';
import { withRequestEnvelope } from '../edge/envelope.js';
import { RpcError } from '../protocol/errors.js';
import { isObject, sortFrame, type JSONRPCError, type JSONRPCResult } from '../protocol/jsonrpc.js';
import { traceProjection, type Step } from './trace.js';
import { escapedStep } from '../protocol/pointer.js';

export interface TranslateOptions {
  readonly from: Revision;
  readonly to: Revision;
  /** Of a response: the method it answers. */
  readonly method?: string;
}

export interface Translated {
  /** Undefined where the peer gets nothing. */
  readonly frame: object | undefined;
  /** Why it gets nothing. */
  readonly refused?: string;
  readonly steps: readonly Step[];
}

/** The handshake's answer and the discovery's say the same. */
const DISCOVER = 'server/discover';
const INITIALIZE = 'initialize';

/** Stands in the envelope of what is only shown. */
const SOMEBODY = { name: 'example', version: '1.0.0' };

/** Throws where the frame is none, or nothing says what a result answers. */
export function translate(frame: unknown, options: TranslateOptions): Translated {
  const sorted = sortFrame(frame);
  switch (sorted.kind) {
    case 'invalid':
      throw new Error(`is no message: ${sorted.reason}`);
    case 'request':
    case 'notification':
      return translateCall(sorted.frame, sorted.kind, options);
    case 'response':
      return 'error' in sorted.frame
        ? translateError(sorted.frame, options)
        : translateResult(sorted.frame, options);
  }
}

function translateCall(
  frame: { method: string; params?: Record<string, unknown> },
  part: 'request' | 'notification',
  { to }: TranslateOptions,
): Translated {
  const { method, params } = frame;
  const fact = METHODS[to][method];
  if (fact === undefined) return nothing(`${to} has no ${method}`);
  if (fact.kind === 'inputRequest') {
    return nothing(`in ${to}, ${method} is asked inside of a result`);
  }
  const traced = { revision: to, method, part, at: '/params', context: undefined };
  const steps = traceProjection(params, traced);
  const sent = edgeFor(to)[part](method, params);
  if (sent === undefined || 'refused' in sent) {
    const reason = sent === undefined ? `${to} has no way to say it` : sent.refused;
    return { ...nothing(reason), steps };
  }
  if (part === 'notification' || eraOf(to) === 'legacy') {
    return { frame: withParams(frame, sent.params), steps };
  }
  const enveloped = withRequestEnvelope(sent.params, {
    protocolVersion: to,
    clientCapabilities: {},
  });
  return {
    frame: withParams(frame, enveloped),
    steps: [...steps, ...added(params, enveloped, '/params')],
  };
}

function translateResult(frame: JSONRPCResult, { from, to, method }: TranslateOptions): Translated {
  if (method === undefined) {
    throw new Error('is a result, and nothing says which method it answers; name it');
  }
  const asked = method === DISCOVER && !(DISCOVER in METHODS[to]) ? INITIALIZE : method;
  if (METHODS[to][asked] === undefined) return nothing(`${to} has no ${asked}`);
  const lifted = edgeFor(from).liftResult(method, frame.result);
  const context: ResultContext = { serverInfo: SOMEBODY };
  const traced = { revision: to, method: asked, part: 'result', at: '/result', context } as const;
  const steps = traceProjection(frame.result, traced);
  try {
    const result = edgeFor(to).result(asked, lifted, context);
    const envelope = eraOf(to) === 'modern' ? added(frame.result, result, '/result') : [];
    return { frame: { ...frame, result }, steps: [...steps, ...envelope] };
  } catch (error) {
    if (error instanceof RpcError) return { ...nothing(error.message), steps };
    throw error;
  }
}

function translateError(frame: JSONRPCError, { from, to, method }: TranslateOptions): Translated {
  const error = edgeFor(to).error(edgeFor(from).liftError(method ?? '', frame.error));
  const changed = error.code !== frame.error.code;
  return {
    frame: { ...frame, error },
    steps: changed
      ? [
          {
            pointer: '/error/code',
            what: 'converted',
            by: 'errors',
            reason: `${to} says it with ${error.code}, or has no ${frame.error.code}.`,
          },
        ]
      : [],
  };
}

const ENVELOPE_REASON = 'What the handshake told once rides in every message of the modern era.';

/** What the envelope of the modern era put in. */
function added(before: object | undefined, after: object, at: string): Step[] {
  const had = (before ?? {}) as Record<string, unknown>;
  const has = after as Record<string, unknown>;
  const step = (pointer: string): Step => ({
    pointer: `${at}${pointer}`,
    what: 'added',
    by: 'envelope',
    reason: ENVELOPE_REASON,
  });
  const top = Object.keys(has).filter((key) => !(key in had) && key !== '_meta');
  const metaBefore = isObject(had['_meta']) ? had['_meta'] : {};
  const metaAfter = isObject(has['_meta']) ? has['_meta'] : {};
  const meta = Object.keys(metaAfter).filter((key) => !(key in metaBefore));
  return [
    ...top.map((key) => step(`/${escapedStep(key)}`)),
    ...meta.map((key) => step(`/_meta/${escapedStep(key)}`)),
  ];
}

function withParams(frame: object, params: object | undefined): object {
  return params === undefined ? frame : { ...frame, params };
}

function nothing(refused: string): Translated {
  return { frame: undefined, refused, steps: [] };
}
