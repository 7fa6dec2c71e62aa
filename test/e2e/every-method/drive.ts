/** Has a client send all that its revision lets it send, and the server all that it can. */
import { METHODS } from '../../../generated/methods.js';
import { isModern } from '../../support/peers.js';
import type { Message } from '../../support/stdio-client.js';
import type { Answers, CheckedClient } from '../checked-client.js';

type Result = Record<string, unknown>;
type Scene = (client: CheckedClient) => Promise<unknown>;

const URI = 'test://text';
const ELSEWHERE = 'notifications/elicitation/complete';
const TASKS = 'io.modelcontextprotocol/tasks';
/** A task of the revision itself, or of the extension: the latter is the server's to decide. */
const AS_TASK = { name: 'job', task: {} };

const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } };
const ANSWERS: Readonly<Record<string, Result>> = {
  ping: {},
  'elicitation/create': { action: 'accept', content: { name: 'Ann' } },
  'sampling/createMessage': SAMPLED,
  'roots/list': { roots: [] },
};

/** Answers everything, but while `mute` holds no sampling. */
export function answers(mute: () => boolean): Answers {
  const give = (method: string) => () =>
    method === 'sampling/createMessage' && mute() ? undefined : ANSWERS[method];
  return Object.fromEntries(Object.keys(ANSWERS).map((method) => [method, give(method)]));
}

export function capabilitiesOf(revision: CheckedClient['revision']): object {
  const elicitation =
    'elicitation/create' in METHODS[revision]
      ? { elicitation: ELSEWHERE in METHODS[revision] ? { form: {}, url: {} } : {} }
      : {};
  const tasks = isModern(revision) ? { extensions: { [TASKS]: {} } } : {};
  return { sampling: {}, roots: {}, ...elicitation, ...tasks };
}

/** By the method that a client sends, in the order in which they are played. */
export const SCENES: Readonly<Record<string, Scene>> = {
  // Both are part of opening.
  initialize: () => Promise.resolve(),
  'notifications/initialized': () => Promise.resolve(),
  'server/discover': (client) => client.result('server/discover'),
  ping: (client) => client.result('ping'),
  'logging/setLevel': (client) => client.result('logging/setLevel', { level: 'info' }),
  'tools/list': (client) => client.result('tools/list'),
  'prompts/list': (client) => client.result('prompts/list'),
  'prompts/get': (client) =>
    client.result('prompts/get', { name: 'greet', arguments: { who: 'Ann' } }),
  'resources/list': (client) => client.result('resources/list'),
  'resources/templates/list': (client) => client.result('resources/templates/list'),
  'resources/read': (client) => client.result('resources/read', { uri: URI }),
  'completion/complete': (client) =>
    client.result('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    }),
  'resources/subscribe': (client) => client.result('resources/subscribe', { uri: URI }),
  'subscriptions/listen': (client) =>
    listen(client, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: [URI],
    }),
  'notifications/roots/list_changed': (client) => client.notify('notifications/roots/list_changed'),
  'notifications/progress': (client) =>
    client.notify('notifications/progress', { progressToken: 'none', progress: 1 }),
  'notifications/tasks/status': (client) =>
    client.notify('notifications/tasks/status', taskOf('none')),
  'tools/call': callTools,
  'notifications/cancelled': cancel,
  'tasks/get': async (client) => {
    const task = await client.result('tasks/get', { taskId: await start(client) });
    if (task['status'] !== 'working') throw new Error(`the task is ${String(task['status'])}`);
  },
  'tasks/list': (client) => client.result('tasks/list'),
  'tasks/result': async (client) => {
    const taskId = await start(client);
    const result = client.result('tasks/result', { taskId });
    await call(client, 'release');
    await result;
  },
  'tasks/update': async (client) => {
    const taskId = await start(client);
    const asked = client.heard(isStatus(taskId, 'input_required'));
    await call(client, 'release');
    const { params } = await asked;
    const inputResponses = answersTo(params ?? {});
    await client.result('tasks/update', { taskId, inputResponses });
    await client.heard(isStatus(taskId, 'completed'));
  },
  'tasks/cancel': async (client) => {
    const taskId = await start(client);
    await client.result('tasks/cancel', { taskId });
    await client.heard(isStatus(taskId, 'cancelled'));
  },
  'resources/unsubscribe': (client) => client.result('resources/unsubscribe', { uri: URI }),
};

async function callTools(client: CheckedClient): Promise<void> {
  const level = isModern(client.revision) ? { 'io.modelcontextprotocol/logLevel': 'info' } : {};
  await client.result('tools/call', { name: 'busy' }, { progressToken: 'busy', ...level });
  await call(client, 'change');
  for (const list of ['tools', 'prompts', 'resources']) {
    await client.heard(({ method }) => method === `notifications/${list}/list_changed`);
  }
  await client.heard(({ method }) => method === 'notifications/resources/updated');
  await call(client, 'sample');
  await call(client, 'roots');
  if ('elicitation/create' in METHODS[client.revision]) await call(client, 'elicit');
  if (ELSEWHERE in METHODS[client.revision]) {
    await call(client, 'visit');
    await client.heard(({ method }) => method === ELSEWHERE);
  }
  if ('ping' in METHODS[client.revision]) await call(client, 'ping');
}

/** In both directions, as far as there is somebody who would have to be told. */
async function cancel(client: CheckedClient): Promise<void> {
  const id = client.nextId;
  const waits = client.request('tools/call', { name: 'wait' }, { progressToken: 'wait' });
  // Where it is cancelled there is no answer.
  void waits.catch(() => undefined);
  await client.heard(({ params }) => params?.['progressToken'] === 'wait');
  await client.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
  await call(client, 'release');
}

/** A call to its end: what it asks inside a result is answered with another one. */
export async function call(client: CheckedClient, name: string): Promise<Result> {
  let result = await client.result('tools/call', { name });
  while (result['resultType'] === 'input_required') {
    const { requestState } = result;
    const inputResponses = answersTo(result);
    result = await client.result('tools/call', { name, inputResponses, requestState });
  }
  if (result['isError'] === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
  return result;
}

function answersTo({ inputRequests = {} }: { inputRequests?: unknown }): Result {
  const asked = Object.entries(inputRequests as Record<string, Message>);
  return Object.fromEntries(asked.map(([key, { method = '' }]) => [key, ANSWERS[method]]));
}

/** A task that runs, and of which the client hears. */
async function start(client: CheckedClient): Promise<string> {
  if (!isModern(client.revision)) {
    const { task } = await client.result('tools/call', AS_TASK);
    return (task as { taskId: string }).taskId;
  }
  const { taskId } = await client.result('tools/call', { name: 'job' });
  await listen(client, { taskIds: [taskId] });
  return taskId as string;
}

/** Resolves when the stream is acknowledged; it stays open. */
async function listen(client: CheckedClient, notifications: object): Promise<void> {
  const id = client.nextId;
  const opened = client.request('subscriptions/listen', { notifications });
  // It ends with the client.
  void opened.catch(() => undefined);
  await client.heard(
    ({ method, params }) =>
      method === 'notifications/subscriptions/acknowledged' &&
      (params?.['_meta'] as Result)['io.modelcontextprotocol/subscriptionId'] === id,
  );
}

function isStatus(taskId: string, status: string): (frame: Message) => boolean {
  return ({ method, params }) =>
    method?.startsWith('notifications/tasks') === true &&
    params?.['taskId'] === taskId &&
    params['status'] === status;
}

function taskOf(taskId: string): Result {
  const now = new Date(0).toISOString();
  return { taskId, status: 'working', createdAt: now, lastUpdatedAt: now, ttl: null };
}
