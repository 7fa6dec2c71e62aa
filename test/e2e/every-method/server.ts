/**
 * A server whose tools make it send whatever a server can send. On stdio, or with the argument `http`
 * on a free port, whose URL it prints.
 */
import { createServer, type protocol } from '../../../src/index.js';
import { askClient, connectionOf } from '../../support/ask.js';

const server = createServer({
  name: 'every-method',
  version: '1',
  settings: { listChangedDelay: 1, taskEager: 1 },
});

const NAME: protocol.ElicitRequestFormParams = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const GREET: protocol.CreateMessageRequestParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Greet me' } }],
  maxTokens: 10,
};

server.resource({ uri: 'test://text', name: 'text' }, () => 'hello');
server.resourceTemplate(
  { uriTemplate: 'test://item/{id}', name: 'item' },
  (_uri, { id }) => `item ${id}`,
);
server.prompt(
  { name: 'greet', arguments: [{ name: 'who', complete: () => ['Ann', 'Bob'] }] },
  ({ who }) => `Hello ${who}`,
);

server.tool({ name: 'busy' }, (_args, ctx) => {
  ctx.progress({ progress: 1, total: 2, message: 'half' });
  ctx.log('warning', { careful: true }, 'busy');
  return 'done';
});

server.tool({ name: 'change' }, () => {
  server.tool({ name: 'new' }, () => '');
  server.prompt({ name: 'new' }, () => '');
  server.resource({ uri: 'test://new', name: 'new' }, () => '');
  server.resourceUpdated('test://text');
  return 'changed';
});

server.tool({ name: 'ping' }, async (_args, ctx) => {
  await askClient(ctx, 'ping');
  return 'pong';
});
server.tool({ name: 'elicit' }, async (_args, ctx) => (await ctx.elicit(NAME)).action);
/** Where the user is sent elsewhere, and is done there at once. */
server.tool({ name: 'visit' }, async (_args, ctx) => {
  const elsewhere = { mode: 'url', message: 'Log in', url: 'https://example.com/login' } as const;
  const { action } = await ctx.elicit({ ...elsewhere, ...{ elicitationId: 'visit' } });
  connectionOf(ctx).elicitationComplete('visit');
  return action;
});
server.tool({ name: 'sample' }, async (_args, ctx) => (await ctx.sample(GREET)).model);
server.tool({ name: 'roots' }, async (_args, ctx) => `${(await ctx.listRoots()).roots.length}`);

/** Asks until `withdraw` is called. */
let withdraw = (): void => undefined;
server.tool({ name: 'ask_in_vain' }, async (_args, ctx) => {
  const controller = new AbortController();
  withdraw = () => controller.abort(new Error('not needed any more'));
  await ctx.sample(GREET, { signal: controller.signal });
  return 'answered';
});
server.tool({ name: 'withdraw' }, () => {
  withdraw();
  return 'withdrawn';
});

/** Waits to be cancelled, or for `release`, which tells how often it was. */
let release = (): void => undefined;
let cancelled = 0;
server.tool({ name: 'wait' }, async (_args, ctx) => {
  await new Promise<void>((resolve) => {
    release = resolve;
    ctx.signal.addEventListener('abort', () => {
      cancelled++;
      resolve();
    });
    ctx.progress({ progress: 1 });
  });
  return 'waited';
});
server.tool({ name: 'release' }, () => {
  release();
  return String(cancelled);
});

server.tool({ name: 'job', execution: { taskSupport: 'optional' } }, async (_args, ctx) => {
  await new Promise<void>((resolve) => {
    release = resolve;
    ctx.signal.addEventListener('abort', () => resolve());
  });
  return ctx.canAsk({ method: 'elicitation/create', params: NAME })
    ? (await ctx.elicit(NAME, { key: 'name' })).action
    : 'nobody to ask';
});

if (process.argv[2] === 'http') {
  const { url } = await server.http({ port: 0 });
  process.stdout.write(`${url}\n`);
  process.once('SIGTERM', () => void server.close());
} else {
  await server.stdio();
}
