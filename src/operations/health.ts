/** Whether mcpx runs, and whether it has everything up that it waits for. */
import { COUNT, NO_INPUT, TEXT, listOf, objectOf, type Operation } from './operation.js';

export const health: readonly Operation[] = [
  {
    id: 'get_health',
    method: 'GET',
    path: '/health',
    summary: 'Whether mcpx runs',
    input: NO_INPUT,
    output: objectOf({
      status: { const: 'ok' },
      name: TEXT,
      version: TEXT,
      uptimeSeconds: COUNT,
    }),
    run: ({ info, started }) => ({
      body: {
        status: 'ok',
        ...info,
        uptimeSeconds: Math.floor((Date.now() - started.getTime()) / 1000),
      },
    }),
  },
  {
    id: 'get_readiness',
    method: 'GET',
    path: '/ready',
    summary: 'Whether every backend has been tried',
    description:
      'A backend that is down does not make mcpx unready: the others serve. One that is still being ' +
      'started does.',
    input: NO_INPUT,
    output: objectOf({
      ready: { type: 'boolean' },
      phase: { enum: ['starting', 'serving', 'closing'] },
      starting: { ...listOf(TEXT), description: 'Backends that are being started' },
      down: { ...listOf(TEXT), description: 'Backends that are down' },
    }),
    answers: { 503: 'It is not ready' },
    run({ core, ending }) {
      const backends = core.directory.standing();
      const inState = (state: string): string[] =>
        backends.filter((one) => one.state === state).map(({ namespace }) => namespace);
      const phase = ending.aborted ? 'closing' : core.phase;
      const ready = phase === 'serving';
      const body = { ready, phase, starting: inState('starting'), down: inState('down') };
      return ready ? { body } : { status: 503, body };
    },
  },
];
