/** What a command reads: a file, or standard input where it is called `-`. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { ConfigProblem } from '../config/problem.js';

export async function readInput(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigProblem(file, `cannot be read: ${(error as Error).message}`);
  }
}
