/**
 * One HTTP connection that is kept alive, one exchange at a time. The bench shares the machine with the
 * server it measures, so its client does as little as it can: text to a socket, bytes from it.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: Buffer;
}

interface Head {
  readonly text: string;
  /** With the empty line that ends it. */
  readonly length: number;
  readonly bytes: Buffer;
  /** Length of the whole answer; undefined where it comes in chunks. */
  readonly expected: number | undefined;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;

export class HttpConnection {
  #parts: Buffer[] = [];
  #received = 0;
  #head: Head | undefined;
  /** From one second to the next, all answers to one request have the same. */
  #lastHead: Head | undefined;
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('The server closed the connection')));
  }

  static async open({ hostname, port }: URL): Promise<HttpConnection> {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  exchange(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) throw new Error('The server has closed the connection');
      this.#settle = { resolve, reject };
      this.socket.write(request, 'latin1');
    });
  }

  /** Sends a request whose answer goes on; resolves with the first that comes of it. */
  async stream(request: string): Promise<string> {
    this.socket.removeAllListeners('data');
    this.socket.write(request);
    const [first] = (await once(this.socket, 'data')) as [Buffer];
    this.socket.resume();
    return first.toString('latin1');
  }

  close(): void {
    this.#settle = undefined;
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#received += chunk.length;
    if (this.#head === undefined) {
      this.#head = this.#readHead(this.#joined());
      if (this.#head === undefined) return;
      this.#lastHead = this.#head;
    }
    const { text, length, expected } = this.#head;
    const whole =
      expected === undefined
        ? chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
        : this.#received >= expected;
    if (!whole) return;
    const body = this.#joined().subarray(length);
    const settle = this.#settle;
    this.#parts = [];
    this.#received = 0;
    this.#head = undefined;
    this.#settle = undefined;
    settle?.resolve({
      status: Number(text.slice(9, 12)),
      head: text,
      body: expected === undefined ? unchunked(body) : body,
    });
  }

  #readHead(received: Buffer): Head | undefined {
    const last = this.#lastHead;
    if (last !== undefined && received.subarray(0, last.length).equals(last.bytes)) return last;
    const end = received.indexOf(END_OF_HEAD);
    if (end < 0) return undefined;
    const length = end + END_OF_HEAD.length;
    const text = received.toString('latin1', 0, end);
    const declared = LENGTH.exec(text)?.[1];
    return {
      text,
      length,
      bytes: Buffer.from(received.subarray(0, length)),
      expected: declared === undefined ? undefined : length + Number(declared),
    };
  }

  #joined(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts, this.#received)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }
}

function unchunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (size === 0) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
