/** Anything on stdio, cut anywhere: every request is answered once, validly, and honest ones as ever. */
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { NEWEST, OLDEST, type Revision } from '../../generated/revisions.js';
import { isObject, sortFrame } from '../../src/protocol/jsonrpc.js';
import { speaksModern } from '../../src/server/classify.js';
import { HEADERLESS } from '../../src/server/era.js';
import { ALL_REVISIONS, LEGACY, paramsFor } from '../support/peers.js';
import { sampleServer } from '../support/server.js';
import { StdioClient, type Message } from '../support/stdio-client.js';
import '../support/strict.js';
import { bytesOf, frames, initialize, mutated } from './hostile.js';
import { faultsIn } from './judge.js';
import { fuzzRuns } from './runs.js';

const failures: unknown[] = [];

beforeEach(() => {
  failures.length = 0;
});

const lines = (modern: boolean): fc.Arbitrary<Buffer[]> =>
  fc.array(
    bytesOf(frames(fc.oneof(fc.nat(20), fc.string()), modern)).map((line) =>
      // A line feed would make two lines of it.
      Buffer.from(line.map((byte) => (byte === LINE_FEED ? SPACE : byte))),
    ),
    { minLength: 1, maxLength: 6 },
  );

const conversation = fc.constantFrom(...ALL_REVISIONS).chain((revision) =>
  fc.record({
    revision: fc.constant(revision),
    handshake:
      revision === NEWEST
        ? fc.constant(undefined)
        : fc.oneof({ weight: 3, arbitrary: initialize }, mutated(initialize)),
    lines: lines(revision === NEWEST),
    cuts: fc.array(fc.nat(), { maxLength: 8 }),
  }),
);

const LINE_FEED = 0x0a;
const SPACE = 0x20;

it('every request is answered once, validly, whatever comes between', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async ({ handshake, lines: hostile, cuts }) => {
      const client = new StdioClient(server().core, { drain: 200 });
      const agreed = await shakeHands(client, handshake);
      const before = client.received.length;
      const honest = hostile.map((_line, at) => honestRequest(at, agreed));
      const sent = hostile.flatMap((line, at) => [line, Buffer.from(JSON.stringify(honest[at]))]);
      const bytes = Buffer.concat(sent.map((line) => Buffer.concat([line, Buffer.of(LINE_FEED)])));
      for (const chunk of cutUp(bytes, cuts)) client.raw(chunk);
      for (const { id } of honest) {
        expect(await client.frame((frame) => frame.id === id)).toHaveProperty('result');
      }
      await client.end();
      const received = client.received.slice(before);
      const values = sent.map(parsed);
      expect(faultsOf(received, values, agreed), bytes.toString()).toEqual([]);
      expect(unanswered(received, values), bytes.toString()).toEqual([]);
    }),
    fuzzRuns(300),
  );
  expect(failures).toEqual([]);
});

function server() {
  const ignore = (): void => undefined;
  const error = (details: object): void => void failures.push(details);
  return sampleServer({ logger: { debug: ignore, info: ignore, warn: ignore, error } });
}

/** What the handshake came to: a legacy revision, or undefined where there is none to speak of. */
async function shakeHands(client: StdioClient, handshake: unknown): Promise<Revision | undefined> {
  if (!isObject(handshake)) return undefined;
  client.send({ ...handshake, id: 'handshake' });
  const { result } = await client.frame(
    ({ id, error }) => id === 'handshake' || error !== undefined,
  );
  client.notify('notifications/initialized');
  const agreed = result?.['protocolVersion'];
  return LEGACY.find((revision) => revision === agreed);
}

/** In the era that the conversation is of, or in the one that needs no handshake. */
function honestRequest(at: number, agreed: Revision | undefined): Message {
  const params = { name: 'echo', arguments: { text: `honest ${at}` } };
  return {
    jsonrpc: '2.0',
    id: `honest ${at}`,
    method: 'tools/call',
    params: paramsFor(agreed ?? NEWEST, params) as Record<string, unknown>,
  };
}

function* cutUp(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  const places = cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    if (place > from) yield bytes.subarray(from, place);
    from = place;
  }
}

/** Undefined where it is no JSON. */
function parsed(line: Buffer): unknown {
  if (!isUtf8(line)) return undefined;
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function elements(values: readonly unknown[]): Record<string, unknown>[] {
  return values.flat().filter(isObject);
}

function faultsOf(
  received: readonly Message[],
  values: readonly unknown[],
  agreed: Revision | undefined,
): string[] {
  const asked = values.flatMap((value) => {
    const undeclared = Array.isArray(value) ? HEADERLESS : OLDEST;
    return elements([value]).map((frame) => {
      const params = isObject(frame['params']) ? frame['params'] : undefined;
      const modern = speaksModern({ params }, undefined);
      const revision = modern ? NEWEST : (agreed ?? undeclared);
      return { id: frame['id'], method: textOf(frame['method']), revision };
    });
  });
  return received.flatMap((frame) => {
    if (frame.id === undefined && frame.error !== undefined)
      return faultsIn(frame, agreed ?? OLDEST, '');
    const candidates = asked.filter(({ id }) => frame.method !== undefined || id === frame.id);
    if (candidates.length === 0) return [`nobody asked for ${JSON.stringify(frame)}`];
    const verdicts = candidates.map(({ method, revision }) => faultsIn(frame, revision, method));
    return verdicts.find((faults) => faults.length === 0) ?? verdicts.flat();
  });
}

/** Requests that got no reply, or more than one. */
function unanswered(received: readonly Message[], values: readonly unknown[]): string[] {
  // What is in an array depends on the revision, and what is cancelled on who was first.
  const inBatches = elements(values.filter((value) => Array.isArray(value)));
  const cancels = elements(values).some(({ method }) => method === 'notifications/cancelled');
  const owed = values.map(idToAnswer).filter((id) => id !== undefined);
  return [...new Set(owed)].flatMap((id) => {
    const replies = received.filter((frame) => frame.id === id && frame.method === undefined);
    const least = cancels ? 0 : owed.filter((other) => other === id).length;
    const most =
      owed.filter((other) => other === id).length +
      inBatches.filter((frame) => frame['id'] === id).length;
    if (replies.length >= least && replies.length <= most) return [];
    return [`${replies.length} replies to ${JSON.stringify(id)}, which is owed ${least}`];
  });
}

function idToAnswer(value: unknown): unknown {
  const sorted = sortFrame(value);
  if (sorted.kind === 'request') return sorted.frame.id;
  return sorted.kind === 'invalid' ? sorted.id : undefined;
}
