import { createServer } from 'mcpx';

const server = createServer({ name: 'clock', version: '1.0.0' });

server.tool(
  {
    name: 'time_in',
    description: 'Tells the time of day in a time zone.',
    inputSchema: {
      type: 'object',
      properties: { zone: { type: 'string', description: 'As in Europe/Berlin' } },
      required: ['zone'],
    },
    annotations: { readOnlyHint: true },
  },
  // A zone that does not exist throws, and the model reads why in the result.
  ({ zone }) => new Date().toLocaleTimeString('en-GB', { timeZone: String(zone) }),
);

const { url } = await server.http({ port: Number(process.env['PORT'] ?? 7332) });
console.log(`listening on ${url}`);
process.once('SIGTERM', () => void server.close());
