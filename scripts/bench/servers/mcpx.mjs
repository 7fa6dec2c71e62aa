/** mcpx as it is built: `node mcpx.mjs http|stdio TOOLS`. */
import { createServer } from '../../../dist/src/index.js';
import { ready } from './process-report.mjs';
import { INFO, toolsOf } from './tools.mjs';

const [transport, count] = process.argv.slice(2);
const server = createServer(INFO);
for (const tool of toolsOf(Number(count))) server.tool(tool, ({ message }) => String(message));
if (transport === 'http') {
  const { url } = await server.http({ port: 0 });
  ready(url);
} else {
  ready();
  await server.stdio();
}
