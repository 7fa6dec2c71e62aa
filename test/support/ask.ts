/** Lets a test ask the client of a call, as a question of a handler does: on the stream of the call. */
import type { RequestContext } from '../../src/index.js';
import { Call } from '../../src/server/call.js';

export function askClient(ctx: RequestContext, method: string, params?: object): Promise<object> {
  if (!(ctx instanceof Call) || ctx.connection === undefined) throw new Error('no session to ask');
  const { connection, exchange } = ctx;
  return connection.ask(method, params, { via: (text) => exchange.send(text) });
}
