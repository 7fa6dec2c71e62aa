/** Every operation there is. */
import { backends } from './backends.js';
import { health } from './health.js';
import type { Operation } from './operation.js';
import { protocol } from './protocol.js';
import { questions } from './questions.js';
import { tasks } from './tasks.js';
import { tools } from './tools.js';

export const OPERATIONS: readonly Operation[] = [
  ...health,
  ...protocol,
  ...backends,
  ...tools,
  ...tasks,
  ...questions,
];
