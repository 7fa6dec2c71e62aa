/** What the load test puts its load on; prints its URL. Run with --expose-gc. */
import { setImmediate as turn } from 'node:timers/promises';
import { createServer, type Registration } from '../../src/index.js';

if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
const collect = globalThis.gc;

const server = createServer({ name: 'load', version: '1.0.0', settings: { listChangedDelay: 1 } });

server.resource({ uri: 'load://root', name: 'root' }, () => 'watched');

server.tool(
  {
    name: 'echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  ({ text }) => String(text),
);

server.tool({ name: 'update', inputSchema: { type: 'object' } }, ({ uri }) => {
  server.resourceUpdated(String(uri));
  return 'told';
});

let passing: Registration | undefined;
server.tool({ name: 'change' }, () => {
  if (passing === undefined) {
    passing = server.tool({ name: 'passing' }, () => 'here');
  } else {
    passing.remove();
    passing = undefined;
  }
  return 'changed';
});

server.tool({ name: 'state' }, async () => {
  // What a socket leaves behind is let go only in the turn after.
  for (let pass = 0; pass < 3; pass++) {
    collect();
    await turn();
  }
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap');
  return {
    structuredContent: { heap: process.memoryUsage().heapUsed, sockets: sockets.length },
  };
});

const { url } = await server.http({ port: 0 });
console.log(url);
process.once('SIGTERM', () => void server.close(0));
