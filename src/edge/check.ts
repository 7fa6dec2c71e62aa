/** Judges one outgoing frame against the revision of whoever receives it. Loaded only when switched on. */
import { METHODS } from '../../generated/methods.js';
import { NEWEST_LEGACY, REVISIONS, eraOf, type Revision } from '../../generated/revisions.js';
import type { MessageValidators, Validate } from '../../generated/validate.js';
import { loadStrict } from '../../generated/validators.js';
import { isObject, sortFrame, usableId } from '../protocol/jsonrpc.js';
import type { Outgoing, Violation } from './contract.js';
import { schemaFaults } from './embedded.js';
import { faultsOf } from './faults.js';

/** Empty: the frame is strictly valid. `frame` is what the text that leaves parses to. */
export type Checker = (outgoing: Outgoing, frame: unknown) => Violation[];

type Finding = Pick<Violation, 'pointer' | 'message' | 'kind' | 'keyword'>;
type Frame = Record<string, unknown>;
type Strict = ReadonlyMap<Revision, MessageValidators>;

/** Loads the strict validators of every revision. */
export async function loadChecker(): Promise<Checker> {
  const strict = new Map<Revision, MessageValidators>();
  for (const { revision } of REVISIONS) strict.set(revision, await loadStrict(revision));
  return (outgoing, frame) => {
    const id = isObject(frame) ? usableId(frame['id']) : undefined;
    return findings(outgoing, frame, strict).map((finding) => ({ ...finding, outgoing, id }));
  };
}

function findings(outgoing: Outgoing, frame: unknown, strict: Strict): Finding[] {
  const sorted = sortFrame(frame);
  if (sorted.kind === 'invalid') return [{ pointer: '', message: sorted.reason, kind: 'schema' }];
  const response = 'result' in sorted.frame ? 'result' : 'error';
  const kind = sorted.kind === 'response' ? response : sorted.kind;
  if (kind !== outgoing.kind) {
    return [{ pointer: '', message: `is a ${kind}, not a ${outgoing.kind}`, kind: 'schema' }];
  }
  switch (kind) {
    case 'error':
      return errorFindings(outgoing, frame as Frame, strict);
    case 'result':
      return resultFindings(outgoing, frame as Frame, strict);
    case 'request':
    case 'notification':
      return messageFindings(outgoing, frame as Frame, strict);
  }
}

function messageFindings(outgoing: Outgoing, frame: Frame, strict: Strict): Finding[] {
  const { revision, sender, kind } = outgoing;
  const method = String(frame['method']);
  const fact = METHODS[revision][method];
  if (fact?.kind !== kind || !fact.senders.includes(sender)) {
    const message = `${revision} has no ${kind} ${method} that a ${sender} sends`;
    return [{ pointer: '/method', message, kind: 'method' }];
  }
  const validators = of(revision, strict);
  const table = kind === 'request' ? validators.requests : validators.notifications;
  return [
    ...schemaFindings(table[method], frame, ''),
    ...embeddedFindings(frame['params'], '/params'),
  ];
}

function resultFindings(outgoing: Outgoing, frame: Frame, strict: Strict): Finding[] {
  const { revision, method } = outgoing;
  const result = frame['result'];
  if (eraOf(revision) === 'legacy' && method === TASK_METHOD && isTaskHandle(result)) {
    const task = of(NEWEST_LEGACY, strict).results[TASK_READER];
    return schemaFindings(task, result.task, '/result/task');
  }
  const validate = method === undefined ? undefined : resultValidator(revision, method, strict);
  if (validate === undefined) {
    const message = `${revision} has no request ${String(method)} to answer`;
    return [{ pointer: '', message, kind: 'method' }];
  }
  return [...schemaFindings(validate, result, '/result'), ...embeddedFindings(result, '/result')];
}

/**
 * A legacy client may ask for what only other revisions have, where answering is harmless: it is
 * answered as by the newest legacy revision, or with no more than `ping` is.
 */
function resultValidator(revision: Revision, method: string, strict: Strict): Validate | undefined {
  const own = of(revision, strict).results;
  if (eraOf(revision) === 'modern') return own[method];
  return own[method] ?? of(NEWEST_LEGACY, strict).results[method] ?? own['ping'];
}

/**
 * The one result that its method's definition does not describe: a legacy client, of whatever
 * revision, that sent `task` with its call gets the task back, in the shape in which it can read it
 * again (2025-11-25, basic/utilities/tasks).
 */
const TASK_METHOD = 'tools/call';
const TASK_READER = 'tasks/get';

function isTaskHandle(result: unknown): result is { task: unknown } {
  if (!isObject(result) || !isObject(result['task'])) return false;
  return Object.keys(result).every((key) => key === 'task' || key === '_meta');
}

/**
 * The older schemas require an id, and none has null for one. What could not be read has none all the
 * same: such an error goes without, as newer schemas and the HTTP transport have it (basic).
 */
function errorFindings({ revision }: Outgoing, frame: Frame, strict: Strict): Finding[] {
  const judged = 'id' in frame ? frame : { ...frame, id: 0 };
  return schemaFindings(of(revision, strict).error, judged, '');
}

function schemaFindings(validate: Validate | undefined, value: unknown, at: string): Finding[] {
  if (validate === undefined || validate(value)) return [];
  return faultsOf(validate.errors ?? []).map(({ kind, pointer, message, keyword }) => ({
    kind,
    message,
    pointer: at + pointer,
    keyword,
  }));
}

/** Wherever the protocol carries schemas, it is in tools: in the list, or offered for sampling. */
function embeddedFindings(carrier: unknown, at: string): Finding[] {
  const tools = isObject(carrier) ? carrier['tools'] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) =>
    EMBEDDED.flatMap((key) =>
      schemaFaults(isObject(tool) ? tool[key] : undefined).map((fault): Finding => ({
        kind: 'embedded',
        pointer: `${at}/tools/${index}/${key}${fault.pointer}`,
        message: fault.message,
      })),
    ),
  );
}

const EMBEDDED = ['inputSchema', 'outputSchema'];

function of(revision: Revision, strict: Strict): MessageValidators {
  const validators = strict.get(revision);
  if (validators === undefined) throw new Error(`There is no revision ${revision}`);
  return validators;
}
