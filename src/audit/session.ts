/**
 * Judges the messages of a session in their order: who asked what is remembered, so that answers are
 * judged by their methods, and the revision that was negotiated is followed.
 */
import { FACTS } from '../../generated/facts.js';
import { METHODS, type Sender } from '../../generated/methods.js';
import { NEWEST, REVISIONS, type Revision } from '../../generated/revisions.js';
import { PROTOCOL_VERSION_KEY } from '../edge/envelope.js';
import { decodeHeaderValue } from '../protocol/header-value.js';
import { idKey, isObject, sortFrame, type RequestId, type Sorted } from '../protocol/jsonrpc.js';
import { MIRRORED_NAMES } from '../protocol/mirrored.js';
import type { Finding } from './checks.js';
import { finding, type Judge } from './judge.js';
import type { Entry } from './transcript.js';

export interface SessionOptions {
  /** Of what names none and follows no negotiation. */
  readonly revision?: Revision;
  /** Of answers whose request is not there. */
  readonly method?: string;
  readonly strict: boolean;
  /** Whether the messages belong together; a single one is judged by itself. */
  readonly follow: boolean;
}

export interface Judged {
  readonly revision: Revision | undefined;
  readonly method: string | undefined;
  readonly sender: Sender | undefined;
  readonly findings: readonly Finding[];
}

interface Asked {
  readonly method: string;
  readonly revision: Revision;
}

const OTHER: Readonly<Record<Sender, Sender>> = { client: 'server', server: 'client' };

