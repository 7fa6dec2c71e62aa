/** Questions that no client could be asked: whoever looks after mcpx answers them. */
import { RpcError } from '../protocol/errors.js';
import type { Broker, BrokeredQuestion } from '../questions/broker.js';
import {
  NO_INPUT,
  Refused,
  TEXT,
  TIME,
  listOf,
  objectOf,
  type Input,
  type Operation,
} from './operation.js';

export const QUESTION = objectOf({
  id: TEXT,
  from: { ...TEXT, description: 'Who asks' },
  method: { enum: ['elicitation/create', 'sampling/createMessage'] },
  params: { type: 'object', description: 'As the protocol has them' },
  asked: TIME,
  expires: TIME,
});

const ID = { ...TEXT, description: 'Of the question' };
const BY_ID: Input = { properties: { id: ID }, required: ['id'] };
const GONE = { 404: 'No such question waits' };
const CLOSED = objectOf({ id: TEXT });

export const questions: readonly Operation[] = [
  {
    id: 'list_questions',
    method: 'GET',
    path: '/questions',
    summary: 'The questions that wait for an answer, the oldest first',
    input: NO_INPUT,
    output: objectOf({ questions: listOf(QUESTION) }),
    run: ({ broker }) => ({ body: { questions: broker.list().map(questionBody) } }),
  },
  {
    id: 'get_question',
    method: 'GET',
    path: '/questions/{id}',
    summary: 'One question',
    input: BY_ID,
    output: QUESTION,
    refusals: GONE,
    run: ({ broker }, { id }) => ({ body: questionBody(waiting(broker, id as string)) }),
  },
  {
    id: 'answer_question',
    method: 'POST',
    path: '/questions/{id}/answer',
    summary: 'Answers a question',
    description:
      'The answer is what a client would say: {"action": "accept", "content": {…}} to an ' +
      'elicitation, a message to a sampling request.',
    input: {
      properties: { id: ID, answer: { type: 'object', description: 'As the protocol has it' } },
      required: ['id', 'answer'],
    },
    output: CLOSED,
    refusals: { ...GONE, 422: 'The answer does not fit the question' },
    run({ broker }, { id, answer }) {
      waiting(broker, id as string);
      try {
        broker.answer(id as string, answer as object);
      } catch (error) {
        throw error instanceof RpcError ? new Refused(422, error.message) : error;
      }
      return { body: { id } };
    },
  },
  {
    id: 'decline_question',
    method: 'POST',
    path: '/questions/{id}/decline',
    summary: 'Declines a question',
    input: BY_ID,
    output: CLOSED,
    refusals: GONE,
    run({ broker }, { id }) {
      waiting(broker, id as string);
      broker.decline(id as string);
      return { body: { id } };
    },
  },
];

function waiting(broker: Broker, id: string): BrokeredQuestion {
  const question = broker.get(id);
  if (question === undefined) throw new Refused(404, `No question "${id}" waits`);
  return question;
}

export function questionBody(asked: BrokeredQuestion): Record<string, unknown> {
  const { id, from, question } = asked;
  return {
    id,
    from,
    method: question.method,
    params: question.params ?? {},
    asked: new Date(asked.asked).toISOString(),
    expires: new Date(asked.expires).toISOString(),
  };
}
