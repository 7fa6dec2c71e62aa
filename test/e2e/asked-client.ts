/** Clients over HTTP that can be asked, each in the way of its revision, and react as they are told. */
import { NEWEST, type Revision } from '../../generated/revisions.js';
import { HttpClient, type EventReader, type Headers } from '../support/http-client.js';
import { isModern } from '../support/peers.js';
import type { Message } from '../support/stdio-client.js';

/** What the client does when it is asked. */
export type Reaction = 'answers' | 'declines' | 'waits';

type Result = Record<string, unknown>;

const TASKS = { 'io.modelcontextprotocol/tasks': {} };

/** What a client of the revision can declare. */
function capabilitiesOf(revision: Revision, tasks: boolean): object {
  return {
    sampling: {},
    roots: {},
    ...(revision === '2025-06-18' && { elicitation: {} }),
    ...(revision >= '2025-11-25' && { elicitation: { form: {}, url: {} } }),
    ...(isModern(revision) && tasks && { extensions: TASKS }),
  };
}

export abstract class AskedClient {
  /** Every question that came, in order. */
  readonly questions: { method?: string; params?: Result }[] = [];
  readonly asked: Promise<void>;
  protected wasAsked!: () => void;
  protected readonly http: HttpClient;

  constructor(
    url: string,
    readonly revision: Revision,
    readonly reaction: Reaction,
    /** Whether it can have a task of a call, and wants one. */
    readonly tasks: boolean,
  ) {
    this.http = new HttpClient(url);
    this.asked = new Promise((resolve) => (this.wasAsked = resolve));
  }

  /** In a word what became of the call. */
  abstract call(name: string, tag: string): Promise<string>;
  abstract close(): Promise<void>;

  protected get capabilities(): object {
    return capabilitiesOf(this.revision, this.tasks);
  }

  protected answerTo(question: { method?: string; params?: Result }): object | undefined {
    const { method, params = {} } = question;
    const declines = this.reaction === 'declines';
    if (method === 'elicitation/create') {
      if (declines) return { action: 'decline' };
      if (params['mode'] === 'url') return { action: 'accept' };
      const { properties } = params['requestedSchema'] as { properties: object };
      const content = Object.keys(properties).map((key) => [key, VALUES[key]] as const);
      return { action: 'accept', content: Object.fromEntries(content) };
    }
    if (declines) return undefined;
    const [{ content }] = params['messages'] as [{ content: { text: string } }];
    const text = VALUES[content.text];
    return { role: 'assistant', model: 'm', content: { type: 'text', text } };
  }
}

const VALUES: Record<string, string | undefined> = { name: 'Ann', colour: 'red' };

export function inWords({ result, error }: Message): string {
  if (error !== undefined) return `error ${error.code}`;
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return block?.text ?? JSON.stringify(result);
}

export class LegacyClient extends AskedClient {
  /** Resolves when a question is taken back. */
  readonly withdrawn: Promise<void>;
  #withdraw!: () => void;
  #session: Headers = {};
  #callId: unknown;
  #open = new Map<unknown, Message>();