export class AuditedSession {
  #negotiated: Revision | undefined;
  readonly #pending: Record<Sender, Map<string | number, Asked>> = {
    client: new Map(),
    server: new Map(),
  };
  readonly #used: Record<Sender, Set<string | number>> = { client: new Set(), server: new Set() };

  constructor(
    private readonly judge: Judge,
    private readonly options: SessionOptions,
  ) {}

  /** An array in the place of a message is a batch: one result for each message in it. */
  next(entry: Entry): Judged[] {
    const { frame, problem } = entry;
    if (problem !== undefined) return [this.#plain(finding('json-syntax', '', problem, true))];
    if (!Array.isArray(frame)) return [this.#one(frame, entry)];
    const revision = this.#current() ?? NEWEST;
    const judged = frame.map((item: unknown, at) => within(this.#one(item, entry), at));
    if (FACTS[revision].batching && frame.length > 0) return judged;
    const message = frame.length === 0 ? 'a batch is not empty' : `${revision} has no batches`;
    return [this.#plain(finding('frame-batch', '', message, true)), ...judged];
  }

  #one(frame: unknown, { sender: told, headers }: Entry): Judged {
    const sorted = sortFrame(frame);
    if (sorted.kind === 'response') return this.#response(sorted, frame, told);
    const method = sorted.kind === 'invalid' ? methodOf(frame) : sorted.frame.method;
    const revision = this.#revisionOf(method, frame);
    if (revision === undefined) return this.#unjudged(method, told, 'the revision; name it');
    const sender = told ?? METHODS[revision][method ?? '']?.senders[0] ?? 'client';
    const kind = sorted.kind === 'invalid' ? 'request' : sorted.kind;
    const findings = [
      ...this.judge({ revision, sender, kind, method }, frame),
      ...this.#headerFindings(revision, sender, method, frame, headers),
    ];
    if (sorted.kind === 'request' && this.options.follow) {
      const key = idKey(sorted.frame.id);
      if (this.#used[sender].has(key)) {
        const message = `the ${sender} has used this id before`;
        findings.push(finding('id-reused', '/id', message, this.options.strict));
      }
      this.#used[sender].add(key);
      this.#pending[sender].set(key, { method: sorted.frame.method, revision });
    }
    return { revision, method, sender, findings };
  }

  #response(
    { frame: answer }: Sorted & { kind: 'response' },
    frame: unknown,
    told: Sender | undefined,
  ): Judged {
    const found = this.#asked(answer.id, told);
    const method = found?.asked.method ?? this.options.method;
    const sender = told ?? (found && OTHER[found.asker]) ?? answererOf(method, this.#current());
    const isResult = 'result' in answer;
    const handshake = isResult && method === 'initialize' ? answer.result['protocolVersion'] : '';
    if (isRevision(handshake)) this.#negotiated = handshake;
    const revision =
      handshake !== '' ? this.#current() : (found?.asked.revision ?? this.#current());
    if (revision === undefined) return this.#unjudged(method, sender, 'the revision; name it');
    if (isResult && method === undefined) {
      const check = this.options.follow ? 'answer-unasked' : 'unjudged';
      const message = this.options.follow
        ? 'answers no request that came before'
        : 'nothing says which method this answers; name it';
      const { strict } = this.options;
      return { revision, method, sender, findings: [finding(check, '/id', message, strict)] };
    }
    const kind = isResult ? 'result' : 'error';
    const findings = this.judge({ revision, sender: sender ?? 'server', kind, method }, frame);
    return { revision, method, sender, findings };
  }

  #asked(
    id: RequestId | undefined,
    answerer: Sender | undefined,
  ): { asked: Asked; asker: Sender } | undefined {
    if (id === undefined) return undefined;
    const askers = answerer === undefined ? (['client', 'server'] as const) : [OTHER[answerer]];
    for (const asker of askers) {
      const asked = this.#pending[asker].get(idKey(id));
      if (asked === undefined) continue;
      this.#pending[asker].delete(idKey(id));
      return { asked, asker };
    }
    return undefined;
  }

  #current(): Revision | undefined {
    return this.#negotiated ?? this.options.revision;
  }

  /** What the message itself names decides in a session; a single one is judged as it was asked for. */
  #revisionOf(method: string | undefined, frame: unknown): Revision | undefined {
    const params = isObject(frame) && isObject(frame['params']) ? frame['params'] : {};
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const named =
      meta[PROTOCOL_VERSION_KEY] ?? (method === 'initialize' ? params['protocolVersion'] : '');
    const own = isRevision(named) ? named : undefined;
    return this.options.follow ? (own ?? this.#current()) : (this.options.revision ?? own);
  }

  #headerFindings(
    revision: Revision,
    sender: Sender,
    method: string | undefined,
    frame: unknown,
    headers: Entry['headers'],
  ): Finding[] {
    if (headers === undefined || sender !== 'client' || method === undefined) return [];
    const { strict } = this.options;
    const findings: Finding[] = [];
    const expect = (
      check: 'header-version' | 'header-method',
      name: string,
      value: string,
    ): void => {
      const raw = headers[name.toLowerCase()];
      const found = raw === undefined ? undefined : (decodeHeaderValue(raw) ?? raw);
      if (found === value) return;
      const is = found === undefined ? 'is missing' : `is ${JSON.stringify(found)}`;
      findings.push(finding(check, '', `${name} ${is}, expected ${JSON.stringify(value)}`, strict));
    };
    const { versionHeader, mirroredHeaders } = FACTS[revision];
    if (versionHeader && method !== 'initialize') {
      expect('header-version', 'MCP-Protocol-Version', revision);
    }
    if (!mirroredHeaders) return findings;
    expect('header-method', 'Mcp-Method', method);
    const mirrored = MIRRORED_NAMES.get(method);
    const params = isObject(frame) && isObject(frame['params']) ? frame['params'] : {};
    const name = mirrored === undefined ? undefined : params[mirrored.field];
    if (typeof name === 'string' && mirrored?.optional !== true) {
      expect('header-method', 'Mcp-Name', name);
    }
    return findings;
  }

  #plain(found: Finding): Judged {
    return { revision: this.#current(), method: undefined, sender: undefined, findings: [found] };
  }

  #unjudged(method: string | undefined, sender: Sender | undefined, what: string): Judged {
    const message = `nothing says ${what}`;
    return {
      revision: undefined,
      method,
      sender,
      findings: [finding('unjudged', '', message, this.options.strict)],
    };
  }
}

function within(judged: Judged, at: number): Judged {
  const findings = judged.findings.map((one) => ({ ...one, pointer: `/${at}${one.pointer}` }));
  return { ...judged, findings };
}

function answererOf(
  method: string | undefined,
  revision: Revision | undefined,
): Sender | undefined {
  if (method === undefined || revision === undefined) return undefined;
  const [asker] = METHODS[revision][method]?.senders ?? [];
  return asker === undefined ? undefined : OTHER[asker];
}

function methodOf(frame: unknown): string | undefined {
  const method = isObject(frame) ? frame['method'] : undefined;
  return typeof method === 'string' ? method : undefined;
}

function isRevision(version: unknown): version is Revision {
  return REVISIONS.some(({ revision }) => revision === version);
}
