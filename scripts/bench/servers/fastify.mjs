/** The floor: a Fastify route that answers with the JSON mcpx would, knowing nothing: `node fastify.mjs TOOLS`. */
import { fastify } from 'fastify';
import { ready } from './process-report.mjs';
import { INFO, toolsOf } from './tools.mjs';

const tools = toolsOf(Number(process.argv[2]));
const _meta = { 'io.modelcontextprotocol/serverInfo': INFO };
const app = fastify({ logger: false });

app.post('/mcp', (request, reply) => {
  const { id, method, params } = request.body;
  const modern = params._meta !== undefined;
  let result;
  if (method === 'tools/list') {
    result = modern
      ? { resultType: 'complete', tools, ttlMs: 60_000, cacheScope: 'public', _meta }
      : { tools };
  } else {
    const content = [{ type: 'text', text: params.arguments.message }];
    result = modern ? { resultType: 'complete', content, _meta } : { content };
  }
  reply.send({ jsonrpc: '2.0', id, result });
});

/** An open stream that says nothing. */
app.get('/stream', (_request, reply) => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.raw.write(':\n\n');
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
ready(`${address}/mcp`);
