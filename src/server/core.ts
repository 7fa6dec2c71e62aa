/** The server core: requests come in from any transport, replies go out, nothing is lost between. */
import { FACTS } from '../../generated/facts.js';
import { Diagnostics } from '../protocol/diagnostics.js';
import { RpcError, methodNotFound } from '../protocol/errors.js';
import { Roster } from '../protocol/roster.js';
import { isDeeperThan } from '../protocol/depth.js';
import {
  usableId,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type RequestId,
} from '../protocol/jsonrpc.js';
import type { Peer } from '../protocol/peer.js';
import { NEWEST } from '../../generated/revisions.js';
import type { Directory } from '../backends/directory.js';
import { EVERY_LIST, LIST_BITS, type ChangingList } from '../subscriptions/filter.js';
import { Hub } from '../subscriptions/hub.js';
import type { Outcome as Ended } from '../questions/continuation.js';
import { QuestionDesk } from '../questions/desk.js';
import { MemoryStore } from '../store/memory.js';
import type { TaskRecord } from '../store/record.js';
import { Tasks } from '../tasks/tasks.js';
import { coreTask } from '../tasks/wire.js';
import { Call, type CallHost } from './call.js';
import { resultContexts } from './cache-hints.js';
import { Catalog, type CatalogEvent } from './catalog/catalog.js';
import { classify } from './classify.js';
import type { ClientConnection } from './connection.js';
import { Connections } from './connections.js';
import type {
  Connection,
  Core,
  CoreEvent,
  CoreLoad,
  CoreOptions,
  Exchange,
  Mount,
  Pending,
  Remounting,
  Reply,
} from './contract.js';
import { CatalogDirectory } from './directory.js';
import { Meter } from './meter.js';
import { handlerFor } from './methods/index.js';
import { checkNameHeader } from './mirrored-headers.js';
import { Replies } from './replies.js';
import { errorReply } from './reply.js';
import type { MethodHandler, Outcome, Serving } from './serving.js';
import { DEFAULT_CORE_SETTINGS, type AdjustableSettings, type CoreSettings } from './settings.js';
import { becomeTask } from './task-calls.js';
import { checkRequest } from './validate.js';

/** Throws where two backends have the same namespace. */
export function createCore(options: CoreOptions): Core {
  return new ServerCore(options);
}

class ServerCore implements Core, CallHost {
  readonly settings: CoreSettings;
  readonly diagnostics: Diagnostics;
  readonly desk: QuestionDesk;
  readonly #serving: Serving;
  readonly directory: Directory;
  readonly #meter = new Meter();
  readonly #observers = new Set<(event: CoreEvent) => void>();
  readonly #replies: Replies;
  readonly #connections: Connections;
  /** Every call, streams included; those that are cancelled stay until their handler has ended. */
  readonly #calls = new Roster<Call>();
  #inFlight = 0;
  #streams = 0;
  #started = false;
  #closing = false;
  #idle: (() => void) | undefined;

