/** Where the question of a task goes, in a session over HTTP (2025-11-25, basic/utilities/tasks). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../src/index.js';
import { HttpClient, type EventReader, type Headers } from '../support/http-client.js';
import type { Message } from '../support/stdio-client.js';
import '../support/strict.js';

const ASKED = { method: 'elicitation/create', params: { message: 'Name?' } };

/** A session with a task that waits for an answer, or will as soon as it is let go. */
async function asking() {
  const server = createServer({ name: 'asks', version: '1' });
  let go: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (go = resolve));
  server.tool({ name: 'asks', execution: { taskSupport: 'required' } }, async (_args, ctx) => {
    await started;
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
    const { content } = await ctx.elicit({ message: 'Name?', requestedSchema });
    return String(content?.['name']);
  });
  const { url } = await server.http({ port: 0 });
  const client = new HttpClient(url);
  onTestFinished(async () => {
    await client.close();
    await server.close(0);
  });
  const headers = await client.session('2025-11-25', { elicitation: { form: {} } });
  const ask = async (method: string, params: object): Promise<Message> =>
    (await client.post(client.request(method, params), headers)).message();
  const created = await ask('tools/call', { name: 'asks', arguments: {}, task: {} });
  const { taskId } = created.result?.['task'] as { taskId: string };
  const status = async () => (await ask('tasks/get', { taskId })).result?.['status'];
  return {
    client,
    headers,
    go,
    status,
    cancel: () => ask('tasks/cancel', { taskId }),
    result: async () =>
      (await client.post(client.request('tasks/result', { taskId }), headers)).events(),
    stream: async () =>
      (await client.send('GET', { ...headers, accept: 'text/event-stream' })).events(),
  };
}

async function answer(client: HttpClient, headers: Headers, question: Message): Promise<void> {
  const result = { action: 'accept', content: { name: 'Ada' } };
  await (await client.post({ jsonrpc: '2.0', id: question.id, result }, headers)).text();
}

function questions(stream: EventReader): Message[] {
  return stream.messages.filter(({ method }) => method === 'elicitation/create');
}

async function question(stream: EventReader): Promise<Message> {
  await stream.until(() => questions(stream).length > 0);
  const [first] = questions(stream);
  if (first === undefined) throw new Error('there is no question');
  return first;
}

describe('the question of a task', () => {
  it('waits for a client without a stream until it asks for the result', async () => {
    const { client, headers, go, status, result } = await asking();
    go();
    await expect.poll(status).toBe('input_required');
    const waiting = await result();
    const asked = await question(waiting);
    expect(asked).toMatchObject(ASKED);
    await answer(client, headers, asked);
    await waiting.ended;
    expect(waiting.messages.at(-1)?.result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('goes to the stream of the session where there is one, and nowhere else', async () => {
    const { client, headers, go, status, result, stream } = await asking();
    const unasked = await stream();
    go();
    const asked = await question(unasked);
    await expect.poll(status).toBe('input_required');
    const waiting = await result();
    await answer(client, headers, asked);
    await waiting.ended;
    expect([questions(unasked).length, questions(waiting).length]).toEqual([1, 0]);
    expect(waiting.messages.at(-1)?.result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('is not put any more once the task was cancelled', async () => {
    const { go, status, result, cancel } = await asking();
    go();
    await expect.poll(status).toBe('input_required');
    await cancel();
    const waiting = await result();
    await waiting.ended;
    expect(questions(waiting)).toEqual([]);
  });
});
