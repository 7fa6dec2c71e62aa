/**
 * The official SDK's server, both eras as its documentation has them and answering with JSON, which is
 * the faster way: `node sdk.mjs http|stdio TOOLS`. Over HTTP `/mcp` is modern, `/session` has sessions.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { ready } from './process-report.mjs';
import { INFO, toolsOf } from './tools.mjs';

const ECHO_INPUT = z.object({ message: z.string() });
const FIND_INPUT = z.object({
  name: z.string().describe('Name of what is sought'),
  limit: z.number().int().optional().describe('Most answers to give'),
});

const [transport, count] = process.argv.slice(2);
const tools = toolsOf(Number(count));

function makeServer() {
  const server = new McpServer(INFO);
  for (const { name, description } of tools) {
    const inputSchema = name === 'echo' ? ECHO_INPUT : FIND_INPUT;
    server.registerTool(name, { description, inputSchema }, ({ message }) => ({
      content: [{ type: 'text', text: message }],
    }));
  }
  return server;
}

if (transport === 'http') {
  const modern = toNodeHandler(createMcpHandler(makeServer));
  const sessions = new Map();
  const http = createServer((request, response) => {
    if (request.url === '/mcp') void modern(request, response);
    else void inSession(sessions, request, response);
  });
  http.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${http.address().port}/mcp`));
} else {
  ready();
  serveStdio(makeServer);
}

async function inSession(sessions, request, response) {
  let session = sessions.get(request.headers['mcp-session-id']);
  if (session === undefined) {
    session = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    await makeServer().connect(session);
  }
  await session.handleRequest(request, response);
}
