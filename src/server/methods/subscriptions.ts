/** `subscriptions/listen` of the modern era; `resources/subscribe` and its end of the legacy one. */
import type { SubscriptionFilter } from '../../../generated/newest/types.js';
import { invalidParams, type RpcError } from '../../protocol/errors.js';
import { isObject, type RequestId } from '../../protocol/jsonrpc.js';
import { agree, asksForTasks, type Agreed } from '../../subscriptions/filter.js';
import type { Subscriber } from '../../subscriptions/hub.js';
import type { Call } from '../call.js';
import type { MethodFamily, Serving } from '../serving.js';
import { declaresTasks, tasksUndeclared } from '../task-calls.js';
import { describedTask } from './tasks.js';
import { SUBSCRIPTION_ID_KEY } from '../../protocol/reserved.js';

export const subscriptions: MethodFamily = {
  'subscriptions/listen': {
    lasting: true,
    harmlessToLegacy: true,
    handle(serving, call) {
      const wish = call.params['notifications'];
      if (!isObject(wish)) {
        const pointer = '/params/notifications';
        throw invalidParams(`${pointer} has to be an object`, { pointer });
      }
      if (asksForTasks(wish) && !declaresTasks(call.peer)) throw tasksUndeclared();
      const { catalog, settings } = serving;
      const agreed = agree(wish, catalog.capabilities, (uri) => catalog.canWatch(uri));
      if (agreed.uris.length > settings.maxSubscriptions) {
        throw tooMany('/params/notifications/resourceSubscriptions', settings.maxSubscriptions);
      }
      return listen(serving, call, agreed, ownTasks(serving, call, wish['taskIds']));
    },
  },
  'resources/subscribe': {
    needs: 'resources',
    handle({ hub, settings }, call) {
      const { connection } = call;
      const uri = call.params['uri'] as string;
      // A client without a session has no stream on which it could be told of anything.
      if (connection === undefined || connection.watched.has(uri)) return {};
      if (connection.watched.size >= settings.maxSubscriptions) {
        throw tooMany('/params/uri', settings.maxSubscriptions);
      }
      connection.watched.add(uri);
      hub.watch(connection, uri);
      return {};
    },
  },
  'resources/unsubscribe': {
    needs: 'resources',
    handle({ hub }, { connection, params }) {
      const uri = params['uri'] as string;
      if (connection?.watched.delete(uri) === true) hub.unwatch(connection, uri);
      return {};
    },
  },
};

function tooMany(pointer: string, limit: number): RpcError {
  return invalidParams(`${pointer}: no more than ${limit} resources can be subscribed to`, {
    pointer,
    limit,
  });
}

/** Those of the ids that name tasks of the client's. */
function ownTasks({ tasks }: Serving, call: Call, ids: unknown): ReadonlySet<string> {
  if (!Array.isArray(ids)) return new Set();
  const owner = call.caller;
  return new Set(
    ids.filter((id): id is string => typeof id === 'string' && tasks.knows(id, owner)),
  );
}

/** Settles when mcpx ends the stream; a client that ends it withholds the result. */
function listen(
  serving: Serving,
  call: Call,
  agreed: Agreed,
  taskIds: ReadonlySet<string>,
): Promise<object> {
  const { hub } = serving;
  const stream = new Stream(call, agreed);
  stream.acknowledge(
    taskIds.size === 0 ? agreed.filter : { ...agreed.filter, ...{ taskIds: [...taskIds] } },
  );
  hub.add(stream, agreed.lists);
  const leaveTasks =
    taskIds.size === 0
      ? undefined
      : serving.tasks.onChange((record) => {
          if (!taskIds.has(record.id)) return;
          stream.deliver('notifications/tasks', describedTask(serving, call, record));
        });
  for (const uri of agreed.uris) hub.watch(stream, uri);
  return new Promise((resolve) => {
    call.onCancel = () => {
      hub.remove(stream);
      leaveTasks?.();
      // Nobody waits for it any more, but the books are closed by it.
      resolve({});
    };
    call.endStream = () => {
      hub.remove(stream);
      leaveTasks?.();
      stream.end();
      resolve({ _meta: stream.meta });
    };
  });
}

class Stream implements Subscriber {
  readonly watched: readonly string[];
  readonly meta: { readonly [SUBSCRIPTION_ID_KEY]: RequestId };

  constructor(
    private readonly call: Call,
    { uris }: Agreed,
  ) {
    this.watched = uris;
    this.meta = { [SUBSCRIPTION_ID_KEY]: call.id };
  }

  acknowledge(notifications: SubscriptionFilter): void {
    this.deliver('notifications/subscriptions/acknowledged', { notifications });
  }

  deliver(method: string, params: object | undefined): void {
    this.call.notify(method, { ...params, _meta: this.meta });
  }

  /** The one request that a modern server cancels (basic/patterns/cancellation). */
  end(): void {
    if (this.call.peer.era === 'legacy') return;
    this.deliver('notifications/cancelled', { requestId: this.call.id });
  }
}
