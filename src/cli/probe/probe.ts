/** Talks to a server as a client of one revision, and says what it really does. */
import { CONSTANTS } from '../../../generated/constants.js';
import { METHODS } from '../../../generated/methods.js';
import { REVISIONS, eraOf, type Era, type Revision } from '../../../generated/revisions.js';
import type { Finding } from '../../audit/checks.js';
import type { Judge } from '../../audit/judge.js';
import type { OpenChannel } from '../../backends/upstream/channel.js';
import { withRequestEnvelope } from '../../edge/envelope.js';
import { isObject, sortFrame } from '../../protocol/jsonrpc.js';
import { NoAnswer, ProbeClient, type Answer, type Heard } from './client.js';
import { SERVER_INFO_KEY } from '../../edge/envelope.js';

export interface ProbeOptions {
  readonly open: OpenChannel;
  readonly judge: Judge;
  readonly clientInfo: { name: string; version: string };
  /** For each answer, in milliseconds. */
  readonly timeout: number;
}

export interface Mistake extends Finding {
  /** What the server sent: `result of tools/list`. */
  readonly in: string;
  /** How often, with indices in the pointer told as `*`. */
  readonly times: number;
}

export interface Probed {
  readonly asked: Revision;
  readonly era: Era;
  /** What the server settled on, where it is a revision at all; undefined where it served none. */
  readonly revision?: Revision;
  /** Why it is not served. */
  readonly refused?: string;
  /** Not even the first question was answered, nor anything else said. */
  readonly silent?: true;
  readonly server?: string;
  readonly capabilities?: Record<string, unknown>;
  /** Method → how many items, or what went wrong. */
  readonly answers: Readonly<Record<string, string>>;
  /** Fields sent to a revision that never had them. */
  readonly leaks: readonly Mistake[];
  /** All else that breaks the protocol. */
  readonly mistakes: readonly Mistake[];
}

/** Lists, by the capability that offers them. */
const LISTS: readonly { method: string; capability: string; field: string }[] = [
  { method: 'tools/list', capability: 'tools', field: 'tools' },
  { method: 'prompts/list', capability: 'prompts', field: 'prompts' },
  { method: 'resources/list', capability: 'resources', field: 'resources' },
  { method: 'resources/templates/list', capability: 'resources', field: 'resourceTemplates' },
];

/** No revision has it, and none will. */
const NO_METHOD = 'mcpx/no-such-method';

export async function probeRevision(asked: Revision, options: ProbeOptions): Promise<Probed> {
  const client = new ProbeClient(options.open, options.timeout);
  const era = eraOf(asked);
  let silent = false;
  try {
    client.speaks(asked, false);
    const opened =
      era === 'modern'
        ? await discover(client, asked, options)
        : await handshake(client, asked, options);
    if ('refused' in opened)
      return { asked, era, ...opened, ...judged(client, asked, options), answers: {} };
    const { revision } = opened;
    client.speaks(revision, true);
    if (era === 'legacy') await client.notify('notifications/initialized');
    const answers = await lookAround(client, opened, options);
    return { asked, era, ...opened, answers, ...judged(client, revision, options) };
  } catch (error) {
    silent = error instanceof NoAnswer && client.heard.length === 0;
    return {
      asked,
      era,
      refused: (error as Error).message,
      ...(silent && { silent }),
      answers: {},
      ...judged(client, asked, options),
    };
  } finally {
    const closed = client.close();
    // What has not listened so far may take its time to end, too, and nobody needs to see it.
    if (!silent) await closed;
  }
}

interface Opened {
  readonly revision: Revision;
  readonly server?: string;
  readonly capabilities: Record<string, unknown>;
}

async function discover(
  client: ProbeClient,
  asked: Revision,
  options: ProbeOptions,
): Promise<Opened | { refused: string }> {
  const { result, error } = await client.request('server/discover', enveloped({}, asked, options));
  if (result === undefined) return { refused: said(error) };
  const supported = result['supportedVersions'];
  if (!Array.isArray(supported) || !supported.includes(asked)) {
    return { refused: `supports ${JSON.stringify(supported)}` };
  }
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  return openedBy(asked, result, meta[SERVER_INFO_KEY]);
}

