/** Lets a test reach the client of a call from its handler. */
import type { RequestContext } from '../../src/index.js';
import { Call } from '../../src/server/call.js';
import type { ClientConnection } from '../../src/server/connection.js';

/** As a question of a handler does: on the stream of the call. */
export function askClient(ctx: RequestContext, method: string, params?: object): Promise<object> {
  const { connection, exchange } = inSession(ctx);
  return connection.ask(method, params, { via: (text) => exchange.send(text) });
}

export function connectionOf(ctx: RequestContext): ClientConnection {
  return inSession(ctx).connection;
}

function inSession(ctx: RequestContext): Call & { connection: ClientConnection } {
  if (!(ctx instanceof Call) || ctx.connection === undefined) throw new Error('no session to ask');
  return ctx as Call & { connection: ClientConnection };
}
