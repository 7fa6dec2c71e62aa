/** A server of the library face with a little of everything, for tests of the core. */
import { createServer, type McpServer, type ServerOptions } from '../../src/index.js';

export function sampleServer(options: Partial<ServerOptions> = {}): McpServer {
  const server = createServer({
    name: 'sample',
    version: '1.2.3',
    title: 'A sample',
    instructions: 'Call echo.',
    settings: { listChangedDelay: 1 },
    ...options,
  });
  server.tool(
    {
      name: 'echo',
      title: 'Echo',
      description: 'Says it back',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
    },
    ({ text }) => text as string,
  );
  server.tool({ name: 'sum', outputSchema: { type: 'number' } }, () => ({ structuredContent: 3 }));
  server.tool({ name: 'fail' }, () => {
    throw new Error('out of cheese');
  });
  server.tool({ name: 'slow' }, async (_args, ctx) => {
    await new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
    });
    return 'never';
  });
  server.tool({ name: 'busy' }, (_args, ctx) => {
    ctx.progress({ progress: 1, total: 3, message: 'one' });
    ctx.progress({ progress: 1 });
    ctx.progress({ progress: 0.5 });
    ctx.progress({ progress: 2 });
    ctx.log('debug', 'fine print');
    ctx.log('warning', { careful: true }, 'busy');
    return 'done';
  });
  server.resource(
    { uri: 'test://text', name: 'text', mimeType: 'text/plain', title: 'Text' },
    () => 'hello',
  );
  server.resource({ uri: 'test://bytes', name: 'bytes' }, () => new Uint8Array([1, 2, 3]));
  server.resourceTemplate(
    {
      uriTemplate: 'test://item/{id}',
      name: 'item',
      complete: { id: (value) => ['1', '12', '2'].filter((id) => id.startsWith(value)) },
    },
    (_uri, { id }) => (id === '0' ? undefined : `item ${id}`),
  );
  server.prompt(
    {
      name: 'greet',
      description: 'Greets',
      arguments: [
        {
          name: 'who',
          required: true,
          complete: (value) => Array.from({ length: 150 }, (_, at) => `${value}${at}`),
        },
      ],
    },
    ({ who }) => `Hello ${who}`,
  );
  return server;
}
