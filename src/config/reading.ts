/**
 * What is found while a configuration is read. A mistake does not end the reading: whoever wrote it is
 * to be told of all of them at once. What is read beside a mistake is of no use but to go on.
 */
import type { Mistake } from './problem.js';

export class Reading {
  /** What was passed over and may well be meant so, in words for the log. */
  readonly remarks: string[] = [];
  /** What was passed over and is hardly meant so. */
  readonly warnings: string[] = [];

  constructor(
    /** What references to the environment stand for. */
    readonly env: NodeJS.ProcessEnv = {},
    readonly mistakes: Mistake[] = [],
  ) {}

  mistake(where: string, what: string): void {
    this.mistakes.push({ where, what });
  }
}
