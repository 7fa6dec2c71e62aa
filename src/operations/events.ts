/** What happens in a running mcpx, in one stream. */
import type { CoreEvent } from '../server/contract.js';
import type { BrokerEvent } from '../questions/broker.js';
import { TEXT, objectOf, type House, type JsonSchema } from './operation.js';
import { QUESTION, questionBody } from './questions.js';
import { TASK, taskSummary } from './tasks.js';

export type OperationEvent = { readonly kind: string } & Readonly<Record<string, unknown>>;

const kind = (name: string): JsonSchema => ({ const: name });

/** Of one event. */
export const EVENT = {
  oneOf: [
    objectOf({ kind: kind('questionAsked'), question: QUESTION }),
    objectOf({
      kind: kind('questionClosed'),
      id: TEXT,
      how: { enum: ['answered', 'declined', 'expired', 'withdrawn'] },
    }),
    objectOf(
      {
        kind: kind('backendChanged'),
        namespace: TEXT,
        state: { enum: ['starting', 'up', 'down'] },
      },
      { error: { ...TEXT, description: 'Where it is not up: why' } },
    ),
    objectOf({ kind: kind('listChanged'), list: { enum: ['tools', 'resources', 'prompts'] } }),
    objectOf({ kind: kind('taskChanged'), task: TASK }),
  ],
};

/** Gives the function that ends it. */
export function watch(
  { core, broker }: House,
  listener: (event: OperationEvent) => void,
): () => void {
  const endings = [
    core.observe((event) => listener(ofCore(event))),
    broker.onEvent((event) => listener(ofBroker(event))),
  ];
  return () => {
    for (const end of endings) end();
  };
}

function ofCore(event: CoreEvent): OperationEvent {
  switch (event.kind) {
    case 'listChanged':
      return event;
    case 'taskChanged':
      return { kind: event.kind, task: taskSummary(event.task) };
    case 'backendChanged': {
      const { namespace, status } = event;
      const { state, lastError } = status;
      const why = state === 'up' || lastError === undefined ? {} : { error: lastError.message };
      return { kind: event.kind, namespace, state, ...why };
    }
  }
}

function ofBroker(event: BrokerEvent): OperationEvent {
  if (event.kind === 'asked')
    return { kind: 'questionAsked', question: questionBody(event.question) };
  return { kind: 'questionClosed', id: event.id, how: event.how };
}