async function handshake(
  client: ProbeClient,
  asked: Revision,
  { clientInfo }: ProbeOptions,
): Promise<Opened | { refused: string }> {
  const params = { protocolVersion: asked, capabilities: {}, clientInfo };
  const { result, error } = await client.request('initialize', params);
  if (result === undefined) return { refused: said(error) };
  const version = result['protocolVersion'];
  const revision = REVISIONS.find((one) => one.revision === version)?.revision;
  if (revision === undefined) return { refused: `settled on ${JSON.stringify(version)}` };
  return openedBy(revision, result, result['serverInfo']);
}

function openedBy(revision: Revision, result: Record<string, unknown>, info: unknown): Opened {
  const capabilities = isObject(result['capabilities']) ? result['capabilities'] : {};
  if (!isObject(info)) return { revision, capabilities };
  return { revision, capabilities, server: `${String(info['name'])} ${String(info['version'])}` };
}

async function lookAround(
  client: ProbeClient,
  { revision, capabilities }: Opened,
  options: ProbeOptions,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const ask = async (method: string, read: (answer: Answer) => string): Promise<void> => {
    const params = eraOf(revision) === 'modern' ? enveloped({}, revision, options) : {};
    try {
      answers[method] = read(await client.request(method, params));
    } catch (error) {
      answers[method] = (error as Error).message;
    }
  };
  if ('ping' in METHODS[revision]) {
    await ask('ping', ({ error }) => (error === undefined ? 'answered' : said(error)));
  }
  for (const { method, capability, field } of LISTS) {
    if (!(capability in capabilities)) continue;
    await ask(method, ({ result, error }) => {
      const items = result?.[field];
      return Array.isArray(items)
        ? `${items.length} ${items.length === 1 ? 'item' : 'items'}`
        : said(error);
    });
  }
  const expected = CONSTANTS[revision]['METHOD_NOT_FOUND'];
  await ask(NO_METHOD, ({ error }) =>
    error?.code === expected
      ? `refused with ${String(expected)}`
      : `should be refused with ${String(expected)}, but: ${said(error)}`,
  );
  return answers;
}

function enveloped(
  params: object,
  revision: Revision,
  { clientInfo }: ProbeOptions,
): Record<string, unknown> {
  const envelope = { protocolVersion: revision, clientCapabilities: {}, clientInfo };
  return withRequestEnvelope(params, envelope) as Record<string, unknown>;
}

function said(error: Answer['error']): string {
  return error === undefined ? 'a result of another form' : `error ${error.code}: ${error.message}`;
}

function judged(
  { heard }: ProbeClient,
  revision: Revision,
  { judge }: ProbeOptions,
): Pick<Probed, 'leaks' | 'mistakes'> {
  const found = new Map<string, Mistake>();
  for (const one of heard) {
    for (const finding of findingsIn(one, revision, judge)) {
      const pointer = finding.pointer.replace(/\/\d+(?=\/|$)/g, '/*');
      const place = inWords(one);
      const key = `${finding.check} ${place} ${pointer} ${finding.message}`;
      const times = (found.get(key)?.times ?? 0) + 1;
      found.set(key, { ...finding, pointer, in: place, times });
    }
  }
  const all = [...found.values()];
  return {
    leaks: all.filter(({ check }) => check === 'foreign-field'),
    mistakes: all.filter(({ check }) => check !== 'foreign-field'),
  };
}

function findingsIn({ frame, method }: Heard, revision: Revision, judge: Judge): Finding[] {
  const sorted = sortFrame(frame);
  const sender = 'server';
  switch (sorted.kind) {
    case 'invalid':
      return judge({ revision, sender, kind: 'request', method: undefined }, frame);
    case 'request':
    case 'notification':
      return judge({ revision, sender, kind: sorted.kind, method: sorted.frame.method }, frame);
    case 'response': {
      if ('error' in sorted.frame) return judge({ revision, sender, kind: 'error', method }, frame);
      // An answer to nothing, or to the method that does not exist.
      if (method === undefined || METHODS[revision][method] === undefined) return [];
      return judge({ revision, sender, kind: 'result', method }, frame);
    }
  }
}

function inWords({ frame, method }: Heard): string {
  if (method !== undefined) return `answer to ${method}`;
  return isObject(frame) && 'method' in frame ? String(frame['method']) : 'a frame of its own';
}