  constructor(...args: ConstructorParameters<typeof AskedClient>) {
    super(...args);
    this.withdrawn = new Promise((resolve) => (this.#withdraw = resolve));
  }

  async call(name: string, tag: string): Promise<string> {
    this.#session = await this.http.session(this.revision, this.capabilities);
    const task = this.tasks && this.revision === '2025-11-25' ? { task: {} } : {};
    const answer = await this.#request('tools/call', { name, arguments: { tag }, ...task });
    const created = answer?.result?.['task'] as { taskId: string } | undefined;
    if (created === undefined) return answer === undefined ? 'no answer' : inWords(answer);
    const result = await this.#request('tasks/result', { taskId: created.taskId });
    return `task: ${result === undefined ? 'no answer' : inWords(result)}`;
  }

  /** Undefined where the stream ends without one. */
  async #request(method: string, params: object): Promise<Message | undefined> {
    const frame = this.http.request(method, params) as { id: unknown };
    this.#callId = frame.id;
    const sent = await this.http.post(frame, this.#session);
    if (sent.headers['content-type'] !== 'text/event-stream') {
      const text = await sent.text();
      return text === '' ? undefined : (JSON.parse(text) as Message);
    }
    const events = sent.events();
    for (let at = 0; ; at++) {
      const message = await messageAt(events, at);
      if (message === undefined) return undefined;
      if (message.method === undefined) return message;
      if (message.id !== undefined) await this.#question(message);
      else if (message.method === 'notifications/cancelled') this.#cancelled(message);
    }
  }

  async #question(question: Message): Promise<void> {
    this.questions.push(question);
    this.#open.set(question.id, question);
    if (this.reaction !== 'waits') {
      const result = this.answerTo(question);
      const refused = { error: { code: -1, message: 'The user does not want to' } };
      const body = result === undefined ? refused : { result };
      await (
        await this.http.post({ jsonrpc: '2.0', id: question.id, ...body }, this.#session)
      ).text();
    }
    this.wasAsked();
  }

  #cancelled({ params }: Message): void {
    if (this.#open.delete(params?.['requestId'])) this.#withdraw();
  }

  async cancel(): Promise<void> {
    const params = { requestId: this.#callId };
    const frame = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    await (await this.http.post(frame, this.#session)).text();
  }

  async leave(): Promise<void> {
    await (await this.http.send('DELETE', this.#session)).text();
  }

  async close(): Promise<void> {
    await this.http.close();
  }
}

export class ModernClient extends AskedClient {
  #asked: Result = {};

  /** As far as the client goes: what it is asked is its answer where it only waits. */
  async call(name: string, tag: string): Promise<string> {
    let answer = await this.#request('tools/call', { name, arguments: { tag } });
    while (answer.result?.['resultType'] === 'input_required') {
      this.#asked = answer.result;
      const responses = this.#take(answer.result);
      if (this.reaction === 'waits') return 'asked';
      answer = await this.retry(name, tag, responses);
    }
    if (answer.result?.['resultType'] !== 'task') return inWords(answer);
    return `task: ${await this.#follow(String(answer.result['taskId']))}`;
  }

  #take({ inputRequests }: Result): Result {
    const questions = Object.entries(inputRequests as Record<string, { method: string }>);
    this.questions.push(...questions.map(([, question]) => question));
    this.wasAsked();
    return Object.fromEntries(questions.map(([key, question]) => [key, this.answerTo(question)]));
  }

  retry(name: string, tag: string, inputResponses: Result): Promise<Message> {
    const { requestState } = this.#asked;
    return this.#request('tools/call', { name, arguments: { tag }, inputResponses, requestState });
  }

  /** The retry of a client that waited, with its answers after all. */
  async answerLate(name: string, tag: string): Promise<string> {
    return inWords(await this.retry(name, tag, this.#take(this.#asked)));
  }

  async #follow(taskId: string): Promise<string> {
    let answered = false;
    for (;;) {
      const { result = {} } = await this.#request('tasks/get', { taskId });
      if (result['status'] === 'completed') return inWords(result);
      if (result['status'] === 'cancelled') return 'cancelled';
      if (result['status'] === 'failed') return inWords(result);
      if (result['status'] !== 'input_required' || answered) continue;
      answered = true;
      const inputResponses = this.#take(result);
      if (this.reaction === 'waits') await this.#request('tasks/cancel', { taskId });
      else await this.#request('tasks/update', { taskId, inputResponses });
    }
  }

  async #request(method: string, params: object): Promise<Message> {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': this.capabilities };
    return (await this.http.modern(method, { ...params, _meta: meta })).message();
  }

  async close(): Promise<void> {
    await this.http.close();
  }
}

export function askedClient(
  url: string,
  revision: Revision,
  reaction: Reaction,
  tasks: boolean,
): LegacyClient | ModernClient {
  const Kind = revision === NEWEST ? ModernClient : LegacyClient;
  return new Kind(url, revision, reaction, tasks);
}

async function messageAt(events: EventReader, at: number): Promise<Message | undefined> {
  try {
    return (await events.first(at + 1))[at];
  } catch {
    return undefined;
  }
}
