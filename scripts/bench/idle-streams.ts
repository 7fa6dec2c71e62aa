/** What a stream costs on which nothing happens: memory of a server that has more and more of them. */
import { HttpConnection } from './http-connection.js';
import { openSession, type Served } from './http-load.js';
import { INITIALIZED, headersOf, initializeFrame, listenFrame, post } from './requests.js';
import { ServerProcess, type Launch } from './server-process.js';

export interface IdleStreams {
  readonly name: string;
  /** Bytes for each stream. */
  readonly each: number;
}

/** Opens one stream and leaves it open. */
type Open = (served: Served, connection: HttpConnection) => Promise<void>;

const listen: Open = async (served, connection) => {
  const { url } = served.process;
  const headers = headersOf('modern', 'subscriptions/listen', undefined);
  await streaming(connection, post(url.host, served.path('modern'), headers, listenFrame()));
};

const sessionStream: Open = async (served, connection) => {
  const { url } = served.process;
  const id = await openSession(served, connection);
  const headers = `${headersOf('legacy', '', undefined)}mcp-session-id: ${id}\r\n`;
  await streaming(connection, get(url.host, served.path('legacy'), headers));
};

const bareStream: Open = async ({ process }, connection) => {
  await streaming(connection, get(process.url.host, '/stream', ''));
};

/** What a connection has cost before a session's stream is asked for on it. */
const afterTwo: Open = async (served, connection) => {
  const { url } = served.process;
  for (const frame of [initializeFrame(), INITIALIZED]) {
    await connection.exchange(post(url.host, served.path('legacy'), '', frame));
  }
  await bareStream(served, connection);
};

export interface IdleContestant {
  readonly name: string;
  readonly launch: Launch;
  readonly path: Served['path'];
  readonly open: Open;
}

const FASTIFY: Launch = { script: 'fastify', args: ['1'] };
const MCPX: Launch = { script: 'mcpx', args: ['http', '1'] };
const SDK: Launch = { script: 'sdk', args: ['http', '1'] };
const mcpxPath = (): string => '/mcp';
const sdkPath: Served['path'] = (era) => (era === 'modern' ? '/mcp' : '/session');

export const IDLE_CONTESTANTS: readonly IdleContestant[] = [
  { name: 'Fastify, an open response', launch: FASTIFY, path: mcpxPath, open: bareStream },
  { name: 'Fastify, two answers before it', launch: FASTIFY, path: mcpxPath, open: afterTwo },
  { name: 'mcpx, modern listen', launch: MCPX, path: mcpxPath, open: listen },
  { name: 'mcpx, legacy session and GET', launch: MCPX, path: mcpxPath, open: sessionStream },
  { name: 'SDK, modern listen', launch: SDK, path: sdkPath, open: listen },
  { name: 'SDK, legacy session and GET', launch: SDK, path: sdkPath, open: sessionStream },
];

export async function measureIdle(
  { name, launch, path, open }: IdleContestant,
  count: number,
): Promise<IdleStreams> {
  const process = await ServerProcess.start({ ...launch, exposeGc: true });
  const served: Served = { name, process, path, knowsSessions: true };
  const connections: HttpConnection[] = [];
  const openMore = async (more: number): Promise<void> => {
    for (let left = more; left > 0; left--) {
      const connection = await HttpConnection.open(process.url);
      connections.push(connection);
      await open(served, connection);
    }
  };
  try {
    // The first ones bring code along that is compiled once, and a heap that has room for more.
    await openMore(count / 2);
    const before = await process.usage();
    await openMore(count / 2);
    const after = await process.usage();
    return { name, each: (after.rss - before.rss) / (count / 2) };
  } finally {
    for (const connection of connections) connection.close();
    await process.stop();
  }
}

async function streaming(connection: HttpConnection, request: string): Promise<void> {
  const first = await connection.stream(request);
  if (!first.startsWith('HTTP/1.1 200') || !/text\/event-stream/i.test(first)) {
    throw new Error(`Not a stream: ${first}`);
  }
}

function get(host: string, path: string, headers: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n${headers}\r\n`;
}
