/** A server with the transport of 2024-11-05, made with the official SDK. */
/* eslint-disable @typescript-eslint/no-deprecated -- the old transport is what is tested with */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { onTestFinished } from 'vitest';

export interface SseServer {
  readonly url: string;
  /** What asked for what: `GET /sse` and the like. */
  readonly requests: readonly string[];
  /** Ends all streams, as a server that is started anew does. */
  readonly dropStreams: () => void;
  readonly close: () => void;
}

/** Ends with the test. */
export async function sseServer(declare: (server: McpServer) => void): Promise<SseServer> {
  const server = await startSseServer(declare);
  onTestFinished(server.close);
  return server;
}

export async function startSseServer(declare: (server: McpServer) => void): Promise<SseServer> {
  const transports = new Map<string, SSEServerTransport>();
  const requests: string[] = [];
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${url.pathname}`);
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      const server = new McpServer({ name: 'streams', version: '1' });
      declare(server);
      void server.connect(transport);
    } else if (request.method === 'POST' && url.pathname === '/messages') {
      const transport = transports.get(url.searchParams.get('sessionId') ?? '');
      if (transport === undefined) response.writeHead(404).end();
      else void transport.handlePostMessage(request, response);
    } else {
      response.writeHead(404).end('Not found');
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const dropStreams = (): void => {
    for (const transport of transports.values()) void transport.close();
    transports.clear();
  };
  const close = (): void => {
    http.closeAllConnections();
    http.close();
  };
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/sse`, requests, dropStreams, close };
}
