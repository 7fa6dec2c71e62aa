/**
 * What an upstream wants to know of a client. A legacy upstream asks with requests of its own, a modern
 * one with the answer to a call; either way the client of the call is asked, in the way of its era.
 */
import type { ClientCapabilities } from '../../../generated/newest/types.js';
import { RpcError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/jsonrpc.js';
import type { Question, RequestContext } from '../context.js';
import { TASKS_EXTENSION } from '../../protocol/reserved.js';

const QUESTIONS: ReadonlySet<string> = new Set<Question['method']>([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

export function isQuestion(method: string): method is Question['method'] {
  return QUESTIONS.has(method);
}

/**
 * Declared in the handshake, for all clients to come: whoever is asked in the end can say no. Roots are
 * without `listChanged`, for each client has its own.
 */
export const ANYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};

const FORM: Question = {
  method: 'elicitation/create',
  params: { message: '', requestedSchema: { type: 'object', properties: {} } },
};
const URL_MODE: Question = {
  method: 'elicitation/create',
  params: { mode: 'url', message: '', url: '' },
};
const SAMPLING: Question = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 1 },
};
const SAMPLING_WITH_TOOLS: Question = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 1, tools: [] },
};
const ROOTS: Question = { method: 'roots/list' };

/** What a modern upstream may ask for during this one call, and whether it may answer with a task. */
export function capabilitiesFor(ctx: RequestContext, directly: boolean): ClientCapabilities {
  const can = (question: Question): boolean => ctx.canAsk(question, { directly });
  const capabilities: ClientCapabilities = {};
  const elicitation = {
    ...(can(FORM) && { form: {} }),
    ...(can(URL_MODE) && { url: {} }),
  };
  if (Object.keys(elicitation).length > 0) capabilities.elicitation = elicitation;
  if (can(SAMPLING)) {
    capabilities.sampling = can(SAMPLING_WITH_TOOLS) ? { tools: {} } : {};
  }
  if (can(ROOTS)) capabilities.roots = {};
  const tasks = ctx.peer.capabilities.extensions?.[TASKS_EXTENSION];
  if (tasks !== undefined) capabilities.extensions = { [TASKS_EXTENSION]: {} };
  return capabilities;
}

/** What may be answered with questions (2026-07-28, basic/patterns/mrtr). */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** What is wrong with the questions that a modern upstream answered with; undefined if nothing is. */
export function askingFault(
  method: string,
  {
    inputRequests,
    requestState,
  }: { readonly inputRequests?: unknown; readonly requestState?: unknown },
): string | undefined {
  if (!MAY_ASK.has(method)) return `asked for input in answer to ${method}`;
  if (inputRequests === undefined) {
    return requestState === undefined
      ? 'asked for input with neither inputRequests nor requestState'
      : undefined;
  }
  if (!isObject(inputRequests)) {
    return `asked with inputRequests ${JSON.stringify(inputRequests)}, which is no object`;
  }
  for (const [key, question] of Object.entries(inputRequests)) {
    const asked = isObject(question) ? question['method'] : undefined;
    if (typeof asked !== 'string' || !isQuestion(asked)) {
      return `asked with inputRequests/${key}, which is no question to a client`;
    }
  }
  return undefined;
}

/** Asks for the client of one call, over all its rounds. */
export class Relay {
  constructor(
    private readonly ctx: RequestContext,
    private readonly namespace: string,
    /**
     * The client sees this upstream as if it were alone: it is asked word for word, or not at all. One
     * among several says who asks.
     */
    private readonly alone: boolean,
  ) {}

  /** One question of a legacy upstream. */
  ask(method: Question['method'], params: unknown, signal: AbortSignal): Promise<object> {
    return this.#ask({ method, params } as Question, method.replace('/', '-'), signal);
  }

  /** All that a modern upstream asks at once, without fault; the answers are under its keys. */
  async askAll(inputRequests: unknown, signal?: AbortSignal): Promise<Record<string, object>> {
    if (!isObject(inputRequests)) return {};
    const answers = await Promise.all(
      Object.entries(inputRequests).map(async ([key, question]) => {
        const { method, params } = question as { method: string; params?: object };
        if (!isQuestion(method)) throw new Error(`asks the client for ${method}`);
        return [key, await this.#ask({ method, params } as Question, key, signal)] as const;
      }),
    );
    return Object.fromEntries(answers);
  }

  async #ask(question: Question, key: string, signal: AbortSignal | undefined): Promise<object> {
    try {
      return await this.ctx.ask(this.alone ? question : introduced(question, this.namespace), {
        key,
        from: this.namespace,
        directly: this.alone,
        verbatim: true,
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      if (error instanceof RpcError || this.ctx.signal.aborted) throw error;
      throw new RpcError('internal', `${question.method}: ${(error as Error).message}`);
    }
  }
}

function introduced(question: Question, namespace: string): Question {
  if (question.method !== 'elicitation/create') return question;
  const { params } = question;
  return { ...question, params: { ...params, message: `${namespace}: ${params.message}` } };
}
