/** One message against one revision: every violation, explained. */
import { METHODS } from '../../generated/methods.js';
import type { Revision } from '../../generated/revisions.js';
import { loadChecker, type Checker } from '../edge/check.js';
import type { Outgoing, Violation } from '../edge/contract.js';
import type { Fault } from '../edge/faults.js';
import { isObject } from '../protocol/jsonrpc.js';
import { checkOfKeyword, severityOf, type CheckId, type Finding } from './checks.js';
import {
  SAME_LETTERS,
  codeFault,
  hintForEmbedded,
  hintForForeign,
  hintForMethod,
  hintForMissing,
  hintForType,
} from './hints.js';
import { historyOfField } from './history-of-field.js';
import { describeSchema, locate, stepsOf } from './locate.js';
import { definitionsOf, type JsonSchema } from './schemas.js';
import { typeFaults } from './type-faults.js';
import { escapedStep } from '../protocol/pointer.js';
import { walkObjects } from './walk.js';

export type Judge = (outgoing: Outgoing, frame: unknown) => Finding[];

/** A definition and the part of a message that is an instance of it. */
export interface Rooted {
  readonly revision: Revision;
  readonly definition: string;
  readonly value: unknown;
  /** Where the value stands in the message. */
  readonly at: string;
}

let checker: Promise<Checker> | undefined;

export async function loadJudge(strict: boolean): Promise<Judge> {
  const check = await (checker ??= loadChecker());
  return (outgoing, frame) => {
    const rooted = rootedOf(outgoing, frame);
    return [
      ...onePerPlace(
        check(outgoing, frame).flatMap((violation) => explained(violation, frame, rooted, strict)),
      ),
      ...codeFindings(outgoing, frame, strict),
      ...(rooted === undefined ? [] : misspelt(rooted, strict)),
    ];
  };
}

function rootedOf({ revision, kind, method }: Outgoing, frame: unknown): Rooted | undefined {
  const fact = METHODS[revision][method ?? ''];
  if (fact === undefined || !isObject(frame)) return undefined;
  if (kind === 'error') return undefined;
  if (kind !== 'result') return { revision, definition: fact.definition, value: frame, at: '' };
  if (fact.result === undefined) return undefined;
  return { revision, definition: fact.result, value: frame['result'], at: '/result' };
}

function explained(
  { kind, keyword, pointer, message, outgoing }: Violation,
  frame: unknown,
  rooted: Rooted | undefined,
  strict: boolean,
): Finding[] {
  const { revision } = outgoing;
  if (kind === 'method') {
    const method = isObject(frame) && 'method' in frame ? String(frame['method']) : outgoing.method;
    const check =
      method !== undefined && method in METHODS[revision] ? 'method-sender' : 'method-unknown';
    const hint = check === 'method-unknown' ? hintForMethod(method ?? '', revision) : undefined;
    return [finding(check, pointer, message, strict, { hint })];
  }
  if (kind === 'embedded') {
    const root = /^.*?\/tools\/\d+\/(?:in|out)putSchema/.exec(pointer)?.[0] ?? '';
    const hint = hintForEmbedded(valueAt(frame, root), pointer.slice(root.length));
    return [finding('embedded-schema', pointer, message, strict, { hint })];
  }
  if (keyword === undefined) {
    const hint = isObject(frame) && frame['id'] === null ? hintForType('id', null) : undefined;
    return [finding('frame', pointer, message, strict, { hint })];
  }
  const fault = { kind, pointer, message, keyword };
  return rooted === undefined
    ? [finding(checkOf(fault), pointer, message, strict)]
    : faultFindings([fault], frame, rooted, strict);
}

/** `whole`: what the pointers of the faults lead into. */
export function faultFindings(
  faults: readonly Fault[],
  whole: unknown,
  rooted: Rooted,
  strict: boolean,
): Finding[] {
  return faults.flatMap((fault) => {
    const { pointer, message } = fault;
    const check = checkOf(fault);
    const closer = check === 'schema-union' ? memberFindings(pointer, whole, rooted, strict) : [];
    if (closer.length > 0) return closer;
    const details = detailsOf(check, pointer, message, whole, rooted);
    return [finding(check, pointer, message, strict, details)];
  });
}

