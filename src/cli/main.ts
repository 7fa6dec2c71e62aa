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
  // What the user can mend is said in a line; anything else is a fault of ours and keeps its stack.
  const text = error instanceof ConfigProblem ? error.message : (error as Error).stack;
  const lines = text?.replaceAll('\n', error instanceof ConfigProblem ? '\nmcpx: ' : '\n');
  process.stderr.write(`mcpx: ${lines}\n`);
  process.exit(1);
}
