import Fastify from 'fastify';
import { createServer } from 'mcpx';

const stock = new Map([
  ['apples', 12],
  ['pears', 0],
]);

const server = createServer({ name: 'shop', version: '1.0.0' });

server.tool(
  {
    name: 'in_stock',
    description: 'Tells how many there are of an article.',
    inputSchema: {
      type: 'object',
      properties: { article: { enum: [...stock.keys()] } },
      required: ['article'],
    },
  },
  ({ article }) => `${stock.get(String(article)) ?? 0} ${String(article)}`,
);

// On close, requests in flight are answered first; connections that clients keep open end then.
const app = Fastify({ forceCloseConnections: true });
app.get('/stock', () => Object.fromEntries(stock));
await app.register(server.plugin({ path: '/mcp' }));

const address = await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
console.log(`listening on ${address}/mcp`);
process.once('SIGTERM', () => void app.close());
