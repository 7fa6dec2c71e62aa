#!/usr/bin/env node
/** The command `mcpx`. */
import { ConfigProblem } from '../config/problem.js';
import { mayBeCutOff } from './closed-output.js';
import { createProgram } from './program.js';

const program = createProgram();
mayBeCutOff(program);

try {
  await program.parseAsync();
} catch (error) {
  // What the user can mend is said in lines; anything else is a fault of ours and keeps its stack.
  const told =
    error instanceof ConfigProblem
      ? error.message.replaceAll('\n', '\nmcpx: ')
      : (error as Error).stack;
  process.stderr.write(`mcpx: ${told}\n`);
  process.exit(1);
}