/** Where the value names the member of the union that it means, it is judged as that. */
function memberFindings(
  pointer: string,
  whole: unknown,
  { revision, definition, value, at }: Rooted,
  strict: boolean,
): Finding[] {
  const found = valueAt(whole, pointer);
  const own = locate(revision, definition, value, pointer.slice(at.length))?.own;
  if (own?.schema === undefined || !(own.owner in definitionsOf(revision))) return [];
  if (!isObject(found) || !namesItself(own.schema, found)) return [];
  const faults = typeFaults(revision, own.owner, found).filter(
    (fault) => fault.pointer !== '' || checkOf(fault) !== 'schema-union',
  );
  const member = { revision, definition: own.owner, value: found, at: '' };
  return faultFindings(faults, found, member, strict).map((one) => ({
    ...one,
    pointer: pointer + one.pointer,
  }));
}

function namesItself({ properties }: JsonSchema, value: Record<string, unknown>): boolean {
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).some(
    ([name, schema]) => schema['const'] !== undefined && schema['const'] === value[name],
  );
}

function checkOf({ kind, keyword }: Fault): CheckId {
  return kind === 'foreign' ? 'foreign-field' : checkOfKeyword(keyword);
}

/** A meta-schema finds one fault of an embedded schema in several ways; the first says enough. */
export function onePerPlace(findings: readonly Finding[]): Finding[] {
  const places = new Set<string>();
  return findings.filter(({ check, pointer }) => {
    if (check !== 'embedded-schema') return true;
    if (places.has(pointer)) return false;
    places.add(pointer);
    return true;
  });
}

type Details = Pick<Finding, 'allowed' | 'exists' | 'hint'>;

function detailsOf(
  check: CheckId,
  pointer: string,
  message: string,
  frame: unknown,
  { revision, definition, value, at }: Rooted,
): Details {
  const place = locate(revision, definition, value, pointer.slice(at.length));
  if (place === undefined) return {};
  const { parent, own } = place;
  const field = stepsOf(pointer).at(-1) ?? '';
  const found = valueAt(frame, pointer);
  if (check === 'schema-required') {
    const missing = /'([^']+)'/.exec(message)?.[1] ?? '';
    return {
      allowed: own.schema && describeSchema(own.schema),
      exists: historyOfField(own.owner, missing),
      hint: hintForMissing(missing, found, revision),
    };
  }
  if (check === 'foreign-field') {
    return {
      allowed: parent.schema && `${parent.owner} has ${describeSchema(parent.schema)}`,
      exists: historyOfField(parent.owner, field),
      hint: hintForForeign(field, revision),
    };
  }
  return {
    allowed: own.schema && describeSchema(own.schema),
    exists: /^\d*$/.test(field) ? undefined : historyOfField(parent.owner, field),
    hint: hintForType(field, found),
  };
}

function codeFindings({ revision, kind }: Outgoing, frame: unknown, strict: boolean): Finding[] {
  if (kind !== 'error' || !isObject(frame) || !isObject(frame['error'])) return [];
  const fault = codeFault(Number(frame['error']['code']), revision);
  if (fault === undefined) return [];
  return [finding('error-code', '/error/code', fault.message, strict, { hint: fault.hint })];
}

/** Unknown fields are allowed everywhere, but one that differs in case or punctuation only was not meant so. */
export function misspelt({ revision, definition, value, at }: Rooted, strict: boolean): Finding[] {
  const findings: Finding[] = [];
  walkObjects(revision, definition, value, ({ pointer, object, located }) => {
    const declared = Object.keys(located.schema?.['properties'] ?? {});
    for (const key of Object.keys(object)) {
      if (declared.includes(key)) continue;
      const meant = declared.find((name) => SAME_LETTERS(name) === SAME_LETTERS(key));
      if (meant === undefined || meant in object || SAME_LETTERS(key) === 'meta') continue;
      findings.push(
        finding(
          'misspelt-field',
          `${at}${pointer}/${escapedStep(key)}`,
          `${located.owner} has no ${key}`,
          strict,
          { hint: `\`${key}\` should be \`${meant}\`.` },
        ),
      );
    }
  });
  return findings;
}

export function finding(
  check: CheckId,
  pointer: string,
  message: string,
  strict: boolean,
  { allowed, exists, hint }: Details = {},
): Finding {
  return {
    check,
    severity: severityOf(check, strict),
    pointer,
    message,
    ...(allowed !== undefined && { allowed }),
    ...(exists !== undefined && { exists }),
    ...(hint !== undefined && { hint }),
  };
}

function valueAt(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, step) => (Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined),
    value,
  );
}
