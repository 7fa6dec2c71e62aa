/** Puts everything together and serves until it is told to end. */
import { pino, type Logger } from 'pino';
import { REVISIONS } from '../../generated/revisions.js';
import type { Config } from '../config/config.js';
import { httpOptions, operationsOptions, stdioOptions } from '../config/rooms.js';
import { ConfigProblem } from '../config/problem.js';
import type { OutgoingCheckMode } from '../edge/contract.js';
import { setOutgoingCheck } from '../edge/outgoing.js';
import type { House } from '../operations/operation.js';
import type { Core } from '../server/contract.js';
import { createHttpServer } from '../transport/http/server.js';
import { operationsHttp } from '../transport/http/v1/plugin.js';
import { serveStdio, type StdioServer } from '../transport/stdio.js';
import { createGateway } from './gateway.js';
import { reloadOnChange, type Reloading } from './reload.js';
import { reportsPage } from './reports-page.js';
import { version } from './version.js';
import { waitingRoom } from './waiting-room.js';

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

export interface ServeOptions extends Config {
  /** Absent: stdio. */
  readonly http?: HttpAddress;
  /** Namespaces that are offered under their own names. */
  readonly passthrough: readonly string[];
  /** Where the configuration is from, to be looked at again. */
  readonly source?: Pick<Reloading, 'file' | 'load'>;
  /** Absent: what the environment says, or off. */
  readonly checkOutgoing?: OutgoingCheckMode;
  readonly logLevel: string;
}

/** What serves from `begin` on, until `ended` resolves or `end` is called. */
interface Serving {
  begin(): void;
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/** A slow upstream joins later; clients are not kept waiting for it any longer than this, in ms. */
const START_PATIENCE = 15_000;

/** Ends the process: with 0 when the client is gone or a signal asked for it. */
export async function serve(options: ServeOptions): Promise<void> {
  const logger = pino({ name: 'mcpx', level: options.logLevel }, pino.destination(2));
  for (const remark of options.remarks) logger.info(remark);
  for (const warning of options.warnings) logger.warn(warning);
  if (options.checkOutgoing !== undefined) {
    await setOutgoingCheck(options.checkOutgoing, (line) => logger.warn(line));
  }
  const ending = new AbortController();
  const { house, reload } = createGateway(options, logger, ending.signal);
  const { core } = house;
  const stopped = signalled(logger).then(() => ending.abort());
  // An address that cannot be had is told of before anything is started.
  const serving =
    options.http === undefined
      ? overStdio(core, options)
      : await overHttp(house, options, options.http, logger);
  if (options.source !== undefined) reloadOnChange({ ...options.source, take: reload, logger });
  await Promise.race([startWithin(core, START_PATIENCE, logger), stopped]);
  serving.begin();
  await Promise.race([serving.ended, stopped]);
  await serving.end();
  await core.close(options.settings['transport.stdioDrain']);
  process.exit(0);
}

async function startWithin(core: Core, ms: number, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  const outcome = await Promise.race([core.start(), patience]);
  clearTimeout(timer);
  if (outcome === 'late') logger.warn(`some upstreams are not up after ${ms} ms; serving without`);
}

function overStdio(core: Core, { settings }: ServeOptions): Serving {
  const { stdin: input, stdout: output } = process;
  let server: StdioServer | undefined;
  let gone: () => void = () => undefined;
  return {
    begin() {
      server = serveStdio(core, { input, output, ...stdioOptions(settings) });
      void server.closed.then(gone);
    },
    ended: new Promise((resolve) => (gone = resolve)),
    end: async () => server?.close(),
  };
}

async function overHttp(
  house: House,
  { settings }: ServeOptions,
  address: HttpAddress,
  logger: Logger,
): Promise<Serving> {
  const server = createHttpServer(house.core, { ...httpOptions(settings), ...address }, { logger });
  void server.app.register(reportsPage);
  const { host } = address;
  void server.app.register(operationsHttp(house, { ...operationsOptions(settings), host }));
  const begin = waitingRoom(server.app);
  const { url } = await server.listen().catch((error: unknown) => {
    throw new ConfigProblem(
      '--http',
      `cannot listen on ${host}:${address.port}: ${(error as Error).message}`,
    );
  });
  logger.info({ url }, 'requests wait until the upstreams were tried');
  return {
    begin() {
      begin();
      if (!house.ending.aborted) process.stdout.write(greeting(url));
    },
    ended: new Promise(() => undefined),
    end: () => server.close(settings['transport.stdioDrain']),
  };
}

function greeting(url: string): string {
  const revisions = REVISIONS.map(({ revision }) => revision).join(', ');
  return `mcpx ${version()} listens on ${url}
It serves MCP ${revisions}.
Connect a client with:
  { "mcpServers": { "mcpx": { "type": "http", "url": "${url}" } } }
`;
}

/** Resolves with the first signal; the second one ends the process at once. */
function signalled(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const heard = (signal: NodeJS.Signals): void => {
      if (++signals > 1) process.exit(130);
      logger.info(`${signal}: requests in flight may end; a second signal ends at once`);
      resolve();
    };
    process.on('SIGINT', heard);
    process.on('SIGTERM', heard);
  });
}
