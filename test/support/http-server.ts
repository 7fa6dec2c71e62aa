/** A sample server on a free port, with a client; both end with the test. */
import { onTestFinished } from 'vitest';
import type { HttpSettings, McpServer, ServerOptions } from '../../src/index.js';
import { Gate } from './gate.js';
import { HttpClient } from './http-client.js';
import { sampleServer } from './server.js';

export interface Served {
  readonly server: McpServer;
  readonly client: HttpClient;
  readonly url: string;
  /** The tool `gate`. */
  readonly gate: Gate;
  /** A second client with connections of its own. */
  readonly another: () => HttpClient;
}

export async function serveHttp(
  settings: Partial<HttpSettings> = {},
  options: Partial<ServerOptions> = {},
): Promise<Served> {
  const server = sampleServer(options);
  const gate = new Gate(server);
  const { url } = await server.http({ port: 0, ...settings });
  const clients: HttpClient[] = [];
  const another = (): HttpClient => {
    const client = new HttpClient(url);
    clients.push(client);
    return client;
  };
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.close(0);
  });
  return { server, client: another(), url, gate, another };
}
