/** `/v1` of a gateway in this process, on a free port. All of it ends with the test. */
import { onTestFinished } from 'vitest';
import { Agent, request, type Dispatcher } from 'undici';
import type { Backend } from '../../src/backends/backend.js';
import type { House } from '../../src/operations/operation.js';
import { createHttpServer } from '../../src/transport/http/server.js';
import { operationsHttp, type OperationsSettings } from '../../src/transport/http/v1/plugin.js';
import { EventReader } from './http-client.js';
import { localGateway, type LocalGateway } from './local-gateway.js';

export interface Asked {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** Parsed. */
  readonly body: Record<string, unknown>;
}

export interface Operated extends LocalGateway {
  /** Of the server, without a path. */
  readonly origin: string;
  readonly house: House;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Asked>;
  readonly post: (
    path: string,
    body?: object | string,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ) => Promise<Asked>;
  readonly events: (headers?: Record<string, string>) => Promise<EventReader>;
  /** Ends what serves. */
  readonly close: () => Promise<void>;
}

export async function operated(
  backends: readonly Backend[],
  settings: Partial<OperationsSettings> = {},
): Promise<Operated> {
  const gateway = await localGateway(backends);
  const info = { name: 'mcpx', version: '1.2.3' };
  const { signal: ending } = new AbortController();
  const house: House = { ...gateway, info, started: new Date(), ending };
  const host = settings.host ?? '127.0.0.1';
  const server = createHttpServer(gateway.core, { port: 0, host });
  const plain = { sseKeepAlive: 15_000, maxBacklog: 1_000_000, maxBody: 10_000 };
  void server.app.register(
    operationsHttp(house, { ...plain, host, allowedOrigins: [], ...settings }),
  );
  const { url } = await server.listen();
  const origin = `http://127.0.0.1:${new URL(url).port}`;
  const agent = new Agent();
  const close = (): Promise<void> => server.close(0);
  onTestFinished(async () => {
    await agent.destroy();
    await close();
  });
  const ask = async (path: string, options: object): Promise<Asked> => {
    const answer = await request(origin + path, { dispatcher: agent, ...options });
    const text = await answer.body.text();
    const isJson = /\bjson\b/.test(String(answer.headers['content-type']));
    const body = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: answer.statusCode, headers: answer.headers, text, body };
  };
  return {
    ...gateway,
    origin,
    house,
    get: (path, headers = {}) => ask(path, { method: 'GET', headers }),
    post: (path, body, headers = { 'content-type': 'application/json' }, signal) =>
      ask(path, {
        method: 'POST',
        headers: body === undefined ? {} : headers,
        body: typeof body === 'object' ? JSON.stringify(body) : body,
        signal,
      }),
    events: async (headers = {}) => {
      const { body } = await request(`${origin}/v1/events`, { dispatcher: agent, headers });
      return new EventReader(body);
    },
    close,
  };
}
