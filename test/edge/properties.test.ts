import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { METHODS } from '../../generated/methods.js';
import { NEWEST, REVISIONS, type Revision } from '../../generated/revisions.js';
import { loadChecker, type Checker } from '../../src/edge/check.js';
import type { Outgoing } from '../../src/edge/contract.js';
import { describeViolation } from '../../src/edge/outgoing.js';
import { edgeFor } from '../../src/edge/edge.js';
import { deepFreeze } from '../support/freeze.js';
import { needlessLosses } from '../support/loss.js';
import {
  ANSWERS,
  INPUT_REQUESTS,
  NOTIFICATIONS,
  REQUESTS,
  RESULTS,
  type Made,
} from '../support/messages.js';

/** For each message of each revision. */
const RUNS = { numRuns: 40 };
const CONTEXT = { serverInfo: { name: 'mcpx', version: '1' } };

let checker: Checker;
beforeAll(async () => {
  checker = await loadChecker();
});

type Message = Record<string, unknown>;
type Project = (message: object) => object | undefined;

function holds(outgoing: Outgoing, value: fc.Arbitrary<Message>, project: Project): void {
  const frameOf = (sent: object): object => frame(outgoing, sent);
  const faults = (sent: object): string[] =>
    checker(outgoing, JSON.parse(JSON.stringify(frameOf(sent)))).map(describeViolation);
  let refused = 0;
  fc.assert(
    fc.property(value, (message) => {
      const sent = project(deepFreeze(message));
      if (sent === undefined) {
        refused++;
        return;
      }
      expect(faults(sent)).toEqual([]);
      expect(project(deepFreeze(sent))).toEqual(sent);
      expect(
        needlessLosses(message, sent, (other) => faults(other as object).length === 0),
      ).toEqual([]);
    }),
    RUNS,
  );
  if (refused > 0) expect(MAY_REFUSE).toContain(outgoing.method);
}

/** Messages that some older revision cannot say; all others always leave. */
const MAY_REFUSE = ['elicitation/create', 'sampling/createMessage'];

function frame({ kind, method }: Outgoing, sent: object): object {
  if (kind === 'result') return { jsonrpc: '2.0', id: 1, result: sent };
  if (kind === 'notification') return { jsonrpc: '2.0', method, params: sent };
  return { jsonrpc: '2.0', id: 1, method, params: sent };
}

const has = (
  revision: Revision,
  method: string,
  kind: string,
  sender: 'server' | 'client',
): boolean => {
  const fact = METHODS[revision][method];
  return fact?.kind === kind && fact.senders.includes(sender);
};

const paramsOf = (sent: { params: object | undefined } | { refused: string } | undefined) =>
  sent !== undefined && 'params' in sent ? sent.params : undefined;

describe.each(REVISIONS)('to a peer of $revision', ({ revision, era }) => {
  const edge = edgeFor(revision);
  const result =
    (method: string): Project =>
    (message) =>
      edge.result(method, message, CONTEXT);
  const request =
    (method: string): Project =>
    (message) =>
      paramsOf(edge.request(method, message));
  const notification =
    (method: string): Project =>
    (message) =>
      paramsOf(edge.notification(method, message));

  const asServer = (made: readonly Made[]) =>
    made.filter(({ method }) => has(revision, method, 'request', 'client'));
  const toClient = (made: readonly Made[]) =>
    made.filter(({ method }) => has(revision, method, 'request', 'server'));

  test.each(asServer(RESULTS))(
    'the result of $method is valid, and holds all it can',
    ({ method, value }) => {
      holds({ revision, sender: 'server', kind: 'result', method }, value, result(method));
    },
  );

  test.each(asServer(REQUESTS))(
    'the request $method is valid, and holds all it can',
    ({ method, value }) => {
      holds({ revision, sender: 'client', kind: 'request', method }, value, request(method));
    },
  );

  test.each(toClient(INPUT_REQUESTS))(
    'the question $method is valid, and holds all it can, or is refused',
    ({ method, value }) => {
      holds({ revision, sender: 'server', kind: 'request', method }, value, request(method));
    },
  );

  test.each(toClient(ANSWERS))(
    'the answer to $method is valid, and holds all it can',
    ({ method, value }) => {
      holds({ revision, sender: 'client', kind: 'result', method }, value, result(method));
    },
  );

  for (const sender of ['server', 'client'] as const) {
    test.each(NOTIFICATIONS.filter(({ method }) => has(revision, method, 'notification', sender)))(
      `$method of a ${sender} is valid, and holds all it can`,
      ({ method, value }) => {
        holds({ revision, sender, kind: 'notification', method }, value, notification(method));
      },
    );
  }

  test.runIf(era === 'legacy')('the answer to initialize is valid, and holds all it can', () => {
    const discovered = RESULTS.find(({ method }) => method === 'server/discover');
    holds(
      { revision, sender: 'server', kind: 'result', method: 'initialize' },
      discovered?.value ?? fc.constant({}),
      result('initialize'),
    );
  });
});

test('every message of the newest revision is put to these tests', () => {
  const tried = [...RESULTS, ...REQUESTS, ...NOTIFICATIONS, ...INPUT_REQUESTS].map((m) => m.method);
  const all = Object.entries(METHODS[NEWEST]).filter(([, fact]) => fact.extension === undefined);
  expect(new Set(tried)).toEqual(new Set(all.map(([method]) => method)));
});
