/** An upstream MCP server of any revision, as a backend. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
} from '../../../generated/newest/types.js';
import {
  LISTINGS,
  type Backend,
  type BackendEvent,
  type BackendState,
  type BackendStatus,
  type Bare,
  type Tool,
} from '../backend.js';
import type { RequestContext } from '../context.js';
import { offeredBy } from './capabilities.js';
import { Calls } from './calls.js';
import { SessionExpired } from './channel.js';
import { connect } from './connect.js';
import { IdleTimer } from './idle.js';
import { Keeper } from './keeper.js';
import type { ToolFinding } from './ingest/tools.js';
import { LISTS_OF, type Lists } from './lists.js';
import type { Agreement } from './negotiate.js';
import { Offer } from './offer.js';
import { DEFAULT_PATIENCE, type UpstreamOptions, type UpstreamPatience } from './options.js';
import { OutputTrust, withTextMirror } from './output-trust.js';
import type { Session } from './session.js';
import { Selection } from './selection.js';
import { Subscriptions } from './subscriptions.js';
import type { Way } from './ways.js';

/** For how long changes of an upstream's list are gathered before it is fetched again, in milliseconds. */
const REFETCH_DELAY = 50;

const CHANGES: ReadonlyMap<string, keyof typeof LISTS_OF> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);

const EVERYTHING = Object.keys(LISTS_OF) as readonly (keyof typeof LISTS_OF)[];

function changesBetween(before: Lists, after: Lists): (keyof typeof LISTS_OF)[] {
  return EVERYTHING.filter((kind) =>
    LISTS_OF[kind].some((list) => !isDeepStrictEqual(before[list], after[list])),
  );
}

export class UpstreamBackend implements Backend {
  readonly namespace: string;
  readonly #patience: UpstreamPatience;
  readonly #keeper: Keeper<Session>;
  readonly #subscriptions: Subscriptions;
  /** What it was when it last answered; it stays while the upstream is away. */
  #agreement: Agreement | undefined;
  /** Of what was agreed, what can be handed on. */
  #capabilities: ServerCapabilities = {};
  #way: Way | undefined;
  /** Sessions that the upstream has forgotten. */
  #leaving: readonly Session[] = [];
  readonly #idle: IdleTimer;
  /** Nobody has used it for a while; it is started again when somebody does. */
  #resting = false;
  readonly #offer: Offer;
  readonly #trust = new OutputTrust();
  readonly #selection: Selection;
  readonly #calls: Calls;
  #lastError: BackendStatus['lastError'];
  #listener: (event: BackendEvent) => void = () => undefined;
  #started = false;
  readonly #refetching = new Map<keyof typeof LISTS_OF, NodeJS.Timeout>();

