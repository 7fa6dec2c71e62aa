/** An HTTP service that keeps what it was asked, byte for byte, and answers as it is told. */
import Fastify, { type FastifyReply } from 'fastify';
import { onTestFinished } from 'vitest';

export interface Recorded {
  readonly method: string;
  /** Path and query as they stood on the wire. */
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

export interface RecordingServer {
  readonly url: string;
  readonly requests: Recorded[];
  /** The request that came last. */
  readonly last: () => Recorded;
}

export type Answer = (request: Recorded, reply: FastifyReply) => unknown;

export async function recordingServer(
  answer: Answer = () => ({ ok: true }),
): Promise<RecordingServer> {
  const app = Fastify({ forceCloseConnections: true });
  const requests: Recorded[] = [];
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.all('*', async ({ raw, headers, body }, reply) => {
    const recorded: Recorded = {
      method: raw.method ?? '',
      url: raw.url ?? '',
      headers,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    };
    requests.push(recorded);
    return answer(recorded, reply);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return {
    url,
    requests,
    last: () => {
      const last = requests.at(-1);
      if (last === undefined) throw new Error('the service was not asked');
      return last;
    },
  };
}
