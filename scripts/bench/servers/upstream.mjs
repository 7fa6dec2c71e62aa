/**
 * The server behind the gateways, which does as little as a legacy client lets it:
 * `node upstream.mjs stdio|http`.
 */
import { createInterface } from 'node:readline';
import { fastify } from 'fastify';
import { ready } from './process-report.mjs';
import { ECHO, INFO } from './tools.mjs';

const METHOD_NOT_FOUND = -32601;

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: INFO,
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [ECHO] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: params.arguments.message }] }),
};

/** Undefined for what wants no answer. */
function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  const make = RESULTS[method];
  if (make !== undefined) return { jsonrpc: '2.0', id, result: make(params) };
  const error = { code: METHOD_NOT_FOUND, message: `There is no ${method}` };
  return { jsonrpc: '2.0', id, error };
}

if (process.argv[2] === 'http') {
  const app = fastify({ logger: false });
  app.post('/mcp', (request, reply) => {
    const answered = answer(request.body);
    if (answered === undefined) reply.code(202).send();
    else reply.send(answered);
  });
  ready(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`);
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const answered = answer(JSON.parse(line));
    if (answered !== undefined) process.stdout.write(`${JSON.stringify(answered)}\n`);
  });
}