  constructor(private readonly options: UpstreamOptions) {
    this.namespace = options.namespace;
    this.#patience = { ...DEFAULT_PATIENCE, ...options.patience };
    this.#subscriptions = new Subscriptions(options.diagnostics);
    this.#offer = new Offer({ ...options, timeout: this.#patience.callTimeout });
    this.#selection = new Selection(options.selection ?? {});
    this.#calls = new Calls({
      namespace: options.namespace,
      diagnostics: options.diagnostics,
      alone: options.passThrough === true,
      timeout: this.#patience.callTimeout,
      current: () => this.#keeper.current,
      session: () => this.#keeper.get(),
      logs: () => this.capabilities.logging !== undefined,
      enter: () => this.#idle.enter(),
      leave: () => this.#idle.leave(),
      listedAgain: async (name) => {
        await this.#changed('tools');
        return this.#offer.tool(name)?.inputSchema;
      },
    });
    this.#idle = new IdleTimer(this.#patience.idleTimeout, () => this.#rest());
    this.#keeper = new Keeper(
      (signal) => this.#connect(signal),
      (error, pauseMs) => {
        this.#failedWith(error);
        this.#note('upstream-down', { err: error, pauseMs });
      },
      () => this.#listener({ kind: 'statusChanged' }),
    );
  }

  /** Whoever is offered as if there were no mcpx answers as if there were none. */
  get judgesArguments(): boolean {
    return this.options.passThrough === true;
  }

  get capabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  get info(): Implementation | undefined {
    return this.#agreement?.info;
  }

  get instructions(): string | undefined {
    return this.#agreement?.instructions;
  }

  get status(): BackendStatus {
    const revision = this.#agreement?.revision;
    return {
      state: this.#state,
      ...(revision !== undefined && { revision }),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
    };
  }

  get #state(): BackendState {
    if (this.#keeper.current !== undefined || this.#resting) return 'up';
    return this.#keeper.pausing ? 'down' : 'starting';
  }

  #failedWith({ message }: Error): void {
    this.#lastError = { message, at: new Date() };
  }

  async start(): Promise<void> {
    try {
      await this.#keeper.get();
    } finally {
      this.#started = true;
    }
  }

  async #connect(signal: AbortSignal): Promise<Session> {
    this.#resting = false;
    const { target, ways } = this.options;
    const { session, agreement, way } = await connect({
      ...this.options,
      signal,
      patience: this.#patience,
      knownWay: this.#way ?? (await ways?.recall(target)),
      notified: (method, params) => this.#notified(method, params),
      closed: (ended, reason) => {
        this.#subscriptions.sessionEnded();
        this.#failedWith(reason);
        if (reason instanceof SessionExpired) this.#expired(ended, reason);
        else this.#keeper.ended(ended, reason);
      },
    }).catch((error: unknown) => {
      // It may have become another server in the meantime.
      this.#way = undefined;
      throw error;
    });
    this.#way = way;
    await ways?.remember(target, way);
    const before = { lists: this.#offer.lists, capabilities: this.#agreement?.capabilities };
    this.#agreement = agreement;
    this.#capabilities = offeredBy(agreement.capabilities);
    if (!this.#keeper.retired) this.#subscriptions.sessionStarted(session, agreement);
    await this.#fetchAll(session, signal);
    if (this.#started) {
      // What has come back as it was is no news.
      const same = isDeepStrictEqual(before.capabilities, agreement.capabilities);
      this.#announce(same ? changesBetween(before.lists, this.#offer.lists) : EVERYTHING);
    }
    this.#idle.restart();
    return session;
  }

  /** Those of its calls that the upstream has taken may still be answered. */
  #expired(session: Session, reason: SessionExpired): void {
    this.#leaving = [...this.#leaving.filter(({ lingers }) => lingers), session];
    this.#keeper.lapsed(session, reason);
  }

  /** One that is slow to tell what it has must not hold up its own end: rejects with the signal's reason. */
  async #fetchAll(session: Session, signal: AbortSignal): Promise<void> {
    const close = (): void => void session.close();
    signal.addEventListener('abort', close, { once: true });
    if (!signal.aborted) await this.#offer.fetch(session, LISTINGS, this.capabilities);
    signal.removeEventListener('abort', close);
    if (!signal.aborted) return;
    await session.close();
    throw signal.reason;
  }

  /** Its lists stay, and so does what it agreed to. */
  #rest(): void {
    // Updates come only while there is a session.
    if (this.#subscriptions.any) return;
    const session = this.#keeper.rest();
    if (session === undefined) return;
    this.#resting = true;
    this.#subscriptions.sessionEnded();
    session.close().catch((error: unknown) => this.#note('upstream-close-failed', { err: error }));
  }

  get transport(): 'stdio' | 'http' {
    return this.options.target.kind;
  }

  /** How it is reached; undefined until it has been. */
  get way(): Way | undefined {
    return this.#way;
  }

  get findings(): readonly ToolFinding[] {
    return this.#offer.findings;
  }

  #notified(method: string, params: Record<string, unknown>): void {
    if (method === 'notifications/resources/updated') {
      this.#listener({ kind: 'resourceUpdated', uri: params['uri'] as string });
      return;
    }
    if (method === 'notifications/elicitation/complete') {
      const elicitationId = params['elicitationId'];
      if (typeof elicitationId === 'string') {
        this.#listener({ kind: 'elicitationComplete', elicitationId });
      }
      return;
    }
    const changed = CHANGES.get(method);
    if (changed === undefined || this.#refetching.has(changed)) return;
    const timer = setTimeout(() => {
      this.#refetching.delete(changed);
      void this.#changed(changed);
    }, REFETCH_DELAY);
    this.#refetching.set(changed, timer);
  }

  async #changed(kind: keyof typeof LISTS_OF): Promise<void> {
    const session = this.#keeper.current;
    // One that is just being started fetches everything anyway.
    if (session === undefined) return;
    await this.#offer.fetch(session, LISTS_OF[kind], this.capabilities);
    this.#announce([kind]);
  }

  #announce(kinds: readonly (keyof typeof LISTS_OF)[]): void {
    for (const list of kinds) this.#listener({ kind: 'listChanged', list });
  }

  tools(): readonly Tool[] {
    return this.#selection.offered(this.#trust.listed(this.#offer.lists.tools));
  }

  resources(): readonly Resource[] {
    return this.#offer.lists.resources;
  }

  resourceTemplates(): readonly ResourceTemplate[] {
    return this.#offer.lists.resourceTemplates;
  }

  prompts(): readonly Prompt[] {
    return this.#offer.lists.prompts;
  }

  async callTool(
    offered: string,
    args: Record<string, unknown>,
    ctx: RequestContext,
  ): Promise<Bare<CallToolResult>> {
    const name = this.#selection.original(offered);
    const tool = this.#offer.tool(name);
    const params = { name, arguments: args };
    // Nothing but a task can be had of it (2025-11-25, basic/utilities/tasks).
    const asTask = this.#way !== 'modern' && tool?.execution?.taskSupport === 'required';
    const result = await this.#calls.relay<Bare<CallToolResult>>(
      'tools/call',
      asTask ? { ...params, task: {} } : params,
      ctx,
      tool?.inputSchema,
    );
    const fault = tool && this.#trust.judge(tool, result);
    if (fault !== undefined) {
      this.#note('upstream-output-schema-broken', { tool: name, fault });
      this.#announce(['tools']);
    }
    return this.options.passThrough === true ? result : withTextMirror(result);
  }

  getPrompt(
    name: string,
    args: Record<string, string>,
    ctx: RequestContext,
  ): Promise<Bare<GetPromptResult>> {
    return this.#calls.relay('prompts/get', { name, arguments: args }, ctx);
  }

  readResource(uri: string, ctx: RequestContext): Promise<Bare<ReadResourceResult>> {
    return this.#calls.relay('resources/read', { uri }, ctx);
  }

  complete(params: CompleteRequestParams, ctx: RequestContext): Promise<Bare<CompleteResult>> {
    const { ref, argument, context } = params;
    const asked = context === undefined ? { ref, argument } : { ref, argument, context };
    return this.#calls.relay('completion/complete', asked, ctx);
  }

  subscribe(uri: string): void {
    this.#subscriptions.add(uri);
    if (this.#resting) this.#keeper.get().catch(() => undefined);
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.remove(uri);
    this.#idle.restart();
  }

  onEvent(listener: (event: BackendEvent) => void): void {
    this.#listener = listener;
  }

  retire(): void {
    this.#keeper.retire();
    this.#quieten();
  }

  /** Nobody wants to hear of it any more. */
  #quieten(): void {
    for (const timer of this.#refetching.values()) clearTimeout(timer);
    this.#refetching.clear();
    this.#subscriptions.sessionEnded();
  }

  async close(): Promise<void> {
    this.#idle.stop();
    this.#quieten();
    const leaving = this.#leaving.filter(({ lingers }) => lingers);
    await Promise.all(leaving.map((session) => session.close()));
    const session = await this.#keeper.close();
    await session?.close();
  }

  #note(event: string, details: object): void {
    this.options.diagnostics.note(event, { namespace: this.namespace, ...details });
  }
}
