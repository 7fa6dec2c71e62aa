/**
 * The floor for a gateway: a Fastify route that hands each request to the upstream and its answer back,
 * knowing nothing: `node relay.mjs URL`, or `node relay.mjs COMMAND ARGS…` for an upstream on stdio.
 */
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { URL } from 'node:url';
import { fastify } from 'fastify';
import { Pool } from 'undici';
import { ready } from './process-report.mjs';

const [target, ...args] = process.argv.slice(2);
const ask = target.startsWith('http:') ? overHttp(target) : overStdio(target, args);

/** The least that undici does: no stream, no signal. */
function overHttp(url) {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin);
  const headers = ['content-type', 'application/json'];
  return (message) =>
    new Promise((resolve, reject) => {
      const chunks = [];
      pool.dispatch(
        { path, method: 'POST', headers, body: JSON.stringify(message) },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData: (_controller, chunk) => chunks.push(chunk),
          onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString())),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
}

function overStdio(command, args) {
  const { stdin, stdout } = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  createInterface({ input: stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)(answer);
    waiting.delete(answer.id);
  });
  return (message) =>
    new Promise((resolve) => {
      waiting.set(message.id, resolve);
      stdin.write(`${JSON.stringify(message)}\n`);
    });
}

const app = fastify({ logger: false });
app.post('/mcp', ({ body }) => ask(body));
ready(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`);