  constructor(options: CoreOptions) {
    const { info, instructions, settings, diagnostics, broker, store, artifacts } = options;
    this.settings = { ...DEFAULT_CORE_SETTINGS, ...settings };
    this.diagnostics = diagnostics ?? new Diagnostics();
    this.desk = new QuestionDesk(this.settings, broker);
    const mounts: readonly Mount[] =
      artifacts === undefined
        ? options.mounts
        : [...options.mounts, { backend: artifacts, names: 'namespaced' }];
    const catalog = new Catalog(mounts, this.diagnostics, this.settings);
    const hub = new Hub(catalog, this.settings.listChangedDelay);
    catalog.onEvent((event) => this.#heard(event));
    hub.add({ watched: [], deliver: (method) => this.#emitListChange(method) }, EVERY_LIST);
    this.#serving = {
      info,
      get instructions() {
        return instructions ?? catalog.instructions;
      },
      settings: this.settings,
      diagnostics: this.diagnostics,
      catalog,
      hub,
      desk: this.desk,
      tasks: new Tasks(store ?? new MemoryStore(), this.settings, this.diagnostics),
      artifacts,
      contextOf: resultContexts(info, this.settings),
    };
    this.#replies = new Replies(this.#serving);
    this.#connections = new Connections(hub, this.diagnostics, ({ caller }) => {
      this.#serving.tasks.disown(caller);
      artifacts?.forget(caller);
    });
    this.directory = new CatalogDirectory(this.#serving);
    // The one list that is another's for each session.
    artifacts?.onListChanged((caller) =>
      this.#connections.deliver(caller, 'notifications/resources/list_changed'),
    );
    this.#serving.tasks.onChange((record) => {
      // Those who started it in a session hear of it unasked (2025-11-25, basic/utilities/tasks).
      const status = coreTask(record, this.settings.pollInterval);
      this.#connections.deliver(record.owner, 'notifications/tasks/status', status);
      this.#emit({ kind: 'taskChanged', task: record });
    });
  }

  #heard(event: CatalogEvent): void {
    switch (event.kind) {
      case 'resourceUpdated':
        this.#serving.hub.resourceUpdated(event.uri);
        return;
      case 'backendChanged':
        this.#emit(event);
        return;
      case 'elicitationComplete':
        this.#connections.elicitationComplete(event.elicitationId);
        return;
      case 'listChanged':
        // What is declared before anybody is served is news to nobody.
        if (this.#started || this.#connections.size + this.#streams > 0) {
          this.#serving.hub.listChanged(event.list);
        }
    }
  }

  get load(): CoreLoad {
    return {
      inFlight: this.#inFlight,
      streams: this.#streams,
      connections: this.#connections.size,
      leaving: this.#serving.catalog.leaving,
      methods: this.#meter.methods,
      refused: this.#meter.refused,
    };
  }

  get phase(): Core['phase'] {
    if (this.#closing) return 'closing';
    return this.#started ? 'serving' : 'starting';
  }

  tasks(): readonly TaskRecord[] {
    return this.#serving.tasks.all();
  }

  observe(listener: (event: CoreEvent) => void): () => void {
    this.#observers.add(listener);
    return () => void this.#observers.delete(listener);
  }

  #emit(event: CoreEvent): void {
    for (const observer of this.#observers) observer(event);
  }

  /** The hub has looked whether there is a change at all. */
  #emitListChange(method: string): void {
    const [, list] = method.split('/');
    if (list !== undefined && Object.hasOwn(LIST_BITS, list)) {
      this.#emit({ kind: 'listChanged', list: list as ChangingList });
    }
  }

  async start(): Promise<void> {
    await this.#serving.catalog.start();
    this.#started = true;
  }

  adjust(settings: AdjustableSettings): void {
    Object.assign(this.settings, settings);
  }

  remount(change: Remounting): Promise<void> {
    return this.#serving.catalog.remount(change);
  }

  connect(options: Parameters<Core['connect']>[0]): Connection {
    return this.#connections.open(options);
  }

  request(frame: JSONRPCRequest, exchange: Exchange): Pending {
    const connection = exchange.connection as ClientConnection | undefined;
    if (isDeeperThan(frame, this.settings.maxDepth)) {
      const message = `The message nests deeper than ${this.settings.maxDepth} levels`;
      return this.#refusal(frame, connection?.legacyPeer, new RpcError('invalidRequest', message));
    }
    const peer = classify(frame, exchange, connection?.legacyPeer);
    if ('error' in peer) {
      this.#meter.refused++;
      return refusedCall(frame.id, errorReply(peer.revision, frame.id, peer.error));
    }
    const handler = this.#handlerFor(frame.method, peer);
    if (handler === undefined) return this.#refusal(frame, peer, methodNotFound(frame.method));
    if (!this.#hasRoomFor(handler)) return this.#overloaded(frame, peer);

    const call = new Call(frame, exchange, peer, this, handler.lasting === true);
    call.place = this.#calls.add(call);
    connection?.takesOn(call);
    if (handler.lasting === true) this.#streams++;
    else this.#inFlight++;
    this.#run(call, handler);
    return call;
  }

  #handlerFor(method: string, peer: Peer): MethodHandler | undefined {
    const handler = handlerFor(method, peer);
    if (handler?.needs === undefined) return handler;
    if (this.#serving.catalog.capabilities[handler.needs] !== undefined) return handler;
    // Older clients ask for lists that nobody declared, and take an error for a broken server.
    return peer.era === 'legacy' && method.endsWith('/list') ? handler : undefined;
  }

  #hasRoomFor(handler: MethodHandler): boolean {
    if (this.#closing) return false;
    return handler.lasting === true
      ? this.#streams < this.settings.maxStreams
      : this.#inFlight < this.settings.maxInFlight;
  }

  #run(call: Call, handler: MethodHandler): void {
    let outcome: Outcome | Promise<Outcome>;
    try {
      const { headers } = call.exchange;
      if (headers !== undefined && FACTS[call.peer.revision].mirroredHeaders) {
        checkNameHeader(call.method, call.frame.params, headers);
      }
      checkRequest(call.peer.revision, call.frame);
      outcome = handler.handle(this.#serving, call);
    } catch (error) {
      call.settle(this.#replies.failure(call, error));
      return;
    }
    if (outcome instanceof Promise) {
      // A call that waited for this request may have ended in the meantime, and have answered it.
      if (call.isOpen) call.wait();
      outcome.then(
        (result) => call.ended({ result }),
        (error: unknown) => call.ended({ error }),
      );
    } else {
      call.settle(this.#replies.success(call, outcome));
    }
  }

  becomeTask(call: Call): void {
    becomeTask(this.#serving, call);
  }

  finish(call: Call, outcome: Ended): void {
    if (!call.isOpen) call.settle(undefined);
    else if ('error' in outcome) call.settle(this.#replies.failure(call, outcome.error));
    else call.settle(this.#replies.success(call, outcome.result));
  }

  #refusal(frame: JSONRPCRequest, peer: Peer | undefined, error: RpcError): Pending {
    this.#meter.refused++;
    return refusedCall(frame.id, errorReply(peer?.revision ?? NEWEST, frame.id, error));
  }

  #overloaded(frame: JSONRPCRequest, peer: Peer): Pending {
    this.#meter.refused++;
    this.diagnostics.note('overloaded', { method: frame.method });
    const message = this.#closing ? 'The server is shutting down' : 'Too many requests in flight';
    const reply = errorReply(peer.revision, frame.id, new RpcError('internal', message));
    return refusedCall(frame.id, { ...reply, overloaded: true });
  }

  release(call: Call): void {
    if (!this.#calls.remove(call, call.place)) return;
    call.connection?.finished(call);
    this.#meter.ended(call.method, call.ending, call.lasting ? undefined : call.age);
    if (call.lasting) this.#streams--;
    else this.#inFlight--;
    if (this.#calls.size === 0) this.#idle?.();
  }

  notification(frame: JSONRPCNotification, exchange: Exchange): void {
    const connection = exchange.connection as ClientConnection | undefined;
    switch (frame.method) {
      case 'notifications/cancelled': {
        const requestId = usableId(frame.params?.['requestId']);
        const reason = frame.params?.['reason'];
        // Without a connection the id could be anybody's.
        if (connection === undefined || requestId === undefined) {
          this.diagnostics.note('cancelled-nothing', { requestId });
        } else {
          connection.cancel(requestId, typeof reason === 'string' ? reason : undefined);
        }
        return;
      }
      case 'notifications/initialized':
        connection?.ready();
        return;
      case 'notifications/progress':
      case 'notifications/roots/list_changed':
      case 'notifications/tasks/status':
        return;
      default:
        this.diagnostics.note('notification-unknown', { method: frame.method });
    }
  }

  response(frame: unknown, { connection }: Exchange): boolean {
    const answered = (connection as ClientConnection | undefined)?.answer(frame) ?? false;
    if (!answered) this.diagnostics.note('response-unexpected');
    return answered;
  }

  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const call of this.#calls.all()) call.endStream?.();
    if (this.#calls.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        this.#idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    for (const call of this.#calls.all()) call.cancel('The server is shutting down');
    this.desk.close();
    this.#serving.tasks.close();
    this.#connections.close();
    this.#serving.hub.close();
    await this.#serving.catalog.close();
  }
}

function refusedCall(id: RequestId, reply: Reply): Pending {
  return { id, reply, cancel: () => undefined };
}
