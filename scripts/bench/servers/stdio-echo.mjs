/** The floor on stdio: each line is read as JSON and its `echo` answered, knowing nothing. */
import { createInterface } from 'node:readline';
import { ready } from './process-report.mjs';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params } = JSON.parse(line);
  const result = { content: [{ type: 'text', text: params.arguments?.message }] };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
ready();
