import { setImmediate as letOthersRun } from 'node:timers/promises';
import { createServer } from 'mcpx';

const STEP = 10_000;

const server = createServer({ name: 'primes', version: '1.0.0' });

server.tool(
  {
    name: 'count_primes',
    description: 'Counts the primes below a number; large ones take a while.',
    inputSchema: {
      type: 'object',
      properties: { below: { type: 'integer', minimum: 2 } },
      required: ['below'],
    },
  },
  async ({ below }, ctx) => {
    const total = Number(below);
    ctx.log('info', `counting the primes below ${total}`);
    let count = 0;
    for (let from = 0; from < total; from += STEP) {
      const to = Math.min(from + STEP, total);
      for (let n = from; n < to; n++) if (isPrime(n)) count++;
      // To those who asked for it.
      ctx.progress({ progress: to, total, message: `${count} so far` });
      await letOthersRun();
      // The client cancelled, or is gone: nobody waits for the answer any more.
      if (ctx.signal.aborted) {
        console.error(`stopped at ${to}`);
        break;
      }
    }
    return `There are ${count} primes below ${total}.`;
  },
);

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return n > 1;
}

await server.stdio();
