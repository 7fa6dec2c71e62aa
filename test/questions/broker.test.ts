import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Broker, type BrokerEvent } from '../../src/questions/broker.js';
import type { Question } from '../../src/backends/context.js';

const form: Question = {
  method: 'elicitation/create',
  params: {
    message: 'Name?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  },
};
const sampling: Question = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 1 },
};

let broker: Broker;
const never = new AbortController().signal;
beforeEach(() => {
  vi.useFakeTimers();
  broker = new Broker(1000, 2);
});
afterEach(() => {
  broker.close();
  vi.useRealTimers();
});

const only = () => broker.list()[0]?.id ?? '';

describe('a question at the broker', () => {
  test('is shown with who asks and until when, and goes to who asked when answered', async () => {
    const answer = broker.ask(form, 'files', never);
    expect(broker.list()).toMatchObject([{ question: form, from: 'files' }]);
    broker.answer(only(), { action: 'accept', content: { name: 'Ann' } });
    expect(await answer).toEqual({ action: 'accept', content: { name: 'Ann' } });
    expect(broker.list()).toEqual([]);
  });

  test('that is declined says so; sampling fails', async () => {
    const elicited = broker.ask(form, 'files', never);
    broker.decline(only());
    expect(await elicited).toEqual({ action: 'decline' });
    const sampled = broker.ask(sampling, 'files', never);
    broker.decline(only());
    await expect(sampled).rejects.toThrow('declined');
  });

  test('that nobody answers ends as cancelled', async () => {
    const elicited = broker.ask(form, 'files', never);
    const sampled = broker.ask(sampling, 'files', never);
    const failed = expect(sampled).rejects.toThrow('in time');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await elicited).toEqual({ action: 'cancel' });
    await failed;
    expect(broker.list()).toEqual([]);
  });

  test('keeps waiting where the answer does not fit', () => {
    void broker.ask(form, 'files', never);
    for (const answer of [{}, { action: 'perhaps' }, { action: 'accept', content: { name: 1 } }]) {
      expect(() => broker.answer(only(), answer)).toThrow('does not fit');
    }
    expect(broker.list()).toHaveLength(1);
  });

  test('goes when the one who asks goes', async () => {
    const gone = new AbortController();
    const events: BrokerEvent[] = [];
    broker.onEvent((event) => events.push(event));
    const answer = broker.ask(form, 'files', gone.signal);
    gone.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    expect(broker.list()).toEqual([]);
    expect(events).toMatchObject([{ kind: 'asked' }, { kind: 'closed', how: 'withdrawn' }]);
  });

  test('is refused where too many wait, and an unknown one is named', async () => {
    void broker.ask(form, 'a', never);
    void broker.ask(form, 'b', never);
    await expect(broker.ask(form, 'c', never)).rejects.toThrow('2 questions wait already');
    expect(() => broker.answer('nothing', { action: 'cancel' })).toThrow('No question "nothing"');
    expect(() => broker.decline('nothing')).toThrow('No question "nothing"');
  });

  test('is told of when it comes and when it goes', () => {
    const events: BrokerEvent[] = [];
    const stop = broker.onEvent((event) => events.push(event));
    void broker.ask(form, 'a', never);
    broker.decline(only());
    stop();
    void broker.ask(form, 'b', never);
    expect(events).toMatchObject([{ kind: 'asked' }, { kind: 'closed', how: 'declined' }]);
  });
});
