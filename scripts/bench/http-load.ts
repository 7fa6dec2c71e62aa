/** Load on a server over HTTP: so many clients, each asking again as soon as it is answered. */
import type { Era } from '../../generated/revisions.js';
import { HttpConnection } from './http-connection.js';
import {
  AnswerCheck,
  RequestTemplate,
  INITIALIZED,
  frameOf,
  headersOf,
  initializeFrame,
  nextId,
  post,
  type Asked,
} from './requests.js';
import type { Contestant, Sample } from './rounds.js';
import type { ServerProcess } from './server-process.js';

/** A server, and how it is to be spoken to. */
export interface Served {
  readonly name: string;
  readonly process: ServerProcess;
  /** Of the endpoint for the era. */
  readonly path: (era: Era) => string;
  /** The floor knows no sessions, but gets the header of one. */
  readonly knowsSessions: boolean;
}

interface Client {
  readonly connection: HttpConnection;
  readonly request: RequestTemplate;
}

/** A server that was idle is slow at first: its engine lets go of what it does not use. */
const WARM_UP = 0.4;

export class HttpLoad implements Contestant {
  readonly name: string;
  readonly #check: AnswerCheck;

  private constructor(
    private readonly served: Served,
    asked: Asked,
    private readonly clients: readonly Client[],
  ) {
    this.name = served.name;
    this.#check = new AnswerCheck(asked);
  }

  /** In the legacy era each client has a session. */
  static async open(served: Served, asked: Asked, clients: number): Promise<HttpLoad> {
    const opening = Array.from({ length: clients }, () => openClient(served, asked));
    return new HttpLoad(served, asked, await Promise.all(opening));
  }

  /** One request on each connection. */
  async once(): Promise<void> {
    await Promise.all(this.clients.map((client) => this.#exchange(client)));
  }

  async measure(ms: number): Promise<Sample> {
    await this.#run(ms * WARM_UP);
    const before = await this.served.process.usage();
    const started = performance.now();
    const answers = await this.#run(ms);
    const seconds = (performance.now() - started) / 1000;
    const after = await this.served.process.usage();
    return { perSecond: answers / seconds, cpu: (after.cpu - before.cpu) / answers };
  }

  close(): void {
    for (const { connection } of this.clients) connection.close();
  }

  async #run(ms: number): Promise<number> {
    const end = performance.now() + ms;
    const counts = await Promise.all(this.clients.map((client) => this.#ask(client, end)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #ask(client: Client, end: number): Promise<number> {
    let answers = 0;
    for (; performance.now() < end; answers++) await this.#exchange(client);
    return answers;
  }

  async #exchange({ connection, request }: Client): Promise<void> {
    const id = nextId();
    this.#check.http(await connection.exchange(request.fill(id)), id);
  }
}

async function openClient(served: Served, asked: Asked): Promise<Client> {
  const { era, method } = asked;
  const { url } = served.process;
  const connection = await HttpConnection.open(url);
  let headers = headersOf(era, method, method === 'tools/call' ? 'echo' : undefined);
  if (era === 'legacy') {
    const id = served.knowsSessions ? await openSession(served, connection) : 'x'.repeat(32);
    headers += `mcp-session-id: ${id}\r\n`;
  }
  const path = served.path(era);
  const word = (id: number): string => post(url.host, path, headers, frameOf(asked, id));
  return { connection, request: new RequestTemplate(word) };
}

/** The handshake of the legacy era; gives the session's id. */
export async function openSession(served: Served, connection: HttpConnection): Promise<string> {
  const { url } = served.process;
  const path = served.path('legacy');
  const { head } = await connection.exchange(post(url.host, path, '', initializeFrame()));
  const id = /\r\nmcp-session-id: *(\S+)/i.exec(head)?.[1];
  if (id === undefined) throw new Error(`${served.name} opened no session: ${head}`);
  const headers = `${headersOf('legacy', '', undefined)}mcp-session-id: ${id}\r\n`;
  const { status } = await connection.exchange(post(url.host, path, headers, INITIALIZED));
  if (status !== 202) throw new Error(`${served.name} takes no notification: ${status}`);
  return id;
}
